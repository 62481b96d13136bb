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

extension MeasurementResult {
    /// Returns a metric of all samples, or of a category; nil when there is no value.
    package func value(of metric: Metric, in category: String = "all") -> MetricValue? {
        metric.taking.value?(self, categories.first { $0.category == category })
    }

    /// Returns a metric to be judged, absent with the reason where there is none.
    func found(_ metric: Metric, in category: String?) -> MetricValue {
        let own = categories.first { $0.category == category ?? "all" }
        let what = category.map { " of the category \($0)" } ?? ""
        if !metric.taking.isOfWhole, (own?.samples ?? 0) == 0 { return .withoutSamples("no sample\(what) was read") }
        guard let found = metric.taking.value?(self, own) else {
            return .withoutSamples("the measurement has no \(metric.id)")
        }
        return found.isWithoutSamples ? .withoutSamples("no legible sample\(what) was read") : found
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
                && (target.metric.isOfShelves == isOfShelves || target.metric.meaning.family != .accuracy)
        }
        return own.map { row(for: result, target: $0, rule: rule, host: host, isStopped: isStopped) }
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
                    var row = Requirement(of: result, target: target, rule: .point)
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

    /// The row of one target, whatever the measurement's tier and scenario.
    static func row(
        for result: MeasurementResult,
        target: Target,
        rule: DecisionRule,
        host: HostDescription? = nil,
        isStopped: Bool = false
    ) -> Requirement {
        var row = Requirement(of: result, target: target, rule: rule)
        let origin = result.variant.origin
        let isStated = origin != nil && target.metric.meaning.family != .accuracy
        // A percentile that has too few readings is stated, and not decided.
        let isMissing =
            isStated && row.value.value == nil && (target.metric.meaning.family != .speed || result.isUntimed)
        if isStated, row.evidence == .measured { row.evidence = .reported }
        // What a system says of itself decides as before; what a file says needs the target's leave.
        let isOwnReport = origin == nil && row.evidence == .reported && target.evidence == nil
        if !target.admits(row.evidence) && !isOwnReport || isMissing { row.gates = false }
        if isMissing, result.done > 0 {
            row.evidence = .reported
            let isAboveStart = target.metric.isPeakOfMemory && result.memory.footprint.peakDelta.value != nil
            let note = isAboveStart ? "the file states memory above the start only" : MeasurementResult.notStated
            row.judgement = Judgement(.inconclusive, note: note)
            return row
        }
        if row.evidence != .claimed, result.done == 1, row.value.value != nil {
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

    /// Whether it is missed by a timeout, on any machine.
    var isLateAnywhere: Bool {
        judgement.verdict == .fail && percentile?.point.value == nil && percentile != nil
    }

    private init(of result: MeasurementResult, target: Target, rule: DecisionRule) {
        let found = result.found(target.metric, in: target.category)
        let isOptional = target.category != nil && target.isAsked != true
        self.init(
            measurement: result.id,
            target: target,
            value: found.value,
            rate: found.rate.flatMap { $0.trials > 0 ? $0 : nil },
            percentile: found.percentile,
            judgement: found.judgement(against: target, rule: rule, of: result),
            evidence: found.evidence,
            gates: result.variant.gates && target.gates && !(found.isWithoutSamples && isOptional)
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
