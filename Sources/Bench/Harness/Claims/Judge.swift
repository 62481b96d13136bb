import Basics
import Evaluation
import SpineDatasets
import Statistics

/// Judge of a run's claims: targets and assertions of measured figures, and claims about phones.
///
/// A limit that is another variant's figure has an interval too; by the rule `interval`, all of it has to agree. A
/// modelled figure has to meet its limit in every draw of the device's figures, the other figure being taken of the same
/// draw.
struct Judge {
    var measurements: [MeasurementResult]
    /// nil when no device was asked for.
    var devices: DeviceAssessment?
    var gating: DeviceSelection.Gating?
    var rule = DecisionRule.point
    /// Machine that was read on; nil when it is unknown.
    var host: HostDescription?
    var isStopped = false

    // MARK: Targets

    /// Returns the rows of every target that holds for a measurement, and an open row for each gating target of a suite
    /// that no measurement has a row of: its figure is of shelves, say, and the variant reads spines.
    func compliance(with targets: [Claim]) -> [Answer] {
        let rows = measurements.flatMap { result in
            targets.filter { $0.isJudged(of: result) }.map { byPhones(answer($0, of: result), result) }
        }
        let open = targets.filter { one in one.isAsked == true && one.gates && !rows.contains { $0.claim == one } }
        return rows
            + open.flatMap { target in
                measurements.filter { $0.variant.gates && target.holds(for: $0.variant.tier) }.map { result in
                    let reason =
                        Claim.judgedScenarios.contains(result.scenario.kind)
                        ? "the measurement has no \(target.metric?.id ?? "figure")"
                        : "targets are not judged in the scenario \(result.scenario.kind.rawValue): use assert"
                    var row = answer(target, of: result).opened(because: reason)
                    row.gates = true
                    return row
                }
            }
    }

    /// Returns the row of a phone's limit as the run's phones decide it; unchanged for another limit, and without a phone
    /// that has the figure.
    ///
    /// It is met when all plausible phones of every kind meet it, and missed when none of some kind does; a recording that
    /// its target admits takes the place of a phone's model. The row has the figure of the phone that decides. What a
    /// model leaves open gates nothing, as no further reading would decide it.
    private func byPhones(_ own: Answer, _ result: MeasurementResult) -> Answer {
        let claim = own.claim
        let isLate = own.judgement.verdict == .fail && own.percentile != nil && own.percentile?.point.value == nil
        guard claim.machine == .phone, claim.metric?.percent != nil, claim.category == nil,
            result.variant.origin == nil, !isLate, !isStopped,
            host?.isPhone != true, let gating
        else { return own }
        let answers = (devices?.rows ?? []).filter { $0.measurement == result.id }.flatMap(\.requirements)
            .filter { $0.claim == claim && (gating != .none || $0.evidence != .modelled) }
        guard var row = answers.max(by: { $0.hardness < $1.hardness }) else { return own }
        row.gates = result.variant.gates && claim.gates && claim.admits(row.evidence, ofPhone: true)
        if row.judgement.verdict == .fail {
            row.judgement.note = claim.expectedMiss ?? ""
        } else if row.judgement.verdict == .inconclusive, row.share != nil {
            (row.isLeftOpen, row.gates) = (row.gates ? true : nil, false)
        }
        return row
    }

    /// Returns the devices with what their models cannot decide left open: latencies of invalid readings here, and misses
    /// of those of a busy machine.
    func settled(_ devices: DeviceAssessment) -> DeviceAssessment {
        var devices = devices
        for place in devices.rows.indices {
            let result = measurements.first { $0.id == devices.rows[place].measurement }
            for (index, row) in devices.rows[place].requirements.enumerated() where row.evidence == .modelled {
                let reason = row.metric?.percent == nil ? nil : result?.invalidReason
                let invalid = reason.map { "the readings here are invalid: \($0)" }
                let settled = invalid.map { Judgement(.inconclusive, note: $0) } ?? result?.unlessBusy(row.judgement)
                guard let settled, settled != row.judgement else { continue }
                devices.rows[place].requirements[index].judgement = settled
                // No share of the phones decides it.
                devices.rows[place].requirements[index].share = nil
            }
        }
        return devices
    }

    // MARK: Assertions

