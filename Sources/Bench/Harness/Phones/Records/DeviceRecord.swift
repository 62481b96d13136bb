import Basics
package import Evaluation
import Foundation
import SpineDatasets

/// Devices of a run in its folder: their figures and all that these rest on, so that reports can be written again
/// anywhere.
package struct DeviceRecord: Sendable, Equatable, Codable {
    package static let format = 2

    package var format = Self.format
    package var profiles: [DeviceProfile]
    /// Calibration of the run's host; nil when no devices were requested.
    package var calibration: HostCalibration?
    /// Assumed figures of the A15.
    package var reference: [DeviceFigure: Estimate]
    package var assessment: DeviceAssessment?

    package init(
        profiles: [DeviceProfile] = [],
        calibration: HostCalibration? = nil,
        assessment: DeviceAssessment? = nil
    ) {
        (self.profiles, self.calibration) = (profiles, calibration)
        self.assessment = assessment
        reference = calibration == nil ? [:] : A15Reference.figures
    }

    package func write(to folder: String) throws {
        try RunFolder.write(Data(JSONFile.bytes(self)), RunFolder.Name.devices, folder)
    }

    /// Loads the record from a run's folder; nil when it has none.
    package static func load(from folder: String) throws -> DeviceRecord? {
        let path = "\(folder)/\(RunFolder.Name.devices)"
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return try JSONFile.read(data, format: format) { reason, isOther in
            let rerun = isOther ? "run again with the same settings (spinebench run --like \(folder)), or " : ""
            return .runFolder(path: path, problem: "\(reason); \(rerun)delete it to report the run without devices")
        }
    }
}

extension RunContents {
    /// Returns the measurements whose variants have a tier, as far as devices need them, in the run's order.
    ///
    /// Only spines that are read one after the other: elsewhere readings wait for each other, and the number of shelf
    /// photos in a session is unknown. `setup` gives a variant's use, and its reader's key in the calibration.
    package func subjects(
        _ setup: (Variant) throws -> (plan: SessionPlan, reader: String?)
    ) rethrows -> [AssessmentSubject] {
        let records = Dictionary(grouping: records, by: \.measurement)
        let labels = samples
        return try result.measurements.compactMap { measurement in
            guard let tier = measurement.variant.tier, measurement.scenario.kind == .single,
                measurement.variant.subject == nil, !measurement.isOfSeveralMachines
            else { return nil }
            let own = records[measurement.id] ?? []
            let targets = result.configuration.targets.filter { $0.holds(for: tier) }
            var (plan, reader) = try setup(measurement.variant)
            let memory = measurement.memory.counted.peak.value.map { $0 / 1e6 }
            plan.memory = memory ?? plan.memory
            var subject = AssessmentSubject(
                name: measurement.id,
                tier: tier,
                readings: own.compactMap { record in
                    let score = labels.sample(of: record).flatMap { record.score(against: $0.sample) }
                    return HostReading(record, isTitleRead: score?.title.isRead ?? false)
                }
            )
            subject.unanswered = own.count { $0.outcome != .read && $0.outcome != .notAttempted }
            subject.samples = Set(own.filter { $0.outcome != .notAttempted }.map(\.id)).count
            subject.method = result.configuration.percentileMethod
            (subject.memory, subject.reader, subject.plan) = (memory, reader, plan)
            subject.targets = targets.filter {
                $0.category == nil && ($0.metric?.percent != nil || $0.isOfMemory)
            }
            subject.asked = result.configuration.assertions?.deviceFigures(of: measurement.variant.name) ?? []
            return subject
        }
    }
}

extension HostReading {
    /// Creates the stages of a finished reading; nil for another.
    ///
    /// A stage's kind defines the device's activity. Time that no stage explains is the processors' as far as they
    /// worked in it, by the processor time of the whole process; the rest stays separate. `isTitleRead` counts when no
    /// book was requested.
    package init?(_ record: SampleRecord, isTitleRead: Bool) {
        guard record.outcome == .read, let whole = record.serviceMilliseconds ?? record.milliseconds,
            let prediction = record.prediction
        else { return nil }
        let stages = prediction.stages
        let detection = stages[Stage.detectionInference] ?? 0
        let recognition = stages[Stage.recognitionInference] ?? 0
        let compute = stages.sum(.compute)
        // Simultaneous work takes the device no longer than the work alone.
        let wait = max(0, min(stages.sum(.network) + stages.sum(.sleep), whole - compute))
        let rest = max(0, whole - compute - wait)
        let worked = min(rest, max(0, (prediction.cpuMilliseconds ?? 0) - compute))
        let traffic = prediction.traffic
        self.init(
            image: max(0, compute - detection - recognition) + worked,
            detection: detection,
            recognition: recognition,
            wait: wait
        )
        unaccounted = rest - worked
        isReadRemotely = stages[Stage.reading] == nil && stages.sum(.network) > 0
        isAnswered = prediction.isQueued != true
        bytesUp = traffic.map { $0.wireUp ?? $0.sent } ?? 0
        bytesDown = traffic.map { $0.wireDown ?? $0.received } ?? 0
        isIdentified = record.book.map { $0.answer == .right } ?? isTitleRead
    }
}
