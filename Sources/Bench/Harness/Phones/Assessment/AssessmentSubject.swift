package import Basics
import Evaluation

/// A measurement of a run as far as an assessment needs it.
package struct AssessmentSubject: Sendable, Equatable {
    package var name: String
    package var tier: String
    package var readings: [HostReading]
    /// Readings that were given up or failed: later than all others on any device.
    package var unanswered = 0
    /// Number of different spines; nil for one of each reading.
    package var samples: Int?
    package var method = PercentileMethod.nearestRank
    /// The most that its process held here, in MB; nil when that is not known.
    package var memory: Double?
    /// Key in the calibration; nil for a reader without networks.
    package var reader: String?
    /// Plan of its use: the stages that it has, and the link that its requests go over.
    package var plan = SessionPlan()
    /// Targets of its tier for latencies and memory.
    package var targets: [Claim] = []
    /// Readings on devices themselves, one recording of a device at most.
    package var recordings: [DeviceRecording] = []
    package var asked: [DeviceMetricValue.Key] = []

    /// Note on time that nothing explains; nil where that is less than a hundredth.
    var unaccountedNote: String? {
        let rest = readings.reduce(0) { $0 + $1.unaccounted }
        let whole = readings.reduce(rest) { $0 + $1.image + $1.detection + $1.recognition + $1.wait }
        guard whole > 0, rest >= whole / 100 else { return nil }
        return
            "\(name): \((100 * rest / whole).rounded(toDigits: 1)) % of its readings' time belongs to no stage and used no "
            + "CPU; it is modelled as equally long on every device, without energy"
    }
}

extension AssessmentSubject {
    /// Returns the sessions of the readings on a device that may have a recording, of nominal figures first and then in
    /// each draw, on a unit that the device has.
    ///
    /// `calibration` is of the host that the readings were measured on.
    package func sessions(
        on profile: DeviceProfile,
        calibration: HostCalibration,
        seed: UInt64
    ) throws(HarnessError) -> [Session] {
        let model = DeviceModel(self, on: profile, by: DeviceAssessor(calibration: calibration, seed: seed))
        var plan = plan
        plan.unit = model.unit
        var sessions: [Session] = []
        for (values, costs) in zip(model.settings, model.costs) {
            sessions.append(try Session(plan, values, costs: costs))
        }
        return sessions
    }
}