    /// A row for each measurement, and for each device, that an assertion holds for; one row says what is missing when
    /// there is none.
    func answers(to assertions: [Claim]) -> [Answer] {
        assertions.flatMap { claim -> [Answer] in
            var own = measurements.filter { claim.holds(forVariant: $0.variant.name) }
            // A claim of a device about all variants is about those that devices can be modelled for.
            if claim.device != nil, claim.patterns.isEmpty, let rows = devices?.rows {
                own = own.filter { measurement in rows.contains { $0.measurement == measurement.id } }
            }
            let absent = claim.patterns.filter { pattern in
                !own.contains { pattern.match($0.variant.name) != nil }
            }
            let names = claim.patterns.isEmpty && own.isEmpty ? ["all"] : absent.map(\.text)
            return names.map { Answer(open: claim, $0, because: "no measurement of this variant") }
                + own.flatMap { result in
                    claim.device.map { onDevices(claim, $0, result) } ?? [answer(claim, of: result)]
                }
        }
    }

    // MARK: Measured figures

    /// Returns the answer about a measurement.
    ///
    /// Nothing gates of a run that was stopped, nothing of a class of evidence that the claim does not admit, and no
    /// limit of a phone on another machine, but for a timeout: that is later than any limit on any machine.
    func answer(_ claim: Claim, of result: MeasurementResult) -> Answer {
        guard let metric = claim.metric else {
            return Answer(open: claim, result.id, because: "the claim has no metric")
        }
        let (found, limit) = (result.found(metric, in: claim.category), limit(of: claim, metric, result))
        var row = Answer(open: claim, result.id, because: limit.value.reason ?? "")
        (row.value, row.range, row.percentile) = (found.value, found.interval, found.percentile)
        row.rate = found.rate.flatMap { $0.trials > 0 ? $0 : nil }
        (row.limit, row.reference, row.evidence) = (limit.value, limit.name, found.evidence)
        guard limit.value.value != nil else { return row }
        let figure = figure(found, claim.bounds(limit.ends), metric, result)
        let (origin, hasValue) = (result.variant.origin, found.value.value != nil)
        // Whether a file of readings made elsewhere states it, if anybody does, and does not: a percentile that has too few
        // readings is stated, and not decided.
        let isStated = origin != nil && metric.family != .accuracy
        let isMissing = isStated && !hasValue && (metric.family != .speed || result.isUntimed)
        let evidence = isStated && found.evidence == .measured ? .reported : found.evidence
        // Whether it is a phone's limit, and was not read on one; a timeout misses it on any machine.
        let isOfPhone = origin.map { $0.isPhone == true } ?? (host?.isPhone == true)
        let isLate = figure.verdict == .fail && found.percentile.map { $0.point.value == nil } == true
        let isElsewhere = claim.machine == .phone && !isOfPhone && !isLate
        let isNotBegun = isStopped && !result.hasBegun
        // Exceptions in their order: the first one decides, and without any the figure.
        let exceptions = [
            isMissing && result.done > 0 ? result.missing(metric) : nil,
            isNotBegun ? MeasurementResult.notBegun : nil,
            isStopped && result.isPartial ? "stopped after \(result.done) of \(result.planned) readings" : nil,
            isElsewhere && hasValue ? "a phone's limit\(machine(origin, evidence))" : nil,
            evidence != .claimed && result.done == 1 && hasValue
                ? "one reading is not enough; use more repetitions" : nil,
        ]
        let exception = exceptions.lazy.compactMap(\.self).first
        row.judgement = exception.map { Judgement(.inconclusive, note: $0) } ?? figure
        if exception == nil, figure.verdict == .fail, let expected = claim.expectedMiss {
            row.judgement.note = expected
        }
        row.evidence = limit.isModelled ? .modelled : isMissing && result.done > 0 ? .reported : evidence
        if claim.source == nil {
            row.gates = claim.gates && row.evidence != .modelled && !isStopped
        } else {
            // What a system says of itself decides as before; what a file says needs the target's leave.
            let isOwnReport = origin == nil && evidence == .reported && claim.evidence == nil
            let isOptional = found.isWithoutSamples && claim.category != nil && claim.isAsked != true
            row.gates =
                result.variant.gates && claim.gates && !isOptional && (claim.admits(evidence) || isOwnReport)
                && !isMissing && !isElsewhere && !isStopped
        }
        return isNotBegun ? row.opened(because: MeasurementResult.notBegun) : row
    }

    private func machine(_ origin: ReadingOrigin?, _ evidence: EvidenceClass) -> String {
        origin.map { "; \(evidence.rawValue), on \($0.device ?? "a device that is not stated")" }
            ?? host.map { "; measured on \($0.cpu), \(NumberText.count($0.cores, "core"))" } ?? ""
    }

    /// Returns what a figure alone comes to: all ends of a limit have to agree, and all of several limits to be met.
    private func figure(
        _ found: MetricValue,
        _ bounds: [[Bound]],
        _ metric: Metric,
        _ result: MeasurementResult
    ) -> Judgement {
        let sides = bounds.map { ends -> Judgement in
            let judgements = ends.map { result.judgement(of: found, percent: metric.percent, $0, rule) }
            return Set(judgements.map(\.verdict)).count == 1
                ? judgements[0]
                : Judgement(.inconclusive, note: "the intervals of the figure and of its limit overlap")
        }
        let verdict = Verdict.overall(sides.map(\.verdict)) ?? .inconclusive
        return sides.first { $0.verdict == verdict && !$0.note.isEmpty } ?? Judgement(verdict)
    }

