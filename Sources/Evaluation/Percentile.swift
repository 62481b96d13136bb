/// Percentiles by nearest rank: always one of the values, never between two.
package enum Percentile {
    /// The smallest value that `percent` of all values do not exceed: the one at rank ⌈percent/100 · n⌉.
    ///
    /// `sorted` is in ascending order and not empty, `percent` in 1…100.
    package static func nearestRank(_ percent: Int, of sorted: [Double]) -> Double {
        sorted[(percent * sorted.count + 99) / 100 - 1]
    }

    /// The same as a figure to be claimed: absent when there are fewer values than `minimumCount(for: percent)`.
    package static func claimed(_ percent: Int, of sorted: [Double]) -> Figure {
        let minimum = minimumCount(for: percent)
        guard sorted.count >= minimum else { return .absent("n too small (needs ≥ \(minimum))") }
        return .value(nearestRank(percent, of: sorted))
    }

    /// The fewest values that can support a claim about a percentile: with so many, the chance that not one of them
    /// lies beyond the true percentile is 1 % or less, so that the largest one bounds it with 99 % confidence.
    ///
    /// 7 for P50, 90 for P95, 459 for P99. `percent` is in 1…99.
    ///
    /// Source: the binomial test of MLPerf's early stopping (inference rules, appendix "Early Stopping Criterion"), for no
    /// query over the limit: the least n with pⁿ ≤ 0.01.
    package static func minimumCount(for percent: Int) -> Int {
        precondition((1...99).contains(percent), "a percentile to be claimed lies between 1 and 99")
        var (count, chance) = (0, 1.0)
        while chance > 0.01 {
            chance *= Double(percent) / 100
            count += 1
        }
        return count
    }
}
