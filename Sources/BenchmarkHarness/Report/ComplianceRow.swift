package import Evaluation

/// One target and how a measurement stands to it.
package struct ComplianceRow: Sendable, Equatable, Codable {
    /// The measurement's id.
    package var measurement: String
    package var target: Target
    /// In the metric's unit.
    package var value: Figure
    /// Of a share: its counts.
    package var proportion: Proportion?
    package var judgement: Judgement
    package var evidence: EvidenceClass
    /// Whether the run's verdict rests on it.
    package var gates: Bool

    /// The rows of every target that holds for `result`: those of its tier, and those of every tier.
    ///
    /// A target that names no scenario is one of reading one spine after the other.
    static func rows(for result: MeasurementResult, targets: [Target]) -> [ComplianceRow] {
        let kind = result.scenario.kind
        guard kind == .single || kind == .soak else { return [] }
        return targets.filter { $0.tier == nil || $0.tier == result.variant.tier }
            .map { row(for: result, target: $0) }
    }

    private static func row(for result: MeasurementResult, target: Target) -> ComplianceRow {
        var row = ComplianceRow(
            measurement: result.id,
            target: target,
            value: .absent("not measured"),
            proportion: nil,
            judgement: Judgement(.inconclusive),
            evidence: .measured,
            gates: result.variant.gates && target.gates
        )
        let category = target.category ?? "all"
        let found = result.categories.first { $0.category == category }
        switch target.metric {
        case .latencyP95:
            let latency = (found ?? result.all).latency
            row.value = latency.p95ToJudge
            row.judgement = latency.judgement(against: target)
        case .titleRead:
            guard let found, found.accuracy.titleRead.trials > 0 else {
                // A dataset without a category can neither meet nor miss that category's target.
                row.gates = row.gates && target.category == nil
                row.value = .absent("no legible samples")
                row.judgement = Judgement(.inconclusive, note: "the dataset has none")
                return row
            }
            row.proportion = found.accuracy.titleRead
            row.value = found.accuracy.titleRead.rate
            row.judgement = Judgement.of(found.accuracy.titleRead, against: target)
        case .peakMemory:
            row.value = result.memory.peak
            row.judgement = Judgement.of(result.memory.peak, against: target)
        case .bytesSent:
            row.value = .value(0)
            row.evidence = .claimed
            row.judgement = Judgement(.pass, note: "by construction, not checked here")
        }
        return row
    }
}
