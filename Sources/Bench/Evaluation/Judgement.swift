package import Basics
package import Statistics

package enum Verdict: String, Sendable, Codable {
    case pass
    case fail
    case inconclusive

    /// Returns the verdict of several: one failure fails, and without one, one doubt leaves it open; nil without any.
    package static func overall(_ verdicts: some Sequence<Verdict>) -> Verdict? {
        let all = Set(verdicts)
        if all.isEmpty { return nil }
        return all.contains(.fail) ? .fail : all.contains(.inconclusive) ? .inconclusive : .pass
    }

    /// Mark of a cell in reports.
    package var sign: String {
        switch self {
        case .pass: "✅"
        case .fail: "❌"
        case .inconclusive: "⚠️"
        }
    }
}

extension Verdict? {
    /// Exit status: 0 passed, 1 failed, 3 insufficient data or nothing to judge.
    package var exitCode: Int32 {
        switch self {
        case .pass: 0
        case .fail: 1
        case .inconclusive, nil: 3
        }
    }
}

package struct Judgement: Sendable, Equatable, Codable {
    package var verdict: Verdict
    /// Remark; empty when the figure is self-explanatory.
    package var note: String

    package init(_ verdict: Verdict, note: String = "") { (self.verdict, self.note) = (verdict, note) }

    /// Judges whether a number is on the good side of its target; an absent one is inconclusive for its reason.
    package static func of(_ figure: Figure, isMet: (Double) -> Bool) -> Judgement {
        switch figure {
        case .value(let value): Judgement(isMet(value) ? .pass : .fail)
        case .absent(let reason): Judgement(.inconclusive, note: reason)
        }
    }

    /// Returns a share against a target, by `rule`.
    ///
    /// With so few samples that even a perfect score could not show the target
    /// (``Proportion/minimumTrials(toShow:)``), the interval decides under any rule.
    package static func of(_ rate: RateEstimate, against bound: Bound, rule: DecisionRule) -> Judgement {
        guard let point = rate.rate.value, let interval = rate.interval.value else {
            return Judgement(.inconclusive, note: "no samples")
        }
        let met = bound.isMet(by: point)
        let minimum = bound.minimumTrials
        if bound.isMet(by: interval.lowerBound) == bound.isMet(by: interval.upperBound) {
            return rate.trials == 1
                ? Judgement(.inconclusive, note: "one spine is not enough (needs ≥ \(minimum))")
                : Judgement(met ? .pass : .fail)
        }
        let needed = rate.needed(toDecide: bound.limit)
        if rate.trials < minimum {
            return Judgement(
                .inconclusive,
                note: "n = \(rate.trials) is too small: needs ≥ \(rule == .point ? minimum : max(minimum, needed ?? 0))"
            )
        }
        let toGo =
            needed.map { "needs ≈ \($0) spines, \(max(1, $0 - rate.trials)) more" }
            ?? "cannot be decided by more spines"
        switch rule {
        case .point: return Judgement(met ? .pass : .fail, note: "interval includes the target; \(toGo) to be sure")
        case .interval: return Judgement(.inconclusive, note: "interval includes the target; \(toGo)")
        }
    }
}

/// Limit of a figure on one side.
package struct Bound: Sendable, Equatable {
    /// Relation of a figure to its limit.
    package enum Comparator: String, Sendable, Codable, CaseIterable {
        case below = "<"
        case atMost = "≤"
        case above = ">"
        case atLeast = "≥"
        case equals = "="
        /// At least the lower one of two limits, and at most the other.
        case within

        /// Earlier versions wrote assertions with the keys of suites.
        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            let keys: [String: Self] = [
                "below": .below, "at-most": .atMost, "above": .above, "at-least": .atLeast, "equals": .equals,
            ]
            guard let value = Self(rawValue: text) ?? keys[text] else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "\"\(text)\" is not a comparator"
                )
            }
            self = value
        }

        /// Whether more is better.
        package var isLowerBound: Bool { self == .above || self == .atLeast }

        /// Comparators that all have to be met; the second one of `within` has the upper limit.
        package var sides: [Self] { self == .equals || self == .within ? [.atLeast, .atMost] : [self] }

        package func isMet(by value: Double, limit: Double) -> Bool {
            switch self {
            case .below: value < limit
            case .atMost: value <= limit
            case .above: value > limit
            case .atLeast, .within: value >= limit
            case .equals: value == limit
            }
        }
    }

    package var comparator: Comparator
    package var limit: Double

    package init(_ comparator: Comparator, _ limit: Double) { (self.comparator, self.limit) = (comparator, limit) }

    package func isMet(by value: Double) -> Bool { comparator.isMet(by: value, limit: limit) }

    /// Fewest samples of which a perfect score shows that a share is on the good side: all, or none where little is good;
    /// no number shows that there is none at all.
    package var minimumTrials: Int {
        let share = comparator.isLowerBound ? limit : 1 - limit
        return Proportion.minimumTrials(toShow: share < 1 ? share : 0)
    }
}

/// Rule for whether a figure meets its target.
package enum DecisionRule: String, Sendable, Codable, CaseIterable {
    /// The figure itself; a note reports when its interval leaves the matter open.
    case point
    /// The interval: with the target inside, nothing is decided.
    case interval
}

extension RateEstimate {
    /// Returns the number of samples at which the interval excludes the target, if the rate remains unchanged; nil
    /// when none suffices.
    fileprivate func needed(toDecide target: Double) -> Int? {
        guard let trials = proportion.trialsToDecide(target), let designEffect else { return nil }
        let needed = Double(trials) * designEffect
        return needed < 1e12 ? max(self.trials + 1, Int(needed.rounded(.up))) : nil
    }

    /// Number of these samples that carry as much information as an independent one, 1 or more: the squared ratio of
    /// the interval's width to Wilson's; nil without an interval.
    private var designEffect: Double? {
        guard let width = interval.value, let wilson = proportion.interval else { return nil }
        let effect = (width.upperBound - width.lowerBound) / (wilson.upperBound - wilson.lowerBound)
        return max(1, effect * effect)
    }

    /// The counts that independent samples would have.
    ///
    /// Source: Rao and Scott, "A simple method for the analysis of clustered binary data", Biometrics 48 (1992),
    /// 577–585.
    package var independent: Proportion {
        guard let designEffect else { return proportion }
        let trials = max(1, Int((Double(trials) / designEffect).rounded()))
        return Proportion(
            successes: min(trials, Int((Double(successes) / designEffect).rounded())),
            trials: trials
        )
    }
}

/// Class of a number's evidence.
package enum EvidenceClass: String, Sendable, Codable, CaseIterable {
    /// Taken in this run on this machine.
    case measured
    /// Taken by this project's recorder on a phone, in a recording that is signed with a key of the suite and passes all
    /// checks.
    case measuredOnDevice = "measured on device"
    /// Computed by a model from stated parameters.
    case modelled
    /// Stated by a system about itself, or by a file of readings.
    case reported
    /// Stated by a file that names this project's recorder: nothing shows that it is the recorder's.
    case reportedByRecording = "reported by a recording"
    /// Claimed by its author, or true by construction, and not checked in this run.
    case claimed

    /// Whether a file or a system states it.
    package var isReported: Bool { self == .reported || self == .reportedByRecording }
}
