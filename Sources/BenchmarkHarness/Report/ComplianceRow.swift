package import Evaluation

/// One target and how a tier stands to it.
package struct ComplianceRow: Sendable, Equatable, Codable {
    package var tier: String
    package var target: Target
    /// In the metric's unit.
    package var value: Figure
    /// Of a share: its counts.
    package var proportion: Proportion?
    package var judgement: Judgement
    package var evidence: EvidenceClass
    /// Whether the run's verdict rests on it.
    package var gates: Bool

    /// The rows of every target that holds for `result`'s tier.
    static func rows(for result: TierResult, targets: [Target], tierGates: Bool) -> [ComplianceRow] {
        targets.filter { $0.tier == nil || $0.tier == result.tier }
            .map { row(for: result, target: $0, tierGates: tierGates) }
    }

    private static func row(for result: TierResult, target: Target, tierGates: Bool) -> ComplianceRow {
        var row = ComplianceRow(
            tier: result.tier,
            target: target,
            value: .absent("not measured"),
            proportion: nil,
            judgement: Judgement(.inconclusive),
            evidence: .measured,
            gates: tierGates && target.gates
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