    /// Returns the limit of a claim about a measurement, and the ends of its interval.
    private func limit(
        of claim: Claim,
        _ metric: Metric,
        _ result: MeasurementResult
    ) -> (name: String?, value: Figure, ends: [Double], isModelled: Bool) {
        guard let reference = claim.reference, let name = claim.reference(of: result.variant.name) else {
            return (nil, .value(claim.limit), [claim.limit], false)
        }
        func absent(_ reason: String) -> (String?, Figure, [Double], Bool) { (name, .absent(reason), [0], false) }
        guard let other = other(name, than: result) else { return absent("no measurement of \(name)") }
        let found = other.found(metric, in: claim.category)
        guard let value = found.value.value else {
            return absent("\(other.id): \(found.value.reason ?? "no \(metric.id)")")
        }
        if metric.family == .speed, let reason = other.invalidReason {
            return absent("\(other.id) is invalid: \(reason)")
        }
        let ends = rule == .interval ? found.interval.map { [$0.lowerBound, $0.upperBound] } : nil
        func limit(_ value: Double) -> Double { reference.factor * value + claim.limit }
        return (name, .value(limit(value)), (ends ?? [value]).map(limit), found.evidence == .modelled)
    }

    /// Returns the measurement of a variant that differs in nothing else.
    private func other(_ name: String, than own: MeasurementResult) -> MeasurementResult? {
        measurements.first { $0.variant.name == name && ($0.dataset, $0.scenario) == (own.dataset, own.scenario) }
    }

    // MARK: Figures of devices

    private func onDevices(_ claim: Claim, _ metric: DeviceMetric, _ result: MeasurementResult) -> [Answer] {
        guard let devices else { return [Answer(open: claim, result.id, because: "no device was asked for")] }
        let (known, asked) = (devices.coverage.map(\.device), claim.devices ?? [])
        return (asked.isEmpty ? known : asked).map { device in
            func open(_ reason: String) -> Answer { Answer(open: claim, result.id, device: device, because: reason) }
            func row(_ id: String) -> DeviceRow? { devices.rows.first { $0.measurement == id && $0.device == device } }
            func value(_ row: DeviceRow, _ conditions: SessionConditions) -> DeviceMetricValue? {
                row.asked?.first { $0.key == DeviceMetricValue.Key(metric, conditions) }
            }
            guard known.contains(device) else { return open("the device was not asked for") }
            guard let ownRow = row(result.id) else { return open("\(result.id) is not modelled on devices") }
            guard let own = value(ownRow, claim.conditions) else {
                return open("the figure was not modelled in this run")
            }
            var answer = open("")
            var limits = own.figure.draws.map { _ in [claim.limit] }
            if let reference = claim.reference, let name = claim.reference(of: result.variant.name) {
                let session = reference.session?.text ?? ""
                answer.reference = [name, session].filter { !$0.isEmpty }.joined(separator: ", ")
                guard let other = other(name, than: result).flatMap({ row($0.id) }),
                    let limit = value(other, claim.referenceConditions)
                else { return open("no figure of \(name) on this device") }
                if limit.figure.draws.isEmpty { return open("\(name): \(limit.figure.nominal.reason ?? "no figure")") }
                let ends = limit.ends(rule).compactMap(\.self)
                guard ends.count == limit.figure.draws.count else {
                    return open("the limit has no value: \(name) has no answer or no book")
                }
                func scaled(_ value: Double) -> Double { reference.factor * value + claim.limit }
                limits = ends.map { $0.map(scaled) }
                answer.limit = limit.figure.nominal.map(scaled)
            }
            let evidence = metric.latency == nil ? .modelled : ownRow.evidence
            answer.take(own.figure, evidence: evidence, ends: own.ends(rule), limits) {
                devices.mostDeciding($0, of: ownRow)
            }
            answer.judgement = result.unlessBusy(answer.judgement)
            answer.gates = claim.gates && gating == .all && !isStopped
            return answer
        }
    }
}

