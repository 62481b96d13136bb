import Basics
package import Evaluation
import Statistics

/// A requirement in words.
package struct RequirementText: Sendable {
    private let row: Requirement

    package init(_ row: Requirement) {
        self.row = row
    }

    /// "fast: title read, stylized".
    package var metric: String { "\(row.measurement): \(metricAlone)" }

    /// "title read, stylized".
    package var metricAlone: String {
        // Of tiers that only read, to which such targets are set, a latency is the time to text.
        let name = row.metric.meaning.name.replacing(/^latency P/, with: "time to text P")
        return "\(name)\(row.target.category.map { ", \($0)" } ?? "")"
    }

    /// The value with its unit, and its counts and interval when it is a share.
    package var value: String {
        if let rate = row.rate { return "\(NumberText.proportion(rate.proportion)) \(NumberText.interval(rate))" }
        if let percentile = row.percentile { return NumberText.bounded(percentile) }
        // Why a value is absent is in the status.
        return shortValue
    }

    /// The interval of a share or the bounds of a percentile; nil for other figures.
    package var interval: String? {
        if let rate = row.rate { return NumberText.interval(rate).replacing("\\*", with: "*") }
        guard let percentile = row.percentile, let value = percentile.value.value else { return nil }
        let whole = NumberText.bounded(percentile)
        return String(whole.dropFirst(NumberText.milliseconds(value).count + 1))
    }

    /// The value with its unit alone; a dash when it is absent.
    package var shortValue: String { row.value.value.map(row.metric.meaning.unit.text) ?? "–" }

    /// The limit and the requirement that it comes from: "≥ 85 % (S0-A02)".
    package var target: String { "\(limit) (\(row.target.source))" }

    /// The limit alone: "≥ 85 %".
    package var limit: String { "\(row.target.comparator.rawValue) \(row.metric.meaning.unit.limit(row.target.limit))" }

    /// "✅ met", "❌ missed", "⚠️ not decided: n too small (needs ≥ 90)".
    package var status: String {
        let note = row.judgement.note
        switch row.judgement.verdict {
        case .pass: return "✅ met" + (note.isEmpty ? "" : "; \(note)")
        case .fail where row.target.expectedMiss != nil: return "❌ missed, as expected; \(note)"
        case .fail: return "❌ missed" + (note.isEmpty ? "" : "; \(note)")
        case .inconclusive: return "⚠️ not decided" + (note.isEmpty ? "" : ": \(note)")
        }
    }
}

extension Metric.Unit {
    /// A value as reports print it.
    package func text(_ value: Double) -> String {
        switch self {
        case .share: NumberText.percent(value)
        case .score: NumberText.fixed(value, 3)
        case .milliseconds: NumberText.milliseconds(value)
        case .bytes, .byteDifference: NumberText.megabytes(value)
        case .bytesPerScan: NumberText.bytes(value)
        case .count: NumberText.fixed(value, 0)
        }
    }

    /// A limit, with no digits that it has not.
    func limit(_ value: Double) -> String {
        switch self {
        // Tenths of a percent; a target of 0.29 is 28.999… otherwise.
        case .share: "\(NumberText.short((value * 1_000).rounded() / 10)) %"
        case .milliseconds: "\(NumberText.short(value)) ms"
        case .bytes, .byteDifference: "\(NumberText.short(value / 1e6)) MB"
        case .score, .bytesPerScan, .count: NumberText.short(value)
        }
    }

    /// A change without its sign: "5.0 %", "2.0 points".
    func size(_ change: Double) -> String {
        switch self {
        case .share: NumberText.fixed(abs(change) * 100, 1) + " points"
        case .milliseconds, .bytes: NumberText.percent(abs(change))
        case .score, .byteDifference, .bytesPerScan, .count: text(abs(change))
        }
    }

    /// Whether a change is a ratio less 1, and no difference.
    var isRelative: Bool { self == .milliseconds || self == .bytes }

    /// Digits after the point in tables for programs.
    var decimals: Int {
        switch self {
        case .share, .score: 4
        case .milliseconds: 3
        case .bytesPerScan: 1
        case .bytes, .byteDifference, .count: 0
        }
    }

    /// As charts have it, with what a value is multiplied with.
    var chart: (name: String, factor: Double) {
        switch self {
        case .share: ("%", 100)
        case .milliseconds: ("ms", 1)
        case .bytes, .byteDifference: ("MB", 1e-6)
        case .bytesPerScan: ("B", 1)
        case .score, .count: ("", 1)
        }
    }

    /// A limit as suites write it: what it is in, where it may lie, and what it is multiplied with to be in the metric's unit.
    package var suite: (name: String, limits: ClosedRange<Double>, scale: Double) {
        switch self {
        case .share: ("a share, 0 to 1", 0...1, 1)
        case .score: ("0 to 1", 0...1, 1)
        case .milliseconds: ("milliseconds", 0...1e12, 1)
        case .bytes, .byteDifference: ("megabytes of 1,000,000 bytes", 0...1e12, 1e6)
        case .bytesPerScan: ("bytes", 0...1e12, 1)
        case .count: ("a number", 0...1e12, 1)
        }
    }
}
