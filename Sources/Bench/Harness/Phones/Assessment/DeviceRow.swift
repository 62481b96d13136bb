import Basics
package import Evaluation
package import ScanningPolicies

/// Results of one measurement on one device, modelled except the memory, which was measured on the host, and latencies
/// that were recorded on the device.
package struct DeviceRow: Sendable, Equatable, Codable {
    /// Percentiles of whole readings on the device, warm and cool.
    package struct Latency: Sendable, Equatable, Codable {
        package var p50, p95, p99: Spread
    }

    package struct Session: Sendable, Equatable, Codable {
        package var nominal: SessionResult
        /// Percent of the battery that the whole phone takes in a minute, by both models.
        package var energy, seed: Spread
        /// Skin temperature at the end, in °C.
        package var skin: Spread
        /// The 5th and the 95th percentile of the worst states of the draws.
        package var mildest, worst: ThermalState
    }

    /// Rank correlation of a figure with outcomes in the draws; nil for an outcome that does not vary.
    package struct Sensitivity: Sendable, Equatable, Codable {
        package var key, name, unit: String
        package var kind: Estimate.Kind
        package var low, high: Double
        /// With the P95 of a whole reading, with the battery and with the skin's temperature after ten minutes.
        package var p95, battery, skin: Double?

        package var most: Double { [p95, battery, skin].compactMap { $0.map(abs) }.max() ?? 0 }
    }

    package var measurement: String
    package var tier: String
    package var device: String
    package var chip: String
    /// Unit that its networks run on.
    package var unit: ComputeUnit
    package var link: SessionPlan.Link
    /// Class of the latencies, modelled or of a recording; all else is modelled.
    package var evidence: EvidenceClass
    package var latency: Latency
    /// Recording that took the place of the model, and the model's latencies; nil where they are in ``latency``.
    package var recording: DeviceRecording?
    package var modelled: Latency?
    /// The most that its process held on the host, in MB; nil when that is not known.
    package var memory: Double?
    package var tenMinutes: Session
    /// Its nominal session has a timeline and minutes.
    package var halfHour: Session
    /// Answers to the targets that phones can meet, and to what else each phone is asked.
    package var requirements: [Answer]
    /// The figures that matter most first.
    package var sensitivity: [Sensitivity]
    package var asked: [DeviceMetricValue]?

    /// Verdict of the requirements that gate; nil when none does.
    package var verdict: Verdict? { Verdict.overall(requirements.filter(\.gates).map(\.verdict)) }
}

extension DeviceRow.Session {
    /// `sessions`: The nominal one first; `detail`: the same with its timeline.
    init(_ sessions: [SessionResult], detail: SessionResult? = nil) {
        func spread(_ value: (SessionResult) -> Double) -> Spread { Drawn(sessions) { value($0) }.spread }
        let states = sessions.dropFirst().map { Double(ThermalStates.rising.firstIndex(of: $0.worstState) ?? 0) }
            .sorted()
        nominal = detail ?? sessions[0]
        (energy, seed) = (spread(\.percentPerMinute), spread(\.seedPercentPerMinute))
        skin = spread(\.skin)
        mildest = ThermalStates.rising[Int(Percentile.nearestRank(5, of: states))]
        worst = ThermalStates.rising[Int(Percentile.nearestRank(95, of: states))]
    }
}

extension Drawn {
    /// Creates a figure of sessions, of the nominal one first; nil is beyond any limit.
    init(_ sessions: [SessionResult], _ value: (SessionResult) -> Double?) {
        self.init(
            nominal: value(sessions[0]).map { .value($0) } ?? .absent("no book was identified"),
            draws: sessions.dropFirst().map(value)
        )
    }
}
