package import Basics
package import Evaluation
package import Statistics

/// Answer to a claim, about one measurement, or about one measurement on one device: a row of every table of
/// requirements.
package struct Answer: Sendable, Equatable, Codable {
    package var claim: Claim
    /// Id of the measurement; where none was run, the claim's variant.
    package var measurement: String
    /// Phone that the figure is of; nil for a figure of the measurement itself.
    package var device: String?
    /// In the figure's unit.
    package var value: Figure
    package var rate: RateEstimate?
    package var percentile: PercentileEstimate?
    /// Interval at 95 % of a measured figure, or the 5th to 95th percentile of a modelled figure's draws; nil without one.
    package var range: ClosedRange<Double>?
    /// Limit, or the lower one of two.
    package var limit: Figure
    /// Measurement and session that the limit is taken of; nil for a limit that is a number.
    package var reference: String?
    package var judgement: Judgement
    /// Share of the plausible phones that meet it; nil where none is asked.
    package var share: Double?
    package var evidence: EvidenceClass
    package var gates: Bool
    /// Accepted losses that a miss is within; nil without any.
    package var accepted: [AcceptedLoss]?
    /// True of one that would gate, and that the model of phones leaves open; else nil.
    package var isLeftOpen: Bool?

    /// Creates an answer that is open for a reason.
    init(open claim: Claim, _ measurement: String, device: String? = nil, because reason: String) {
        (self.claim, self.measurement, self.device) = (claim, measurement, device)
        (value, judgement) = (.absent(reason), Judgement(.inconclusive, note: reason))
        limit = claim.reference == nil ? .value(claim.limit) : .absent(reason)
        (evidence, gates) = (claim.device == nil ? .measured : .modelled, claim.gates)
    }

    /// Verdict at a gate: an accepted miss passes.
    package var verdict: Verdict { accepted == nil ? judgement.verdict : .pass }

    package var metric: Metric? { claim.metric }

    /// Distance of the value from its line, above 0 on the good side; in the metric's unit, nil without a value.
    ///
    /// Of a share, in samples: the fewest that would have to come out differently for the figure to change sides.
    package var margin: Double? {
        guard let value = value.value else { return nil }
        let isMet = claim.isMet(by: value)
        guard let rate else {
            let distance = abs(value - claim.limit)
            return isMet ? distance : -distance
        }
        // Whole samples, by trying: a share on its limit is not a matter of the last bit.
        func isMetBy(_ successes: Int) -> Bool { claim.isMet(by: Double(successes) / Double(rate.trials)) }
        let toBad = claim.comparator.isLowerBound == isMet ? -1 : 1
        var changed = rate.successes
        while (0...rate.trials).contains(changed), isMetBy(changed) == isMet { changed += toBad }
        guard (0...rate.trials).contains(changed) else { return nil }
        return Double(isMet ? abs(changed - rate.successes) : -abs(changed - rate.successes))
    }

    /// Order of several limits of a phone, the hardest last: a missed one after an open one, and then the one whose limit
    /// is nearest or farthest exceeded, or without a figure the lowest.
    package var hardness: (Int, Double, Double) {
        let verdict = [Verdict.pass, .inconclusive, .fail].firstIndex(of: judgement.verdict) ?? 0
        return (verdict, (value.value ?? 0) / max(claim.limit, .leastNonzeroMagnitude), -claim.limit)
    }

    /// Returns the answer as one that is open for a reason, without a figure.
    func opened(because reason: String) -> Answer {
        var row = self
        (row.value, row.rate, row.percentile, row.range) = (.absent(reason), nil, nil, nil)
        row.judgement = Judgement(.inconclusive, note: reason)
        return row
    }
}
