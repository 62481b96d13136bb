package import Basics

extension NumberText {
    /// Returns "42 of 57 (73.7 %)"; a dash without samples.
    package static func proportion(_ proportion: Proportion) -> String {
        proportion.rate.value.map { "\(proportion.successes) of \(proportion.trials) (\(percent($0)))" } ?? "–"
    }

    /// Returns Wilson's interval, "[61.0 %, 83.2 %]"; a dash without samples.
    package static func interval(_ proportion: Proportion) -> String {
        proportion.interval.map { "[\(percent($0.lowerBound)), \(percent($0.upperBound))]" } ?? "–"
    }

    /// Returns "[61.0 %, 83.2 %]"; a dash without samples, a star when it is too narrow.
    package static func interval(_ rate: RateEstimate) -> String {
        let star = rate.basis == .tooFewGroups ? "\\*" : ""
        return rate.interval.value.map { "[\(percent($0.lowerBound)), \(percent($0.upperBound))]\(star)" } ?? "–"
    }

    /// Returns "48.2 ms [44.1, 55.0]"; a question mark is a bound with too few readings.
    ///
    /// - Parameters:
    ///   - estimate: of a latency.
    ///   - unit: empty if it appears elsewhere.
    /// - Returns: figure and bounds, or the reason for a missing percentile.
    package static func bounded(_ estimate: PercentileEstimate, unit: String = " ms") -> String {
        guard let value = estimate.value.value else { return estimate.value.reason ?? "" }
        func bound(_ figure: Figure) -> String { figure.value.map { fixed($0, value < 999.5 ? 1 : 0) } ?? "?" }
        return "\(bareMilliseconds(value))\(unit) [\(bound(estimate.lower)), \(bound(estimate.upper))]"
    }
}
