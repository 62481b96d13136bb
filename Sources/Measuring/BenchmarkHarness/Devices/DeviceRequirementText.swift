import Basics
import DeviceSimulation
import ScanningPolicies
import Statistics

/// A requirement on a device in words.
struct DeviceRequirementText {
    private let requirement: DeviceRequirement

    init(_ requirement: DeviceRequirement) {
        self.requirement = requirement
    }

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
        case .percentPerMinute(let model): "battery a minute, by \(model.rawValue)"
        case .percentPerHalfHour(let model): "battery in 30 min, by \(model.rawValue)"
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
        switch requirement.outcome {
        case .passesAlways: "✅ \(requirement.outcome.text)"
        case .failsAlways: "❌ \(requirement.outcome.text)"
        case .depends, .undecided: "⚠️ \(requirement.outcome.text)"
        }
    }

    private func text(_ value: Double, exact: Bool = false) -> String {
        switch requirement.subject {
        case .latency: exact ? "\(NumberText.short(value)) ms" : NumberText.milliseconds(value)
        case .memory: exact ? "\(NumberText.short(value)) MB" : NumberText.megabytes(value * 1e6)
        case .percentPerMinute: exact ? "\(NumberText.short(value)) %" : NumberText.fixed(value, 2) + " %"
        case .percentPerHalfHour: exact ? "\(NumberText.short(value)) %" : NumberText.fixed(value, 1) + " %"
        }
    }
}

/// A measurement on a device in words.
struct DeviceRowText {
    private let row: DeviceRow

    init(_ row: DeviceRow) {
        self.row = row
    }

    /// "12.3 ms [8.1 – 40.2]": nominal, least and most.
    func percentile(_ estimate: (DeviceRow.Latency) -> PercentileEstimate) -> String {
        let figures = row.latency.map { estimate($0).value }
        guard let nominal = figures.nominal.value, let better = figures.favourable.value,
            let worse = figures.adverse.value
        else { return figures.nominal.reason ?? "–" }
        let range = Plausible(nominal: nominal, favourable: better, adverse: worse).range
        func number(_ value: Double) -> String { NumberText.fixed(value, range.upperBound < 999.5 ? 1 : 0) }
        return "\(number(nominal)) ms [\(number(range.lowerBound)) – \(number(range.upperBound))]"
    }

    /// Percent of the battery: "0.42 % [0.31 – 0.77]".
    func percent(
        _ sessions: Plausible<SessionSummary>,
        minutes: Double,
        _ model: DeviceRequirement.BatteryModel,
        _ decimals: Int
    ) -> String {
        let figures = sessions.map { $0.percentPerMinute(model).map { $0 * minutes } }
        func number(_ value: Double?) -> String { value.map { NumberText.fixed($0, decimals) } ?? "–" }
        let known = [figures.nominal, figures.favourable, figures.adverse].compactMap(\.self)
        return "\(number(figures.nominal)) % [\(number(known.min())) – \(number(known.max()))]"
    }

    /// "fair [nominal – serious]".
    func worstState(_ sessions: Plausible<SessionSummary>) -> String {
        let range = sessions.map { ThermalStates.rising.firstIndex(of: $0.worstState) ?? 0 }.range
        let (least, most) = (ThermalStates.rising[range.lowerBound], ThermalStates.rising[range.upperBound])
        let nominal = sessions.nominal.worstState.rawValue
        return least == most ? nominal : "\(nominal) [\(least.rawValue) – \(most.rawValue)]"
    }

    /// "31.2 °C [28.0 – 39.9]".
    func skin(_ sessions: Plausible<SessionSummary>) -> String {
        let range = sessions.map(\.skin).range
        func degrees(_ value: Double) -> String { NumberText.fixed(value, 1) }
        return "\(degrees(sessions.nominal.skin)) °C [\(degrees(range.lowerBound)) – \(degrees(range.upperBound))]"
    }

    /// What the gating requirements come to: "✅ all 5 pass for every plausible value".
    var verdict: String {
        let gating = row.requirements.filter(\.gates)
        let failing = gating.filter { $0.verdict == .fail }
        let open = gating.filter { $0.verdict == .inconclusive }
        func names(_ requirements: [DeviceRequirement]) -> String {
            requirements.map { "\(DeviceRequirementText($0).name) \(DeviceRequirementText($0).limit)" }.joined(
                separator: ", "
            )
        }
        switch row.verdict {
        case nil: return "nothing gates"
        case .pass: return "✅ passes for every plausible value"
        case .fail: return "❌ fails for every plausible value: \(names(failing))"
        case .inconclusive:
            return "⚠️ " + open.map { "\(DeviceRequirementText($0).name) \($0.outcome.text)" }.joined(separator: "; ")
        }
    }
}
