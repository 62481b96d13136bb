import Composition
import DeviceSimulation
import Foundation
import Harness
import Results
import ScanningPipeline
import ScanningPolicies

/// The data that a run needs beside its readings to model its tiers on devices, and to answer questions.
struct DeviceStage {
    private let configuration: RunConfiguration
    private let profiles: [DeviceProfile]
    private let calibration: HostCalibration
    private let gate: MeasuredGate

    /// Calibrates this host; nil for a run without a device.
    ///
    /// - Throws: when a profile is missing or has changed since the run began, a network cannot be loaded, or the
    ///   presence gate differs from the measured one.
    init?(for configuration: RunConfiguration, profiles: DeviceOptions) throws {
        guard configuration.devices != nil || configuration.experiments?.isEmpty == false else { return nil }
        self.configuration = configuration
        gate = try MeasuredGate()
        self.profiles = try configuration.devices.map(profiles.profiles) ?? []
        calibration = try HostCalibrator(for: configuration.variants).calibration { Console.standardError($0) }
    }

    /// Models the tiers, answers the questions, and stores both in the run's folder.
    ///
    /// - Throws: when a session cannot be simulated, or the disk fails.
    func assessed(_ contents: RunContents, in folder: String) async throws -> RunContents {
        var plan = SessionPlan()
        plan.gate = PresenceGate.isOnByDefault ? gate.rates : nil
        let subjects = try contents.subjects { try Self.setup($0, plan) }
        let assessment =
            profiles.isEmpty ? nil : try await DeviceAssessor(calibration: calibration).assess(subjects, on: profiles)
        let gating = try gatingTrial(contents)
        let input = contents.experimentInput(subjects, on: profiles, calibration: calibration, gating: gating)
        let record = DeviceRecord(
            profiles: profiles,
            calibration: calibration,
            assessment: assessment,
            findings: configuration.experiments?.compactMap(Experiment.init).map(input.finding)
        )
        try record.write(to: folder)
        var contents = contents
        contents.result.add(record)
        return contents
    }

    /// Returns the presence gate's result for panning sequences; nil if it is not requested (E-07).
    private func gatingTrial(_ contents: RunContents) throws -> GatingTrial? {
        guard configuration.experiments?.contains(Experiment.gating.rawValue) == true else { return nil }
        Console.standardError("Testing the presence gate on panning sequences of the run's spines.")
        return try gate.trial(of: contents.datasets, seed: configuration.seeds.first ?? 1)
    }

    /// Returns the use of a variant on a device, and the reader of its calibration.
    static func setup(_ variant: Variant, _ base: SessionPlan) throws -> (plan: SessionPlan, reader: String?) {
        var plan = base
        let settings = try ComposedVariant(variant).settings
        if let scanning = settings.scanning {
            plan.strategy = scanning.strategy
            let network = scanning.profile
            (plan.uplink, plan.downlink) = (network?.upMegabits, network?.downMegabits)
            // Without a shaped network the back end was on the same machine, and a phone would be at home.
            plan.link =
                !scanning.strategy.needsBackEnd ? .none : network.map { $0.name != "wifi" } ?? false ? .cellular : .wifi
        }
        return (plan, settings.reading.flatMap(HostCalibrator.key))
    }
}
