import Basics
import Foundation
import Harness
import SpineDatasets
import Systems

struct RunCosts {
    private let subject: AssessmentSubject
    private let calibration: HostCalibration

    /// `variant`: of one of the run's measurements; nil for the only one.
    init(_ path: String, variant: String?, plan: SessionPlan) throws {
        let contents = try RunContents.load(path)
        let measurements = contents.result.measurements
        if let name = variant ?? measurements.first?.id,
            measurements.contains(where: { $0.id == name && $0.variant.origin != nil })
        {
            throw HarnessError.configuration(
                "\(path): \(name) was scored from files, which have no stages; use --latency P50,P95 instead of --run"
            )
        }
        var subjects = try contents.subjects { try DeviceStage.setup($0, plan) }
        let names = subjects.map(\.name)
        if let variant { subjects = subjects.filter { $0.name == variant } }
        guard var subject = subjects.first, subjects.count == 1 else {
            let problem = variant.map { "measurement \"\($0)\" not found among the tiers of this run" }
            let hint = variant.map { NearName.hint(for: $0, among: names) }
            throw HarnessError.configuration(
                names.isEmpty
                    ? "\(path): the run has no variant with a tier"
                    : "\(path): \(problem ?? "say which with --variant"); \(hint ?? names.joined(separator: ", "))"
            )
        }
        guard !subject.readings.isEmpty else {
            throw HarnessError.configuration("\(path): \(subject.name) has no readings")
        }
        let stored = try DeviceRecord.load(from: path)
        let rows = stored?.assessment?.rows.filter { $0.measurement == subject.name } ?? []
        subject.recordings = rows.compactMap(\.recording)
        self.subject = subject
        calibration =
            try stored?.calibration
            ?? HostCalibrator.calibration(for: contents.result.configuration.variants)
    }

    /// Returns the sessions on a device, of nominal figures first; `memory` in MB replaces the measured one.
    func sessions(on profile: DeviceProfile, seed: UInt64, memory: Double) throws -> [Session] {
        var subject = subject
        if memory > 0 { subject.plan.memory = memory }
        return try subject.sessions(on: profile, calibration: calibration, seed: seed)
    }
}
