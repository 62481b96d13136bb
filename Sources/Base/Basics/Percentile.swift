/// Formula by which a percentile is picked from sorted values (K-3).
public enum PercentileMethod: String, Sendable, Codable, CaseIterable {
    /// The value at rank ⌈percent/100 · n⌉, counted from 1: the smallest one that `percent` of all values do not
    /// exceed.
    case nearestRank = "nearest-rank"
    /// `sorted[min(Int(Double(n) * p), n - 1)]`, the formula of the scanner's project document.
    ///
    /// It picks the same value or the next larger one: the latter when percent/100 · n is a whole number.
    case seed
}

/// Percentiles that are always one of the values, never between two.
package enum Percentile {
    /// Returns the percentile of values in ascending order, which are not empty, by either formula; `percent` is in 1…100.
    package static func value(_ percent: Int, of sorted: [Double], method: PercentileMethod) -> Double {
        sorted[index(percent, of: sorted.count, method: method)]
    }

    /// Returns the place of a percentile among `count` sorted values, from 0, by either formula.
    ///
    /// `count` is above 0, `percent` in 1…100.
    package static func index(_ percent: Int, of count: Int, method: PercentileMethod) -> Int {
        switch method {
        case .nearestRank: (percent * count + 99) / 100 - 1
        case .seed: min(Int(Double(count) * (Double(percent) / 100)), count - 1)
        }
    }

    /// Returns the smallest value that `percent` of all values do not exceed: the one at rank ⌈percent/100 · n⌉.
    ///
    /// `sorted` is in ascending order and not empty, `percent` in 1…100.
    package static func nearestRank(_ percent: Int, of sorted: [Double]) -> Double {
        value(percent, of: sorted, method: .nearestRank)
    }

    /// Returns the fewest values whose nearest rank is not simply the largest: 2 for P50, 20 for P95, 100 for P99.
    ///
    /// Enough to describe a complete set of values, as that of a monitor's window: it supports no claim about unseen
    /// values. For a claim about those, ``minimumCount(for:)`` counts. `percent` is in 1…99.
    package static func minimumCountToDescribe(_ percent: Int) -> Int { 100 / (100 - percent) }
}
