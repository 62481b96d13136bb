/// What a gate makes of a figure.
package enum Verdict: String, Sendable, Codable {
    case pass
    case fail
    /// There is not enough to tell.
    case inconclusive

    /// Of several verdicts: one failure fails, and without one, one doubt leaves it open.
    ///
    /// Nil without any.
    package static func overall(_ verdicts: some Sequence<Verdict>) -> Verdict? {
        let all = Set(verdicts)
        if all.isEmpty { return nil }
        return all.contains(.fail) ? .fail : all.contains(.inconclusive) ? .inconclusive : .pass
    }
}

/// A verdict with what a reader should know about it.
package struct Judgement: Sendable, Equatable, Codable {
    package var verdict: Verdict
    /// A phrase; empty when the figure speaks for itself.
    package var note: String

    package init(_ verdict: Verdict, note: String = "") {
        self.verdict = verdict
        self.note = note
    }

    /// A number is on the good side of its target or not; an absent one is inconclusive for its reason.
    package static func of(_ figure: Figure, against target: Target) -> Judgement {
        switch figure {
        case .value(let value): Judgement(target.isMet(by: value) ? .pass : .fail)
        case .absent(let reason): Judgement(.inconclusive, note: reason)
        }
    }

    /// The point estimate decides, exactly at the target being met, and the note says when the 95 % interval leaves it
    /// open.
    ///
    /// With so few trials that even a perfect score could not show the target
    /// (``Proportion/minimumTrials(toShow:)``), the interval decides instead: without the target in it, pass or fail;
    /// with it, inconclusive.
    package static func of(_ proportion: Proportion, against target: Target) -> Judgement {
        guard let point = proportion.rate.value, let interval = proportion.interval else {
            return Judgement(.inconclusive, note: "no samples")
        }
        let met = target.isMet(by: point)
        let isClear = target.isMet(by: interval.lowerBound) == target.isMet(by: interval.upperBound)
        if isClear { return Judgement(met ? .pass : .fail) }
        let minimum = Proportion.minimumTrials(toShow: target.limit)
        if proportion.trials < minimum { return Judgement(.inconclusive, note: "n too small (needs ≥ \(minimum))") }
        return Judgement(met ? .pass : .fail, note: "interval includes the target")
    }
}
