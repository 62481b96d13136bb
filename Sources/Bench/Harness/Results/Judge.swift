import Basics
import Evaluation

/// Judgement of one figure of a measurement against its target, for targets and for assertions of measured figures; the
/// modelled figures of phones have verdicts of their own.
struct Judge {
    let target: Target
    let result: MeasurementResult
    let rule: DecisionRule
    /// Machine that it was read on; nil when it is unknown.
    let host: HostDescription?
    let isStopped: Bool
    let found: MetricValue
    /// What the figure alone comes to.
    let figure: Judgement

    init(
        _ target: Target,
        of result: MeasurementResult,
        rule: DecisionRule = .point,
        host: HostDescription? = nil,
        isStopped: Bool = false
    ) {
        (self.target, self.result, self.rule, self.host, self.isStopped) = (target, result, rule, host, isStopped)
        found = result.found(target.metric, in: target.category)
        figure = Self.figure(found, target, rule, result)
    }

    /// Rules in their order: the first one with an answer decides, and without any the figure.
    private static let rules: [@Sendable (Judge) -> String?] = [
        { $0.isMissing && $0.result.done > 0 ? $0.missing : nil },
        { $0.isNotBegun ? MeasurementResult.notBegun : nil },
        { judge in
            let result = judge.result
            return judge.isStopped && result.isPartial
                ? "stopped after \(result.done) of \(result.planned) readings" : nil
        },
        { $0.isOfAnotherMachine && $0.hasValue ? "a phone's limit\($0.machine)" : nil },
        { judge in
            let isOne = judge.evidence != .claimed && judge.result.done == 1 && judge.hasValue
            return isOne ? "one reading is not enough; use more repetitions" : nil
        },
    ]

    var row: Requirement {
        let reason = Self.rules.lazy.compactMap { $0(self) }.first
        let isOptional = target.category != nil && target.isAsked != true
        var row = Requirement(
            measurement: result.id,
            target: target,
            value: found.value,
            rate: found.rate.flatMap { $0.trials > 0 ? $0 : nil },
            percentile: found.percentile,
            judgement: reason.map { Judgement(.inconclusive, note: $0) } ?? figure,
            evidence: isMissing && result.done > 0 ? .reported : evidence,
            gates: result.variant.gates && target.gates && !(found.isWithoutSamples && isOptional) && isAdmitted
                && !isMissing && !isOfAnotherMachine && !isStopped
        )
        if reason == nil, figure.verdict == .fail, let expected = target.expectedMiss { row.judgement.note = expected }
        if isNotBegun { (row.value, row.rate, row.percentile) = (.absent(MeasurementResult.notBegun), nil, nil) }
        return row
    }

    // MARK: What rules ask

    private var hasValue: Bool { found.value.value != nil }

    private var isNotBegun: Bool { isStopped && !result.hasBegun }

    /// Whether a file of readings made elsewhere states it, if anybody does.
    private var isStated: Bool { result.variant.origin != nil && target.metric.family != .accuracy }

    /// Whether such a file does not state it; a percentile that has too few readings is stated, and not decided.
    private var isMissing: Bool { isStated && !hasValue && (target.metric.family != .speed || result.isUntimed) }

    private var missing: String {
        let isAboveStart = target.metric.isPeakOfMemory && result.memory.footprint.peakDelta.value != nil
        return isAboveStart ? "the file states memory above the start only" : MeasurementResult.notStated
    }

    private var evidence: EvidenceClass { isStated && found.evidence == .measured ? .reported : found.evidence }

    /// What a system says of itself decides as before; what a file says needs the target's leave.
    private var isAdmitted: Bool {
        let isOwnReport = result.variant.origin == nil && evidence == .reported && target.evidence == nil
        return target.admits(evidence) || isOwnReport
    }

    /// Whether it is a phone's limit, and was not read on one; a timeout misses it on any machine.
    private var isOfAnotherMachine: Bool {
        let isOfPhone = result.variant.origin.map { $0.isPhone == true } ?? (host?.isPhone == true)
        let isLate = figure.verdict == .fail && found.percentile != nil && found.percentile?.point.value == nil
        return target.machine == .phone && !isOfPhone && !isLate
    }

    private var machine: String {
        result.variant.origin.map { "; \(evidence.rawValue), on \($0.device ?? "a device that is not stated")" }
            ?? host.map { "; measured on \($0.cpu), \(NumberText.count($0.cores, "core"))" } ?? ""
    }

    // MARK: The figure alone

    private static func figure(
        _ found: MetricValue,
        _ target: Target,
        _ rule: DecisionRule,
        _ result: MeasurementResult
    ) -> Judgement {
        let invalid = result.invalidReason.map { Judgement(.inconclusive, note: "invalid: \($0)") }
        if let fixed = found.judgement { return fixed }
        if found.isTimed, let invalid { return invalid }
        if let rate = found.rate { return .of(rate, against: target, rule: rule) }
        guard let latency = found.latency else {
            let judgement = Judgement.of(found.value, isMet: target.isMet)
            if found.uncounted > 0, judgement.verdict == .pass, !target.comparator.isLowerBound {
                return Judgement(.inconclusive, note: "\(NumberText.count(found.uncounted, "scan")) were not counted")
            }
            return found.isTimed ? unlessBusy(judgement, result) : judgement
        }
        let judgement = latency.judgement(against: target, rule: rule)
        // A latency of an invalid measurement decides nothing, unless it is itself a timeout; and a miss on a busy
        // machine does not either.
        if judgement.verdict == .fail, found.percentile?.point.value == nil { return judgement }
        return invalid ?? unlessBusy(judgement, result)
    }

    private static func unlessBusy(_ judgement: Judgement, _ result: MeasurementResult) -> Judgement {
        guard judgement.verdict == .fail, let rule = result.validity.first(where: { !$0.isMet && !$0.invalidates })
        else { return judgement }
        return Judgement(.inconclusive, note: "missed, but “\(rule.name)” did not hold")
    }
}
