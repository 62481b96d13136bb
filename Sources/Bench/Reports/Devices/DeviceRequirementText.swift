import Basics
import Evaluation
import Harness
import ScanningPolicies

struct DeviceRequirementText {
    let requirement: DeviceRequirement

    /// "time to text P95", "battery a minute, by energy".
    var name: String {
        switch requirement.subject {
        case .latency(let metric):
            switch metric {
            case .timeToDraftP95: "time to draft P95"
            case .timeToPreparedP95: "picture ready to send P95"
            case .timeToTextP95: "time to text P95"
            case .timeToEnrichedP95: "time to enriched P95"
            default: "whole reading P\(metric.percent ?? 0)"
            }
        case .firstText(let isFirstStart):
            "first text, \(isFirstStart ? "first start after an install" : "later starts")"
        case .memory: "peak memory footprint, as measured on the host"
        case .joulesPerBook: "energy of reading, a book"
        case .readingPerHalfHour: "battery of reading in 30 min"
        case .percentPerMinute(.energy): "battery of the whole phone, a minute"
        case .percentPerHalfHour(.energy): "battery of the whole phone in 30 min"
        case .percentPerMinute(.seed): "battery of reading a minute, by the seed's formula"
        case .percentPerHalfHour(.seed): "battery of reading in 30 min, by the seed's formula"
        }
    }

    /// "< 50 ms".
    var limit: String { "\(requirement.comparator.rawValue) \(text(requirement.limit, exact: true))" }

    /// "< 50 ms (S0-T02)".
    var target: String { "\(limit) (\(requirement.source))" }

    /// "12.3 ms [8.1 ms – 40.2 ms]": nominal, and the 5th to 95th percentile of the draws.
    var value: String {
        let figure = requirement.figure
        guard let nominal = figure.nominal.value else { return figure.nominal.reason ?? "–" }
        let range = figure.range.map { " [\(text($0.lowerBound)) – \(text($0.upperBound))]" }
        return text(nominal) + (range ?? "")
    }

    /// "✅ met by all plausible phones".
    var outcome: String {
        if case .cannotBeMissed = requirement.outcome { return requirement.outcome.text }
        return "\(requirement.verdict.sign) \(requirement.outcome.text)"
    }

    enum Kind {
        case latency, memory, book, halfHour, minute

        /// Columns, in the order in which they are shown; nothing that gates is of a minute.
        static let shown = [latency, memory, book, halfHour]
    }

    var kind: Kind {
        switch requirement.subject {
        case .latency, .firstText: .latency
        case .memory: .memory
        case .joulesPerBook: .book
        case .percentPerMinute: .minute
        case .readingPerHalfHour, .percentPerHalfHour: .halfHour
        }
    }

    static func hardest(of requirements: [DeviceRequirement]) -> DeviceRequirementText? {
        requirements.max { $0.hardness < $1.hardness }.map(DeviceRequirementText.init)
    }

    /// Cell text, without the unit, which is in the column: "❌ **279.6** (< 200)".
    var cell: String {
        let value = requirement.figure.nominal.value.map { number($0) } ?? "–"
        let limit = "(\(requirement.comparator.rawValue) \(number(requirement.limit, exact: true)))"
        return "\(requirement.verdict.sign) \(requirement.verdict == .fail ? "**\(value)**" : value) \(limit)"
    }

    var unit: String {
        switch kind {
        case .latency: "ms"
        case .memory: "MB"
        case .book: "J"
        case .minute, .halfHour: "%"
        }
    }

    private func text(_ value: Double, exact: Bool = false) -> String {
        number(value, exact: exact) + " " + unit
    }

    private func number(_ value: Double, exact: Bool = false) -> String {
        if exact { return NumberText.short(value) }
        return switch kind {
        case .latency: NumberText.bareMilliseconds(value)
        case .memory, .halfHour: NumberText.fixed(value, 1)
        case .minute, .book: NumberText.fixed(value, 2)
        }
    }
}

struct DeviceRowText {
    let row: DeviceRow

    /// "modelled", or "measured on device: my-app 2.1 on iPhone17,1, iOS 26.1; n = 240".
    var evidence: String {
        row.evidence.rawValue + (row.recording.map { ": \($0.origin); n = \($0.readings)" } ?? "")
    }

    /// P50 and P95 of the model that a recording took the place of, and the recording's P50 beside the model's.
    var modelled: [String] {
        guard let modelled = row.modelled else { return ["–", "–", "–"] }
        let pair = [row.latency, modelled].compactMap(\.p50.nominal.value)
        return [Self.milliseconds(modelled.p50), Self.milliseconds(modelled.p95)]
            + [pair.count == 2 ? "× \(NumberText.fixed(pair[0] / pair[1], 2))" : "–"]
    }

    /// P50, P95 and P99.
    var latency: [String] { [row.latency.p50, row.latency.p95, row.latency.p99].map(Self.milliseconds) }

    private static func milliseconds(_ spread: Spread) -> String {
        let most = spread.range?.upperBound ?? spread.nominal.value ?? 0
        return text(spread, most < 999.5 ? 1 : 0)
    }

    /// Returns text such as "12.3 [8.1 – 40.2]": nominal, and the 5th to 95th percentile of the draws.
    static func text(_ spread: Spread, _ decimals: Int, times factor: Double = 1) -> String {
        guard let nominal = spread.nominal.value else { return spread.nominal.reason ?? "–" }
        func number(_ value: Double) -> String { NumberText.fixed(value * factor, decimals) }
        let range = spread.range.map { " [\(number($0.lowerBound)) – \(number($0.upperBound))]" }
        return number(nominal) + (range ?? "")
    }

    /// Returns text such as "fair [nominal – serious]".
    static func worstState(_ session: DeviceRow.Session) -> String {
        let nominal = session.nominal.worstState.rawValue
        return session.mildest == session.worst && session.worst == session.nominal.worstState
            ? nominal : "\(nominal) [\(session.mildest.rawValue) – \(session.worst.rawValue)]"
    }
}
