import Basics
import Evaluation

extension Requirement {
    /// Returns the row of a phone's limit as the run's phones decide it; unchanged for another limit, and without a phone
    /// that has the figure.
    ///
    /// It is met when all plausible phones of every kind meet it, and missed when none of some kind does; a recording that
    /// its target admits takes the place of a phone's model. The row has the figure of the phone that decides. What a
    /// model leaves open gates nothing, as no further reading would decide it.
    func decided(
        by phones: [DeviceRow],
        of result: MeasurementResult,
        gating: DeviceSelection.Gating
    ) -> Requirement {
        guard target.machine == .phone, target.category == nil, result.variant.origin == nil, !isLateAnywhere else {
            return self
        }
        let answers = phones.compactMap { phone -> (phone: DeviceRow, answer: DeviceRequirement)? in
            guard phone.measurement == measurement, let answer = phone.requirements.first(where: { $0.isOf(target) })
            else { return nil }
            return gating != .none || phone.evidence(of: answer) != .modelled ? (phone, answer) : nil
        }
        guard let (phone, answer) = answers.max(by: { $0.answer.hardness < $1.answer.hardness }) else { return self }
        var row = self
        (row.value, row.rate, row.percentile) = (answer.figure.nominal, nil, nil)
        row.range = answer.figure.range
        (row.device, row.evidence) = (phone.device, phone.evidence(of: answer))
        row.judgement = row.judgement(answer, of: result)
        var isLeftOpen = false
        if case .depends = answer.outcome { isLeftOpen = !row.isInvalid(result) }
        let gates = result.variant.gates && target.gates && target.admits(row.evidence, ofPhone: true)
        row.gates = gates && !isLeftOpen
        row.isLeftOpen = gates && isLeftOpen ? true : nil
        return row
    }

    private func isInvalid(_ result: MeasurementResult) -> Bool {
        evidence == .modelled && result.invalidReason != nil
    }

    private func judgement(_ answer: DeviceRequirement, of result: MeasurementResult) -> Judgement {
        if isInvalid(result), let reason = result.invalidReason {
            return Judgement(.inconclusive, note: "the readings here are invalid: \(reason)")
        }
        let isDoubtful = result.validity.first { !$0.isMet && !$0.invalidates }
        switch answer.outcome {
        case .passesAlways, .cannotBeMissed: return Judgement(.pass)
        case .failsAlways:
            if evidence == .modelled, let rule = isDoubtful {
                return Judgement(.inconclusive, note: "missed, but “\(rule.name)” did not hold")
            }
            return Judgement(.fail, note: target.expectedMiss ?? "")
        case .depends: return Judgement(.inconclusive, note: answer.outcome.text)
        case .undecided(let reason): return Judgement(.inconclusive, note: reason)
        }
    }
}

extension DeviceRequirement {
    /// Whether it is a target's, on one device.
    fileprivate func isOf(_ target: Target) -> Bool {
        subject == .latency(target.metric) && (machine, source) == (target.machine, target.source)
            && (comparator, limit) == (target.comparator, target.limit)
    }
}
