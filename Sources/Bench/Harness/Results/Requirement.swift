package import Basics
package import Evaluation
import SpineDatasets

/// A metric of a measurement against its target: a row of every table of requirements.
package struct Requirement: Sendable, Equatable, Codable {
    package var measurement: String
    package var target: Target
    package var value: Figure
    package var rate: RateEstimate?
    package var percentile: PercentileEstimate?
    package var judgement: Judgement
    package var evidence: EvidenceClass
    package var gates: Bool
    /// Accepted losses that a miss is within; nil without any.
    package var accepted: [AcceptedLoss]?
    /// Phone that decides it, and the least and the most that its figure may plausibly be; nil for a figure of the
    /// measurement itself.
    package var device: String?
    package var range: ClosedRange<Double>?
    /// True of one that would gate, and that the model of phones leaves open; else nil.
    package var isLeftOpen: Bool?

    /// Verdict at a gate: an accepted miss passes.
    package var verdict: Verdict { accepted == nil ? judgement.verdict : .pass }

    package var metric: Metric { target.metric }

    /// Distance of the value from its line, above 0 on the good side; in the metric's unit, nil without a value.
    ///
    /// Of a share, in samples: the fewest that would have to come out differently for the figure to change sides.
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

extension Requirement {
    /// Returns the rows of every target that holds for `result`: those of its tier, and those of every tier.
    ///
    /// A target is one of reading one spine after the other, or of a camera's frames; memory is judged in both.
    /// Nothing gates of a run that was stopped, nothing of a class of evidence that its target does not admit, and no
    /// limit of a phone on another machine, but for a timeout: that is later than any limit on any machine. Phones
    /// decide it: ``decided(by:of:gating:)``.
    static func rows(
        for result: MeasurementResult,
        targets: [Target],
        rule: DecisionRule,
        host: HostDescription? = nil,
        isStopped: Bool = false
    ) -> [Requirement] {
        let kind = result.scenario.kind
        guard judgedScenarios.contains(kind) else { return [] }
        let isOfShelves = result.variant.subject == .shelves
        let own = targets.filter { target in
            // Figures of single spines do not apply to shelves, and the other way round.
            target.holds(for: result.variant.tier)
                && (target.metric.isPeakOfMemory || target.metric.isOfFrames == (kind == .live))
                && (target.metric.isOfShelves == isOfShelves || target.metric.family != .accuracy)
        }
        return own.map { Judge($0, of: result, rule: rule, host: host, isStopped: isStopped).row }
    }

    /// Returns an open row for each gating target of a suite that holds for a gating variant, and that no measurement
    /// has a row of: its figure is of shelves, say, and the variant reads spines.
    static func open(
        _ targets: [Target],
        among measurements: [MeasurementResult],
        besides rows: [Requirement]
    ) -> [Self] {
        targets.filter { one in one.isAsked == true && one.gates && !rows.contains { $0.target == one } }
            .flatMap { target in
                measurements.filter { $0.variant.gates && target.holds(for: $0.variant.tier) }.map { result in
                    var row = Judge(target, of: result).row
                    let reason =
                        judgedScenarios.contains(result.scenario.kind)
                        ? "the measurement has no \(target.metric.id)"
                        : "targets are not judged in the scenario \(result.scenario.kind.rawValue): use assert"
                    (row.value, row.rate, row.percentile) = (.absent(reason), nil, nil)
                    (row.judgement, row.gates) = (Judgement(.inconclusive, note: reason), true)
                    return row
                }
            }
    }

    private static let judgedScenarios: [Scenario.Kind] = [.single, .soak, .live]

    /// Whether it is missed by a timeout, on any machine.
    var isLateAnywhere: Bool {
        judgement.verdict == .fail && percentile?.point.value == nil && percentile != nil
    }
}
