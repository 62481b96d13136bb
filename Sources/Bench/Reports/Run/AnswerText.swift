import Basics
import Evaluation
import Harness
import Statistics

extension Claim {
    /// "latency P95, stylized < 50 ms", "books identified in the session (30 min) ≥ 0.9 × that without gate".
    var text: String {
        let name = metric?.name ?? device?.meaning.name ?? ""
        let session = conditions.text.isEmpty ? "" : " (\(conditions.text))"
        let devices = devices ?? []
        let place = devices.isEmpty ? "" : " on \(devices.joined(separator: ", "))"
        return "\(name)\(ofCategory)\(session)\(place) \(comparator.rawValue) \(limitText)"
    }

    fileprivate var ofCategory: String { category.map { ", \($0)" } ?? "" }

    private var limitText: String {
        guard let reference else { return exact(limit) + upperText }
        let factor = reference.factor == 1 ? "" : "\(NumberText.short(reference.factor)) × "
        let other = [reference.variant.map { "of \($0.text)" }, reference.session.map(\.text)].compactMap(\.self)
        let offset = limit == 0 ? "" : " \(limit < 0 ? "−" : "+") \(exact(abs(limit)))"
        return "\(factor)that \(other.joined(separator: ", "))\(offset)"
    }

    fileprivate var upperText: String { upperLimit.map { " to \(exact($0))" } ?? "" }

    /// Returns a value of the figure, with its unit.
    func text(_ value: Double) -> String { metric?.unit.text(value) ?? device?.text(value) ?? "" }

    /// Returns a limit of the figure, without superfluous digits.
    func exact(_ value: Double) -> String { metric?.unit.limit(value) ?? device?.limit(value) ?? "" }
}

/// Texts of an answer, for every table and export.
struct AnswerText {
    let answer: Answer
    private let claim: Claim
    /// Whether it is what a phone is asked, and not what a run is.
    private let isOfPhone: Bool

    init(_ answer: Answer, isOfPhone: Bool = false) {
        (self.answer, claim, self.isOfPhone) = (answer, answer.claim, isOfPhone)
    }

    /// "title read, stylized"; of a phone "whole reading P95", "energy of reading, a book".
    var name: String {
        guard let metric = claim.metric else { return claim.device?.meaning.short ?? "" }
        if isOfPhone, metric.isPeakOfMemory { return Metric.peakFootprint.name + ", as measured on the host" }
        // The latency of tiers that only read, with such targets, is the time to text.
        let latency = isOfPhone ? "whole reading P" : "time to text P"
        return metric.name.replacing(/^latency P/, with: latency) + claim.ofCategory
    }

    /// The value with its unit, and its counts and interval when it is a share; of a phone, its 5th to 95th percentile.
    ///
    /// "12.3 ms [8.1 ms – 40.2 ms]"; why a run's is absent is in the status.
    var value: String {
        if let rate = answer.rate { return "\(NumberText.proportion(rate.proportion)) \(NumberText.interval(rate))" }
        if let percentile = answer.percentile { return NumberText.bounded(percentile) }
        guard let device = answer.device else { return shortValue }
        let range = answer.range?.text(beside: answer.value.value, claim.text) ?? ""
        return isOfPhone ? (answer.value.reason ?? shortValue) + range : "\(shortValue)\(range) on \(device)"
    }

    /// The value with its unit, and its evidence where that is neither measured here nor claimed: "9.3 ms modelled".
    var labelledValue: String {
        let isPlain = [.measured, .claimed].contains(answer.evidence) || answer.value.value == nil
        return shortValue + (isPlain ? "" : " \(answer.evidence.rawValue)")
    }

    /// The value with its unit alone; a dash when it is absent.
    var shortValue: String { answer.value.value.map(claim.text) ?? "–" }

    /// Limit and the requirement from which it derives: "≥ 85 % (S0-A02)".
    var target: String { "\(limit) (\(claim.source ?? ""))" }

    /// The limit alone: "≥ 85 %", "< 50 ms on a phone", and of a limit that is another figure "≤ 0.41 J (talaria-only)"; a
    /// dash where that has no value.
    var limit: String {
        guard let limit = answer.limit.value else { return "–" }
        let other = answer.reference.map { " (\($0))" }
        return "\(claim.comparator.rawValue) \(other == nil ? claim.exact(limit) : claim.text(limit))"
            + claim.upperText + (other ?? "") + (claim.machine == .phone && !isOfPhone ? " on a phone" : "")
    }

    /// Distance of the figure from the limit, "+1" of a share, in samples, "−3.2 MB" of others; nil where it is not judged
    /// by its distance, or the limit is 0.
    var margin: String? {
        guard let margin = answer.margin, margin != 0, claim.limit != 0 else { return nil }
        let size = answer.rate == nil ? claim.text(abs(margin)) : "\(Int(abs(margin)))"
        return (claim.comparator.isLowerBound == (margin > 0) ? "+" : "−") + size
    }

    /// "✅ met", "❌ missed", "⚠️ not decided: n too small (needs ≥ 90)"; without a sign where it does not gate.
    var status: String {
        if let accepted = answer.accepted { return accepted.status }
        let (verdict, note) = (answer.judgement.verdict, answer.judgement.note)
        let isExpected = verdict == .fail && claim.expectedMiss != nil
        if verdict == .inconclusive, answer.evidence.isReported, answer.value.value == nil {
            return "– not judged: \(note)"
        }
        let remark = note.isEmpty ? "" : verdict == .inconclusive ? ": \(note)" : "; \(note)"
        return "\(answer.sign)\(verdict.word)\(isExpected ? ", as expected" : "")\(remark)"
    }

    /// "met by all plausible phones".
    var outcome: String {
        switch answer.judgement.verdict {
        case .pass: "met by all plausible phones"
        case .fail: "met by no plausible phone"
        case .inconclusive: (answer.share == nil ? "not decided: " : "") + answer.judgement.note
        }
    }
}

extension Answer {
    /// Sign of its verdict, with a space behind it; empty for one that does not affect the run's verdict, unless the
    /// model of phones leaves it open.
    var sign: String { gates || isLeftOpen == true ? "\(judgement.verdict.sign) " : "" }

    /// A value with its status, as all tables have it: "✅ 12 MB", "❌ **250 MB**"; "250 MB missed" where it does not gate.
    func cell(_ value: String) -> String {
        if accepted != nil { return "☑️ \(value)" }
        let isMissed = judgement.verdict == .fail
        if !sign.isEmpty { return sign + (isMissed ? "**\(value)**" : value) }
        return value + (isMissed ? " missed" : judgement.verdict == .inconclusive ? " undecided" : "")
    }
}

extension ClosedRange<Double> {
    /// " [8.1 – 40.2]", and ", plausible 8.1 – 40.2" beside a figure at nominal values that is not in it.
    func text(beside value: Double?, _ number: (Double) -> String) -> String {
        let ends = [number(lowerBound), number(upperBound)]
        let isWithin = value.map { contains($0) || ends.contains(number($0)) } ?? true
        return isWithin ? " [\(ends[0]) – \(ends[1])]" : ", plausible \(ends[0]) – \(ends[1])"
    }
}

extension Verdict {
    fileprivate var word: String {
        switch self {
        case .pass: "met"
        case .fail: "missed"
        case .inconclusive: "not decided"
        }
    }
}
