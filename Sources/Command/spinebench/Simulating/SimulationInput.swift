import Basics
import Composition
import DeviceSimulation
import Foundation
import Harness
import Results
import ScanningPipeline
import SpineDatasets

/// What the readings of a run's variant cost on devices.
struct RunCosts {
    private let subject: AssessmentSubject
    private let calibration: HostCalibration

    /// The variant's measurement.
    var name: String { subject.name }

    /// - Parameters:
    ///   - path: of the run's folder.
    ///   - variant: of one of its measurements; nil when there is only one.
    ///   - plan: of the session.
    /// - Throws: `HarnessError.configuration` when there is no such measurement, or it has no readings; when the run cannot be read.
    init(_ path: String, variant: String?, plan: SessionPlan) throws {
        let contents = try RunContents.load(path)
        var subjects = try contents.subjects { try DeviceStage.setup($0, plan) }
        let names = subjects.map(\.name)
        if let variant { subjects = subjects.filter { $0.name == variant } }
        guard let subject = subjects.first, subjects.count == 1 else {
            let problem = variant.map { "there is no measurement \"\($0)\" of a tier in this run" }
            let hint = variant.map { NearName.hint(for: $0, among: names) }
            throw HarnessError.configuration(
                names.isEmpty
                    ? "\(path): this run measured no variant that has a tier"
                    : "\(path): \(problem ?? "say which with --variant"); \(hint ?? names.joined(separator: ", "))"
            )
        }
        guard !subject.readings.isEmpty else {
            throw HarnessError.configuration("\(path): \(subject.name) has no readings")
        }
        self.subject = subject
        let stored = try DeviceRecord.load(from: path)?.calibration
        calibration =
            try stored
            ?? HostCalibrator(for: contents.result.configuration.variants).calibration { Console.standardError($0) }
    }

    /// The plan and the costs on a device.
    ///
    /// `bound`: where its figures lie.
    func session(on profile: DeviceProfile, at bound: Bound) -> (plan: SessionPlan, costs: [ReadingCost]) {
        subject.session(on: profile, calibration: calibration, at: bound)
    }
}

/// What is wrong with what a simulation was asked for.
extension SessionShard {
    /// A part of sessions that `simulate --out` wrote.
    ///
    /// - Throws: `HarnessError.configuration` when it is none.
    init(file path: String) throws {
        let bytes = try InputFile.bytes(path)
        do {
            self = try JSONDecoder().decode(SessionShard.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw HarnessError.configuration("\(path): this is no part of a simulation: \(error.systemReason)")
        }
    }
}

/// The presence gate as it was measured, and as it does in a run.
struct MeasuredGate {
    let measurement: GateMeasurement
    let rates: SessionPlan.GateRates

    /// - Throws: `HarnessError.configuration` when the measurement that comes with the program is of another gate, or has no rates.
    init() throws {
        let measurement = try GateMeasurement.committed()
        guard measurement.gate == GateDigest.digest(of: PresenceGate()) else {
            throw HarnessError.configuration(
                "the presence gate is not the one that was measured on \(measurement.date): measure it with 'checks gate --out "
                    + "Sources/Bench/DeviceSimulation/Resources/gate.json' and build again"
            )
        }
        guard let rates = measurement.rates else {
            throw HarnessError.configuration(
                "the measurement of the presence gate has no frames with a spine, or none without"
            )
        }
        (self.measurement, self.rates) = (measurement, rates)
    }

    /// For people: its rates with their intervals.
    var text: String {
        func text(_ rate: GateMeasurement.Rate) -> String {
            "\(NumberText.percent(rate.passed.rate.value ?? .nan)) \(NumberText.interval(rate.passed))"
        }
        let all = measurement.all
        return "Presence gate: passes \(text(all.withSpine)) of frames with a spine and \(text(all.without)) of "
            + "the others "
            + "(measured \(measurement.date)), in \(NumberText.milliseconds(rates.seconds * 1_000)) on an A15 (modelled)"
    }
}
