package import Evaluation
package import Statistics

/// A measurement of a run as far as an assessment needs it.
package struct AssessmentSubject: Sendable, Equatable {
    /// The measurement's id.
    package var name: String
    package var tier: String
    /// Readings that came to an end.
    package var readings: [HostReading]
    /// Readings that were given up or failed: later than all others on any device.
    package var unanswered: Int
    /// Of how many different spines they are.
    package var samples: Int
    /// Formula of percentiles.
    package var method: PercentileMethod
    /// The most that its process held here, in MB; nil when that is not known.
    package var memory: Double?
    /// Its key in the calibration; nil for one without networks.
    package var reader: String?
    /// Plan of its use: the stages that it has, and the link that its requests go over.
    package var plan: SessionPlan
    /// Those of its tier, of latencies and of memory.
    package var targets: [Target]

    /// - Parameters:
    ///   - name: the measurement's id.
    ///   - tier: its variant's.
    ///   - readings: those that came to an end.
    ///   - unanswered: how many did not.
    ///   - samples: of how many different spines they are.
    ///   - method: how percentiles are picked.
    ///   - memory: the most that its process held, in MB.
    ///   - reader: its key in the calibration.
    ///   - plan: how it is used.
    ///   - targets: those of its tier.
    package init(
        name: String,
        tier: String,
        readings: [HostReading],
        unanswered: Int = 0,
        samples: Int? = nil,
        method: PercentileMethod = .nearestRank,
        memory: Double? = nil,
        reader: String? = nil,
        plan: SessionPlan = SessionPlan(),
        targets: [Target] = []
    ) {
        self.name = name
        self.tier = tier
        self.readings = readings
        self.unanswered = unanswered
        self.samples = samples ?? readings.count + unanswered
        self.method = method
        self.memory = memory
        self.reader = reader
        self.plan = plan
        self.targets = targets
    }

    /// Note on time that nothing explains; nil where that is less than a hundredth.
    var unaccountedNote: String? {
        let rest = readings.reduce(0) { $0 + $1.unaccounted }
        let whole = readings.reduce(rest) { $0 + $1.image + $1.detection + $1.recognition + $1.wait }
        guard whole > 0, rest >= whole / 100 else { return nil }
        return
            "\(name): \((100 * rest / whole).rounded(toDigits: 1)) % of its readings' time is in no stage and was not the "
            + "processors'; it is as long on every device and costs no energy there"
    }
}
