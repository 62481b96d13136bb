import Basics
import Evaluation
import ScanningPolicies
import SpineDatasets
import TestSupport

@testable import Harness

/// Devices, readings and measurements with planted figures.
enum PlantedRun {
    /// Returns a profile wide enough for every state of heat to be planted.
    static func profile(
        _ name: String = "Phone A",
        _ changes: [DeviceFigure: Estimate] = [:]
    ) throws -> DeviceProfile {
        var profile = try DeviceRun.profile(name, camera: 1...1)
        profile.figures.merge(changes) { $1 }
        return profile
    }

    static func exact(_ value: Double) -> Estimate { between(value, value, value) }

    static func between(_ low: Double, _ value: Double, _ high: Double) -> Estimate {
        Estimate(value, low: low, high: high, source: "planted", kind: .assumed)
    }

    /// Returns a reading on the host for a given time on a device with an A15's speed, all of it CPU time: the
    /// calibration's host takes 10 ms for work that an A15 does in its own time.
    static func hostMilliseconds(_ onDevice: Double) -> Double {
        onDevice * 10 / (A15Reference.figures[.a15Image]?.value ?? .nan)
    }

    /// Returns a measurement's readings, by how long they take on the device; the figures of an A15 spread that by
    /// 0.6 to 1.7.
    static func subject(
        _ name: String,
        tier: String,
        _ variant: ScanStrategy = .onDeviceOnly,
        milliseconds: [Double],
        wait: Double = 0,
        queued: Int = 0,
        unanswered: Int = 0,
        samples: Int? = nil,
        bytesUp: Int = 0,
        method: PercentileMethod = .nearestRank,
        memory: Double? = 150
    ) -> AssessmentSubject {
        var plan = SessionPlan()
        plan.strategy = variant
        plan.link = variant == .onDeviceOnly ? .none : .wifi
        plan.unit = .cpu
        let readings = milliseconds.enumerated().map { place, milliseconds in
            HostReading(
                image: hostMilliseconds(milliseconds),
                detection: 0,
                recognition: 0,
                wait: wait,
                isReadRemotely: variant == .talariaOnly,
                isAnswered: place >= queued,
                bytesUp: bytesUp,
                bytesDown: variant == .onDeviceOnly ? 0 : 600
            )
        }
        return AssessmentSubject(
            name: name,
            tier: tier,
            readings: readings,
            unanswered: unanswered,
            samples: samples,
            method: method,
            memory: memory,
            plan: plan
        )
    }

    static let spines = (0..<240).map { Sample.made("v\($0)") }

    /// Returns a first finished reading.
    static func record(
        _ measurement: String,
        _ id: String,
        enriched: Double? = nil,
        text: Double? = nil,
        book: BookOutcome.Answer? = nil,
        isQueued: Bool? = nil,
        drained: Int? = nil,
        waiting: Int? = nil,
        up: [String: Int]? = nil
    ) -> SampleRecord {
        var record = SampleRecord.made(measurement, id, "Title \(id)", milliseconds: enriched ?? text ?? 100)
        record.worker = 1
        var milestones: [String: Double] = [:]
        if let text { milestones["text"] = text }
        if let enriched { milestones["enriched"] = enriched }
        if !milestones.isEmpty { record.prediction?.milestones = milestones }
        record.prediction?.isQueued = isQueued
        record.prediction?.drained = drained
        record.prediction?.waiting = waiting
        record.prediction?.traffic = up.map { Traffic(up: $0, wireUp: $0.values.reduce(0, +)) }
        record.book = book.map { BookOutcome($0) }
        return record
    }

    static func measurement(
        _ name: String,
        _ settings: [String: String] = [:],
        gates: Bool = false,
        evidence: EvidenceClass? = nil,
        samples: [Sample] = spines,
        records: [SampleRecord]
    ) -> MeasurementResult {
        let variant = Variant(name: name, gates: gates, settings: settings, evidence: evidence)
        return .made(variant, samples: samples, records)
    }
}
