import Basics
import DeviceSimulation
import Harness
import Judging

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
    /// - Throws: `SimulationFault` when there is no such measurement, or it has no readings; when the run cannot be read.
    init(_ path: String, variant: String?, plan: SessionPlan) throws {
        let contents = try RunContents.load(path)
        var subjects = try contents.subjects { try DeviceStage.setup($0, plan) }
        let names = subjects.map(\.name)
        if let variant { subjects = subjects.filter { $0.name == variant } }
        guard let subject = subjects.first, subjects.count == 1 else {
            let problem = variant.map { "there is no measurement \"\($0)\" of a tier in this run" }
            let hint = variant.map { NearName.hint(for: $0, among: names) }
            throw SimulationFault(
                names.isEmpty
                    ? "\(path): this run measured no variant that has a tier"
                    : "\(path): \(problem ?? "say which with --variant"); \(hint ?? names.joined(separator: ", "))"
            )
        }
        guard !subject.readings.isEmpty else { throw SimulationFault("\(path): \(subject.name) has no readings") }
        self.subject = subject
        let stored = try DeviceRecord.load(from: path)?.calibration
        calibration =
            try stored
            ?? HostCalibrator(for: contents.result.configuration.variants).calibration { Console.standardError($0) }
    }

    /// The plan and the costs on a device.
    ///
    /// - Parameters:
    ///   - profile: of the device.
    ///   - bound: where its figures lie.
    /// - Returns: a cost for each reading of the run.
    func session(on profile: DeviceProfile, at bound: Bound) -> (plan: SessionPlan, costs: [ReadingCost]) {
        subject.session(on: profile, calibration: calibration, at: bound)
    }
}
