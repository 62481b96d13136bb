package import Basics
package import Statistics

/// What a number rests on.
package enum EvidenceClass: String, Sendable, Codable {
    /// Taken in this run on this machine.
    case measured
    /// Computed by a model from stated parameters.
    case modelled
    /// Stated by a system about itself.
    case reported
    /// Stated by someone, or true by construction, and not checked in this run.
    case claimed
}

/// A metric of a measurement against its target: a row of every table of requirements.
package struct Requirement: Sendable, Equatable, Codable {
    package var measurement: String
    package var target: Target
    /// In the metric's unit.
    package var value: Figure
    /// Of a share: its counts and interval.
    package var rate: RateEstimate?
    /// Of a percentile: its bounds.
    package var percentile: PercentileEstimate?
    package var judgement: Judgement
    package var evidence: EvidenceClass
    package var gates: Bool

    package init(
        measurement: String,
        target: Target,
        value: Figure,
        rate: RateEstimate? = nil,
        percentile: PercentileEstimate? = nil,
        judgement: Judgement,
        evidence: EvidenceClass,
        gates: Bool
    ) {
        self.measurement = measurement
        self.target = target
        self.value = value
        self.rate = rate
        self.percentile = percentile
        self.judgement = judgement
        self.evidence = evidence
        self.gates = gates
    }

    package var metric: Metric { target.metric }
}
