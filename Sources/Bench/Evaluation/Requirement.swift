package import Basics

/// Class of a number's evidence.
package enum EvidenceClass: String, Sendable, Codable {
    /// Taken in this run on this machine.
    case measured
    /// Computed by a model from stated parameters.
    case modelled
    /// Stated by a system about itself.
    case reported
    /// Claimed by its author, or true by construction, and not checked in this run.
    case claimed
}

/// A metric of a measurement against its target: a row of every table of requirements.
package struct Requirement: Sendable, Equatable, Codable {
    package var measurement: String
    package var target: Target
    /// Value in the metric's unit.
    package var value: Figure
    /// Counts and interval of a share.
    package var rate: RateEstimate?
    /// Bounds of a percentile.
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

    /// Distance of the value from its line, above 0 on the good side and below it on the other; nil without a value.
    ///
    /// Of a share, in samples: the fewest that would have to come out differently for the figure to change sides. Of
    /// other figures, in the metric's unit.
    package var margin: Double? {
        guard let value = value.value else { return nil }
        let isMet = target.isMet(by: value)
        guard let rate else {
            let distance = abs(value - target.limit)
            return isMet ? distance : -distance
        }
        // Whole samples, by trying: a share on its limit is not a matter of the last bit.
        func isMetBy(_ successes: Int) -> Bool { target.isMet(by: Double(successes) / Double(rate.trials)) }
        let toBad = target.comparator.isLowerBound == isMet ? -1 : 1
        var changed = rate.successes
        while (0...rate.trials).contains(changed), isMetBy(changed) == isMet { changed += toBad }
        guard (0...rate.trials).contains(changed) else { return nil }
        return Double(isMet ? abs(changed - rate.successes) : -abs(changed - rate.successes))
    }
}