extension Answer {
    /// Takes a figure of a device, of which each draw is judged by its limits; `deciding` names the figure that decides an
    /// outcome of the draws most.
    mutating func take(
        _ figure: Drawn,
        evidence: EvidenceClass,
        ends: [[Double]?]? = nil,
        _ limits: [[Double]]? = nil,
        deciding: ([Double]) -> String?
    ) {
        (value, range, self.evidence) = (figure.nominal, figure.spread.range, evidence)
        let limits = limits ?? figure.draws.map { _ in [claim.limit] }
        let note = figure.nominal.reason ?? ""
        let verdicts = zip(ends ?? figure.draws.map { $0.map { [$0] } }, limits).map { ends, limits -> Verdict in
            guard let ends else { return claim.comparator.sides.allSatisfy(\.isLowerBound) ? .pass : .fail }
            return Verdict.overall(
                claim.bounds(limits).map { bounds -> Verdict in
                    let met = Set(ends.flatMap { end in bounds.map { $0.isMet(by: end) } })
                    return met.count > 1 ? .inconclusive : met.contains(true) ? .pass : .fail
                }
            ) ?? .inconclusive
        }
        guard let first = verdicts.first else {
            judgement = Judgement(.inconclusive, note: note.isEmpty ? "no figure" : note)
            return
        }
        if verdicts.allSatisfy({ $0 == .inconclusive }) {
            judgement = Judgement(.inconclusive, note: "the interval includes the limit")
            return
        }
        let share = Double(verdicts.count { $0 == .pass }) / Double(verdicts.count)
        self.share = share
        if verdicts.allSatisfy({ $0 == first }) {
            judgement = Judgement(first, note: note)
        } else {
            let most = deciding(zip(figure.draws, limits).map { ($0 ?? .infinity) - $1[0] })
            judgement = Judgement(
                .inconclusive,
                note: "met by \(NumberText.percent(share)) of plausible phones"
                    + (most.map { ", depends most on \($0)" } ?? "")
            )
        }
    }
}

extension DeviceMetricValue {
    /// What has to keep a limit in each draw: the value, or by the rule `interval` both ends of its interval; nil for a
    /// figure beyond any limit.
    fileprivate func ends(_ rule: DecisionRule) -> [[Double]?] {
        figure.draws.enumerated().map { draw, value in
            if rule == .interval, let low = lower?[draw], let high = upper?[draw] { return [low, max(low, high)] }
            return value.map { [$0] }
        }
    }
}

extension Claim {
    fileprivate static let judgedScenarios: [Scenario.Kind] = [.single, .soak, .live]

    /// Whether it is judged of a measurement as a target: one of its tier, of reading one spine after the other or of a
    /// camera's frames; memory is judged in both.
    fileprivate func isJudged(of result: MeasurementResult) -> Bool {
        let kind = result.scenario.kind
        guard let metric, Self.judgedScenarios.contains(kind), holds(for: result.variant.tier) else { return false }
        // Figures of single spines do not apply to shelves, and the other way round.
        return (metric.isPeakOfMemory || metric.isOfFrames == (kind == .live))
            && (metric.isOfShelves == (result.variant.subject == .shelves) || metric.family != .accuracy)
    }
}

extension MeasurementResult {
    /// Returns what a figure alone comes to against a limit.
    fileprivate func judgement(
        of found: MetricValue,
        percent: Int?,
        _ bound: Bound,
        _ rule: DecisionRule
    ) -> Judgement {
        let invalid = invalidReason.map { Judgement(.inconclusive, note: "invalid: \($0)") }
        if let fixed = found.judgement { return fixed }
        if found.isTimed, let invalid { return invalid }
        if let rate = found.rate { return .of(rate, against: bound, rule: rule) }
        guard let latency = found.latency else {
            let judgement = Judgement.of(found.value, isMet: bound.isMet)
            if found.uncounted > 0, judgement.verdict == .pass, !bound.comparator.isLowerBound {
                return Judgement(.inconclusive, note: "\(NumberText.count(found.uncounted, "scan")) were not counted")
            }
            return found.isTimed ? unlessBusy(judgement) : judgement
        }
        let judgement = latency.judgement(of: percent, against: bound, rule: rule)
        // A latency of an invalid measurement decides nothing, unless it is itself a timeout; and a miss on a busy
        // machine does not either.
        if judgement.verdict == .fail, found.percentile?.point.value == nil { return judgement }
        return invalid ?? unlessBusy(judgement)
    }

    /// Reason for a figure that a file of readings does not state.
    fileprivate func missing(_ metric: Metric) -> String {
        metric.isPeakOfMemory && memory.footprint.peakDelta.value != nil
            ? "the file states memory above the start only" : Self.notStated
    }

    /// Returns a judgement, but for a miss on a busy machine.
    fileprivate func unlessBusy(_ judgement: Judgement) -> Judgement {
        guard judgement.verdict == .fail, let rule = validity.first(where: { !$0.isMet && !$0.invalidates })
        else { return judgement }
        return Judgement(.inconclusive, note: "missed, but “\(rule.name)” did not hold")
    }
}
