package import Foundation

/// Calibration of this host: its speed at the kinds of work that readings are made of, by which times are scaled to
/// devices.
package struct HostCalibration: Sendable, Equatable, Codable {
    /// Repeated timings of one piece of work.
    package struct Timing: Sendable, Equatable, Codable {
        /// The median.
        package var milliseconds: Double
        /// The first and the third quartile.
        package var low: Double
        package var high: Double
        package var count: Int

        /// - Parameter milliseconds: at least one, in any order.
        package init(_ milliseconds: [Double]) {
            precondition(!milliseconds.isEmpty, "a timing is of one repetition at least")
            let sorted = milliseconds.sorted()
            func rank(_ share: Double) -> Double { sorted[Int((Double(sorted.count - 1) * share).rounded())] }
            self.milliseconds = rank(0.5)
            low = rank(0.25)
            high = rank(0.75)
            count = sorted.count
        }
    }

    /// The networks of a reader, each run once on an input of ``NetworkWork``'s size, warm.
    package struct Networks: Sendable, Equatable, Codable {
        package var work: NetworkWork
        package var detection: Timing
        package var recognition: Timing

        /// - Parameters:
        ///   - work: which networks, and how much they compute.
        ///   - detection: of the detector alone.
        ///   - recognition: of the recogniser alone.
        package init(work: NetworkWork, detection: Timing, recognition: Timing) {
            self.work = work
            self.detection = detection
            self.recognition = recognition
        }
    }

    /// Fingerprint of a host: processor, cores, memory and system.
    package var fingerprint: String
    package var measuredAt: Date
    /// Engine and version.
    package var engine: String
    /// SHA-256 of the networks' files, by name.
    package var models: [String: String]
    /// Decoding a picture, cutting lines out of it, and reading a network's answer, on one thread.
    package var image: Timing
    /// By how a reader is set up: networks, precision and threads.
    package var networks: [String: Networks]

    /// - Parameters:
    ///   - fingerprint: what the host is known by.
    ///   - measuredAt: when.
    ///   - engine: and its version.
    ///   - models: digests by file name.
    ///   - image: the work on pictures, on one thread.
    ///   - networks: by how a reader is set up.
    package init(
        fingerprint: String,
        measuredAt: Date,
        engine: String,
        models: [String: String],
        image: Timing,
        networks: [String: Networks]
    ) {
        self.fingerprint = fingerprint
        self.measuredAt = measuredAt
        self.engine = engine
        self.models = models
        self.image = image
        self.networks = networks
    }
}

/// When a calibration is to be taken again.
package struct CalibrationRule: Sendable, Equatable {
    /// A quick probe may differ from what was measured by this share.
    package var maximumDrift = 0.1
    /// After so many days it is taken again in any case.
    package var maximumDays = 30.0

    /// A tenth, and thirty days.
    package init() {}

    /// Why a calibration does not hold; nil when it does.
    ///
    /// - Parameters:
    ///   - calibration: from before.
    ///   - fingerprint: of this host.
    ///   - engine: that is used now.
    ///   - models: that are used now, digests by file name.
    ///   - readers: keys of the readers that are needed.
    ///   - now: the time.
    /// - Returns: a reason for people; nil when a probe may decide.
    package func objection(
        to calibration: HostCalibration,
        fingerprint: String,
        engine: String,
        models: [String: String],
        readers: [String],
        at now: Date
    ) -> String? {
        if calibration.fingerprint != fingerprint { return "it is of another host" }
        if calibration.engine != engine { return "it is of \(calibration.engine)" }
        if models.contains(where: { calibration.models[$0.key] != $0.value }) { return "it is of other models" }
        if let reader = readers.sorted().first(where: { calibration.networks[$0] == nil }) {
            return "\(reader) is not in it"
        }
        let days = now.timeIntervalSince(calibration.measuredAt) / 86_400
        // A clock that was set back says nothing about age.
        return days >= 0 && days <= maximumDays ? nil : "it is too old"
    }

    /// Whether a probe is too far from what was measured.
    ///
    /// - Parameters:
    ///   - probe: the same work now, in milliseconds.
    ///   - timing: of the calibration.
    /// - Returns: whether it is further off than is allowed.
    package func hasDrifted(_ probe: Double, from timing: HostCalibration.Timing) -> Bool {
        abs(probe / timing.milliseconds - 1) > maximumDrift
    }
}
