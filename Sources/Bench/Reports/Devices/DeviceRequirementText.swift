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
        case .memory: "peak memory, as measured on the host"
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
        case .latency: .latency
        case .memory: .memory
        case .joulesPerBook: .book
        case .percentPerMinute: .minute
        case .readingPerHalfHour, .percentPerHalfHour: .halfHour
        }
    }

    /// Returns the hardest of several requirements: a missed one before an open one, and then the one whose limit is
    /// nearest or farthest exceeded.
    static func hardest(of requirements: [DeviceRequirement]) -> DeviceRequirementText? {
        func rank(_ one: DeviceRequirement) -> (Int, Double) {
            let verdict = [Verdict.pass, .inconclusive, .fail].firstIndex(of: one.verdict) ?? 0
            return (verdict, (one.figures.nominal.value ?? 0) / max(one.limit, .leastNonzeroMagnitude))
        }
        return requirements.max { rank($0) < rank($1) }.map(DeviceRequirementText.init)
    }

    /// Cell text, without the unit, which is in the column: "❌ **279.6** (< 200)".
    var cell: String {
        let value = requirement.figures.nominal.value.map { number($0) } ?? "–"
        let limit = "(\(requirement.comparator.rawValue) \(number(requirement.limit, exact: true)))"
        return "\(requirement.verdict.sign) \(requirement.verdict == .fail ? "**\(value)**" : value) \(limit)"
    }

    private func text(_ value: Double, exact: Bool = false) -> String {
        let unit =
            switch kind {
            case .latency: " ms"
            case .memory: " MB"
            case .book: " J"
            case .minute, .halfHour: " %"
            }
        return number(value, exact: exact) + unit
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

    /// Returns text such as "12.3 [8.1 – 40.2]", in milliseconds: nominal, least and most.
    func percentile(_ estimate: (DeviceRow.Latency) -> PercentileEstimate) -> String {
        let figures = row.latency.map { estimate($0).value }
        guard let nominal = figures.nominal.value, let better = figures.favourable.value,
            let worse = figures.adverse.value
        else { return figures.nominal.reason ?? "–" }
        let range = Plausible(nominal: nominal, favourable: better, adverse: worse).range
        func number(_ value: Double) -> String { NumberText.fixed(value, range.upperBound < 999.5 ? 1 : 0) }
        return "\(number(nominal)) [\(number(range.lowerBound)) – \(number(range.upperBound))]"
    }

    /// Returns the percentage of the battery: "0.42 [0.31 – 0.77]".
    func percent(
        _ sessions: Plausible<SessionSummary>,
        minutes: Double,
        _ model: DeviceRequirement.BatteryModel,
        _ decimals: Int
    ) -> String {
        let figures = sessions.map { $0.percentPerMinute(model).map { $0 * minutes } }
        func number(_ value: Double?) -> String { value.map { NumberText.fixed($0, decimals) } ?? "–" }
        let known = [figures.nominal, figures.favourable, figures.adverse].compactMap(\.self)
        return "\(number(figures.nominal)) [\(number(known.min())) – \(number(known.max()))]"
    }

    /// Returns text such as "fair [nominal – serious]".
    func worstState(_ sessions: Plausible<SessionSummary>) -> String {
        let range = sessions.map { ThermalStates.rising.firstIndex(of: $0.worstState) ?? 0 }.range
        let (least, most) = (ThermalStates.rising[range.lowerBound], ThermalStates.rising[range.upperBound])
        let nominal = sessions.nominal.worstState.rawValue
        return least == most ? nominal : "\(nominal) [\(least.rawValue) – \(most.rawValue)]"
    }

    /// Returns text such as "31.2 [28.0 – 39.9]", in °C.
    func skin(_ sessions: Plausible<SessionSummary>) -> String {
        let range = sessions.map(\.skin).range
        func degrees(_ value: Double) -> String { NumberText.fixed(value, 1) }
        return "\(degrees(sessions.nominal.skin)) [\(degrees(range.lowerBound)) – \(degrees(range.upperBound))]"
    }
}
