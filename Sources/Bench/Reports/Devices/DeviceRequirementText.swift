import Basics
import DeviceSimulation
import Evaluation
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

    /// "12.3 ms [8.1 ms – 40.2 ms]": nominal, best and worst.
    var value: String {
        let figures = requirement.figures
        guard let nominal = figures.nominal.value, let better = figures.favourable.value,
            let worse = figures.adverse.value
        else { return figures.nominal.reason ?? figures.adverse.reason ?? "–" }
        return better == worse ? text(nominal) : "\(text(nominal)) [\(text(better)) – \(text(worse))]"
    }

    /// "passes for every plausible value".
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
        let value = requirement.figures.nominal.value.map { number($0) } ?? "–"
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
        let pair = [row.latency, modelled].compactMap(\.nominal.p50.value.value)
        return [percentile(\.p50, of: modelled), percentile(\.p95, of: modelled)]
            + [pair.count == 2 ? "× \(NumberText.fixed(pair[0] / pair[1], 2))" : "–"]
    }

    /// Returns text such as "12.3 [8.1 – 40.2]", in milliseconds: nominal, least and most; one number for a recording.
    func percentile(
        _ estimate: (DeviceRow.Latency) -> PercentileEstimate,
        of latency: Plausible<DeviceRow.Latency>? = nil
    ) -> String {
        let figures = (latency ?? row.latency).map { estimate($0).value }
        guard let known = Plausible(all: figures.map(\.value)) else { return figures.nominal.reason ?? "–" }
        let text = Self.text(known, known.range.upperBound < 999.5 ? 1 : 0)
        return latency == nil && row.recording != nil ? String(text.prefix { $0 != " " }) : text
    }

    /// Returns the percentage of the battery: "0.42 [0.31 – 0.77]".
    func percent(
        _ sessions: Plausible<SessionSummary>,
        minutes: Double,
        _ model: DeviceRequirement.BatteryModel,
        _ decimals: Int
    ) -> String {
        Plausible(all: sessions.map { $0.percentPerMinute(model).map { $0 * minutes } }).map { Self.text($0, decimals) }
            ?? "–"
    }

    private static func text(_ figures: Plausible<Double>, _ decimals: Int) -> String {
        let (nominal, range) = (figures.nominal, figures.range)
        let numbers = [nominal, range.lowerBound, range.upperBound].map { NumberText.fixed($0, decimals) }
        return "\(numbers[0]) [\(numbers[1]) – \(numbers[2])]"
    }

    /// Returns text such as "fair [nominal – serious]".
    func worstState(_ sessions: Plausible<SessionSummary>) -> String {
        let range = sessions.map { ThermalStates.rising.firstIndex(of: $0.worstState) ?? 0 }.range
        let (least, most) = (ThermalStates.rising[range.lowerBound], ThermalStates.rising[range.upperBound])
        let nominal = sessions.nominal.worstState.rawValue
        return least == most ? nominal : "\(nominal) [\(least.rawValue) – \(most.rawValue)]"
    }

    /// Returns text such as "31.2 [28.0 – 39.9]", in °C.
    func skin(_ sessions: Plausible<SessionSummary>) -> String { Self.text(sessions.map(\.skin), 1) }
}
