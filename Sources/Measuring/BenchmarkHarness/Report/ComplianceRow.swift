package import Basics
package import Evaluation
package import Statistics

/// One target and how a measurement stands to it.
package struct ComplianceRow: Sendable, Equatable, Codable {
    /// The measurement's id.
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
    /// Whether the run's verdict rests on it.
    package var gates: Bool

    /// The rows of every target that holds for `result`: those of its tier, and those of every tier.
    ///
    /// A target that names no scenario is one of reading one spine after the other. Nothing gates of a run that was stopped,
    /// and nothing that is modelled.
    static func rows(
        for result: MeasurementResult,
        targets: [Target],
        rule: DecisionRule,
        isStopped: Bool = false
    ) -> [ComplianceRow] {
        let kind = result.scenario.kind
        guard kind == .single || kind == .soak else { return [] }
        return targets.filter { $0.holds(for: result.variant.tier) }.map { target in
            var row = row(for: result, target: target, rule: rule)
            if row.evidence == .modelled { row.gates = false }
            if row.evidence != .claimed, result.done == 1 {
                row.judgement = Judgement(.inconclusive, note: "one reading decides nothing; more repetitions would")
            }
            guard isStopped else { return row }
            row.gates = false
            if !result.hasBegun {
                (row.value, row.rate, row.percentile) = (.absent(MeasurementResult.notBegun), nil, nil)
                row.judgement = Judgement(.inconclusive, note: MeasurementResult.notBegun)
            } else if result.isPartial {
                row.judgement = Judgement(
                    .inconclusive,
                    note: "stopped after \(result.done) of \(result.planned) readings"
                )
            }
            return row
        }
    }

    private static func row(for result: MeasurementResult, target: Target, rule: DecisionRule) -> ComplianceRow {
        var row = ComplianceRow(
            measurement: result.id,
            target: target,
            value: .absent("not measured"),
            rate: nil,
            percentile: nil,
            judgement: Judgement(.inconclusive),
            evidence: .measured,
            gates: result.variant.gates && target.gates
        )
        let category = target.category ?? "all"
        let found = result.categories.first { $0.category == category }
        switch target.metric {
        case .latencyP50, .latencyP90, .latencyP95, .latencyP99, .timeToDraftP95, .timeToPreparedP95, .timeToTextP95,
            .timeToEnrichedP95, .enrichmentP95:
            guard let found, let percent = target.metric.percent else { return withoutSamples(row) }
            // What comes before anything is sent does not wait for the network.
            let isBefore = target.metric == .timeToDraftP95 || target.metric == .timeToPreparedP95
            row.evidence = isBefore ? .measured : result.evidence
            guard
                let latency = target.metric.isOfMilestone
                    ? found.milestones?.latency(of: target.metric) : found.latency
            else {
                row.value = .absent("never reached")
                row.judgement = Judgement(.inconclusive, note: "no scan came so far")
                return row
            }
            row.percentile = latency.percentile(percent)
            row.value = row.percentile?.value ?? row.value
            row.judgement = judgement(latency.judgement(against: target, rule: rule), in: row, of: result)
            if row.judgement.verdict == .fail, let reason = target.expectedMiss { row.judgement.note = reason }
        case .titleRead, .readInTime:
            let accuracy = found?.accuracy
            guard let rate = target.metric == .titleRead ? accuracy?.titleRead : accuracy?.readInTime, rate.trials > 0
            else {
                guard let reasons = accuracy?.notScored?.keys.sorted() else { return withoutSamples(row) }
                row.value = .absent(reasons.joined(separator: ", "))
                row.judgement = Judgement(.inconclusive, note: "not scored: \(reasons.joined(separator: ", "))")
                return row
            }
            row.rate = rate
            row.value = rate.rate
            row.judgement = Judgement.of(rate, against: target, rule: rule)
            guard target.metric == .readInTime else { break }
            // It rests on latencies as much as a percentile does.
            row.evidence = result.evidence
            if let reason = result.invalidReason {
                row.judgement = Judgement(.inconclusive, note: "invalid: \(reason)")
            }
        case .peakMemory:
            row.value = result.memory.peak
            row.judgement = Judgement.of(result.memory.peak, against: target)
        case .identified, .falseMatch:
            guard let rate = target.metric == .identified ? found?.books?.identified : found?.books?.falseMatch,
                rate.trials > 0
            else {
                row.value = .absent("no such books")
                let which = target.metric == .identified ? "in" : "outside"
                row.judgement = Judgement(.inconclusive, note: "no spine of a book \(which) the catalogue was judged")
                return row
            }
            row.evidence = result.evidence
            row.rate = rate
            row.value = rate.rate
            row.judgement = Judgement.of(rate, against: target, rule: rule)
        case .bytesSent:
            guard let traffic = result.traffic else {
                row.value = .absent("nobody counted what was sent")
                row.evidence = .claimed
                row.judgement = Judgement(
                    .inconclusive,
                    note: "sends nothing by construction, which was not checked here"
                )
                return row
            }
            if let refused = traffic.refusedSockets, refused > 0 {
                row.value = .absent("kept from the network")
                let sockets = NumberText.count(refused, "network socket")
                row.judgement = Judgement(.fail, note: "asked for \(sockets), which the harness had the system refuse")
                return row
            }
            row.value = .value(traffic.sentPerScan)
            row.judgement = Judgement.of(row.value, against: target)
        }
        return row
    }

    /// A latency of an invalid measurement decides nothing, unless it is itself a timeout; and a miss on a busy machine does
    /// not either.
    private static func judgement(
        _ judgement: Judgement,
        in row: ComplianceRow,
        of result: MeasurementResult
    ) -> Judgement {
        if judgement.verdict == .fail, row.percentile?.point.value == nil { return judgement }
        if let reason = result.invalidReason { return Judgement(.inconclusive, note: "invalid: \(reason)") }
        guard judgement.verdict == .fail, let rule = result.validity.first(where: { !$0.isMet && !$0.invalidates })
        else {
            return judgement
        }
        return Judgement(.inconclusive, note: "missed, but “\(rule.name)” did not hold")
    }

    /// A dataset without a category can neither meet nor miss that category's target.
    private static func withoutSamples(_ row: ComplianceRow) -> ComplianceRow {
        var row = row
        row.gates = row.gates && row.target.category == nil
        row.value = .absent("no legible samples")
        row.judgement = Judgement(.inconclusive, note: "the dataset has none")
        return row
    }
}
