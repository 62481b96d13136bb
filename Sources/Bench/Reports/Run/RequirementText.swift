import Basics
import Evaluation
import Results

/// A requirement in words.
struct RequirementText {
    let row: Requirement

    /// "fast: title read, stylized".
    var metric: String { "\(row.measurement): \(metricAlone)" }

    /// "title read, stylized".
    var metricAlone: String {
        // The latency of tiers that only read, with such targets, is the time to text.
        let name = row.metric.meaning.name.replacing(/^latency P/, with: "time to text P")
        return "\(name)\(row.target.category.map { ", \($0)" } ?? "")"
    }

    /// The value with its unit, and its counts and interval when it is a share.
    var value: String {
        if let rate = row.rate { return "\(NumberText.proportion(rate.proportion)) \(NumberText.interval(rate))" }
        if let percentile = row.percentile { return NumberText.bounded(percentile) }
        // Why a value is absent is in the status.
        return shortValue
    }

    /// The interval of a share or the bounds of a percentile; nil for other figures.
    var interval: String? {
        if let rate = row.rate { return NumberText.interval(rate).replacing("\\*", with: "*") }
        guard let percentile = row.percentile, let value = percentile.value.value else { return nil }
        let whole = NumberText.bounded(percentile)
        return String(whole.dropFirst(NumberText.milliseconds(value).count + 1))
    }

    /// The value with its unit alone; a dash when it is absent.
    var shortValue: String { row.value.value.map(row.metric.meaning.unit.text) ?? "–" }

    /// Limit and the requirement from which it derives: "≥ 85 % (S0-A02)".
    var target: String { "\(limit) (\(row.target.source))" }

    /// The limit alone: "≥ 85 %", "< 50 ms on a phone".
    var limit: String {
        "\(row.target.comparator.rawValue) \(row.metric.meaning.unit.limit(row.target.limit))"
            + (row.target.machine == .phone ? " on a phone" : "")
    }

    /// Distance of the figure from the limit: "1 above the line" of a share, in samples, "3.2 MB below the line" of
    /// others; a dash when it is not judged by its distance.
    var margin: String {
        guard let margin = row.margin else { return "–" }
        let size = row.rate == nil ? row.metric.meaning.unit.text(abs(margin)) : "\(noun(Int(abs(margin))))"
        if margin == 0 { return "on the limit" }
        let isAbove = row.target.comparator.isLowerBound == (margin > 0)
        return "\(size) \(isAbove ? "above" : "below") the limit"
    }

    /// Short form of the margin, "+1" or "−3.2 MB"; nil without one, or where the limit is 0.
    var shortMargin: String? {
        guard let margin = row.margin, margin != 0, row.target.limit != 0 else { return nil }
        let size = row.rate == nil ? row.metric.meaning.unit.text(abs(margin)) : "\(Int(abs(margin)))"
        return (row.target.comparator.isLowerBound == (margin > 0) ? "+" : "−") + size
    }

    private func noun(_ count: Int) -> String {
        switch row.metric {
        case .titleRead, .bookTitleRead: NumberText.count(count, "title")
        case .identified, .falseMatch, .bookRecall, .orderDistance: NumberText.count(count, "book")
        case .codesRead: NumberText.count(count, "code")
        case .factsLost: NumberText.count(count, "fact")
        default: NumberText.count(count, row.target.tier == "context" ? "capture" : "spine")
        }
    }

    /// "✅ met", "❌ missed", "⚠️ not decided: n too small (needs ≥ 90)".
    var status: String {
        let note = row.judgement.note
        switch row.judgement.verdict {
        case .pass: return "✅ met" + (note.isEmpty ? "" : "; \(note)")
        case .fail where row.target.expectedMiss != nil: return "❌ missed, as expected; \(note)"
        case .fail: return "❌ missed" + (note.isEmpty ? "" : "; \(note)")
        case .inconclusive: return "⚠️ not decided" + (note.isEmpty ? "" : ": \(note)")
        }
    }
}
