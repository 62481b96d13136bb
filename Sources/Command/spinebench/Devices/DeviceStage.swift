import Foundation
import Harness
import ScanningPolicies
import Systems

struct DeviceStage {
    private let configuration: RunConfiguration
    private let profiles: [DeviceProfile]
    private let calibration: HostCalibration

    /// Calibrates this host; nil for a run without a device.
    init?(for configuration: RunConfiguration, profiles: DeviceOptions) throws {
        guard let devices = configuration.devices else { return nil }
        self.configuration = configuration
        self.profiles = try profiles.profiles(devices)
        calibration = try HostCalibrator.calibration(for: configuration.variants)
    }

    /// The devices of a finished run, with the calibration of its host.
    ///
    /// - Throws: ``HarnessError`` for a run without devices.
    init(ofRun path: String) throws {
        configuration = try RunFolder.contents(path).configuration
        guard let record = try DeviceRecord.load(from: path), let calibration = record.calibration else {
            throw HarnessError.runFolder(path: path, problem: "has no modelled devices; run with --devices")
        }
        (profiles, self.calibration) = (record.profiles, calibration)
    }

    /// Models the tiers and writes their figures to the run's folder.
    ///
    /// `recordings`: Runs that `score` made, whose readings on a device take the place of the model.
    func assessed(
        _ contents: RunContents,
        in folder: String,
        recordings: [String] = []
    ) async throws -> RunContents {
        let recorded = try DeviceRecording.load(recordings, for: configuration, on: profiles)
        var subjects = try contents.subjects { try Self.setup($0, SessionPlan()) }
        for index in subjects.indices { subjects[index].recordings = recorded[subjects[index].name] ?? [] }
        let assessor = DeviceAssessor(calibration: calibration)
        let record = DeviceRecord(
            profiles: profiles,
            calibration: calibration,
            assessment: profiles.isEmpty ? nil : try await assessor.assess(subjects, on: profiles)
        )
        try record.write(to: folder)
        var contents = contents
        contents.result.add(record)
        return contents
    }

    /// How a variant is used on a device, and what its reader is calibrated by.
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
