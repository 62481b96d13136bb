package import Basics
package import Evaluation
package import Harness
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

extension MeasurementResult {
    /// Returns a metric of all samples, or of a category; nil when there is no value.
    package func value(of metric: Metric, in category: String = "all") -> MetricValue? {
        metric.taking.value?(self, categories.first { $0.category == category })
    }
}

extension Requirement {
    /// Returns the rows of every target that holds for `result`: those of its tier, and those of every tier.
    ///
    /// A target is one of reading one spine after the other, or of a camera's frames; memory is judged in both.
    /// Nothing gates of a run that was stopped, nothing that is modelled, and no limit of a phone on another machine,
    /// but for a timeout: that is later than any limit on any machine.
    static func rows(
        for result: MeasurementResult,
        targets: [Target],
        rule: DecisionRule,
        host: HostDescription? = nil,
        isStopped: Bool = false
    ) -> [Requirement] {
        let kind = result.scenario.kind
        guard [.single, .soak, .live].contains(kind) else { return [] }
        let isOfShelves = result.variant.subject == .shelves
        let own = targets.filter { target in
            // Figures of single spines do not apply to shelves, and the other way round.
            target.holds(for: result.variant.tier)
                && (target.metric == .peakMemory || target.metric.isOfFrames == (kind == .live))
                && (target.metric.isOfShelves == isOfShelves || target.metric.meaning.family != .accuracy)
        }
        return own.map { row(for: result, target: $0, rule: rule, host: host, isStopped: isStopped) }
    }

    /// The row of one target, whatever the measurement's tier and scenario.
    static func row(
        for result: MeasurementResult,
        target: Target,
        rule: DecisionRule,
        host: HostDescription? = nil,
        isStopped: Bool = false
    ) -> Requirement {
        var row = Requirement(of: result, target: target, rule: rule)
        if row.evidence == .modelled || row.evidence == .claimed && target.gatesIfMeasured == true { row.gates = false }
        let origin = result.variant.origin
        let isStated = origin != nil && target.metric.meaning.family != .accuracy
        // A percentile that has too few readings is stated, and not decided.
        let isMissing =
            isStated && row.value.value == nil && (target.metric.meaning.family != .speed || result.isUntimed)
        if isStated, row.evidence == .measured { row.evidence = .reported }
        if isStated, row.evidence == .reported || isMissing { row.gates = false }
        if isMissing, result.done > 0 {
            row.evidence = .reported
            let isAboveStart = target.metric == .peakMemory && result.memory.peakDelta.value != nil
            let note = isAboveStart ? "the file states memory above the start only" : MeasurementResult.notStated
            row.judgement = Judgement(.inconclusive, note: note)
            return row
        }
        if row.evidence != .claimed, result.done == 1 {
            row.judgement = Judgement(.inconclusive, note: "one reading is not enough; use more repetitions")
        }
        let isOfPhone = origin.map { $0.isPhone == true } ?? (host?.isPhone == true)
        if target.machine == .phone, !isOfPhone, row.isLateAnywhere == false {
            row.gates = false
            if row.value.value != nil {
                let machine =
                    origin.map { "; \(row.evidence.rawValue), on \($0.device ?? "a device that is not stated")" }
                    ?? host.map { "; measured on \($0.cpu), \(NumberText.count($0.cores, "core"))" } ?? ""
                row.judgement = Judgement(.inconclusive, note: "a phone's limit\(machine)")
            }
        }
        guard isStopped else { return row }
        row.gates = false
        if !result.hasBegun {
            (row.value, row.rate, row.percentile) = (.absent(MeasurementResult.notBegun), nil, nil)
            row.judgement = Judgement(.inconclusive, note: MeasurementResult.notBegun)
        } else if result.isPartial {
            let note = "stopped after \(result.done) of \(result.planned) readings"
            row.judgement = Judgement(.inconclusive, note: note)
        }
        return row
    }

    private var isLateAnywhere: Bool {
        judgement.verdict == .fail && percentile?.point.value == nil && percentile != nil
    }

    private init(of result: MeasurementResult, target: Target, rule: DecisionRule) {
        let found = result.value(of: target.metric, in: target.category ?? "all") ?? .withoutSamples
        self.init(
            measurement: result.id,
            target: target,
            value: found.value,
            rate: found.rate.flatMap { $0.trials > 0 ? $0 : nil },
            percentile: found.percentile,
            judgement: found.judgement(against: target, rule: rule, of: result),
            evidence: found.evidence,
            gates: result.variant.gates && target.gates && !(found.isWithoutSamples && target.category != nil)
        )
        if judgement.verdict == .fail, let reason = target.expectedMiss { judgement.note = reason }
    }
}

extension MetricValue {
    fileprivate func judgement(against target: Target, rule: DecisionRule, of result: MeasurementResult) -> Judgement {
        if let judgement { return judgement }
        if isTimed, let reason = result.invalidReason { return Judgement(.inconclusive, note: "invalid: \(reason)") }
        if let rate { return Judgement.of(rate, against: target, rule: rule) }
        guard let latency else {
            let judgement = Judgement.of(value, isMet: target.isMet)
            if uncounted > 0, judgement.verdict == .pass, !target.comparator.isLowerBound {
                return Judgement(.inconclusive, note: "\(NumberText.count(uncounted, "scan")) were not counted")
            }
            return isTimed ? unlessBusy(judgement, result) : judgement
        }
        let judgement = latency.judgement(against: target, rule: rule)
        // A latency of an invalid measurement decides nothing, unless it is itself a timeout; and a miss on a busy
        // machine does not either.
        if judgement.verdict == .fail, percentile?.point.value == nil { return judgement }
        if let reason = result.invalidReason { return Judgement(.inconclusive, note: "invalid: \(reason)") }
        return unlessBusy(judgement, result)
    }

    private func unlessBusy(_ judgement: Judgement, _ result: MeasurementResult) -> Judgement {
        guard judgement.verdict == .fail, let rule = result.validity.first(where: { !$0.isMet && !$0.invalidates })
        else { return judgement }
        return Judgement(.inconclusive, note: "missed, but “\(rule.name)” did not hold")
    }
}
