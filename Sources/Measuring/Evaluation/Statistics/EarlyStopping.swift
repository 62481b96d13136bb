/// MLPerf's early-stopping estimate of a percentile for one query after another: an upper bound of the true percentile,
/// at 99 % confidence, in place of the percentile of the values.
///
/// Source: MLPerf inference rules, appendix "Early Stopping Criterion", single-stream scenario.
package struct EarlyStopping: Sendable, Equatable {
    /// How many of the highest values are left out.
    package var discarded: Int
    /// The highest of the rest.
    package var estimate: Double

    /// Nil when there are too few values: fewer than 64 for P90, 130 for P95, 662 for P99.
    ///
    /// - Parameters:
    ///   - percent: Which percentile, 1…99.
    ///   - sorted: All values in ascending order.
    package init?(percent: Int, sorted: [Double]) {
        func allows(_ over: Int) -> Bool { Percentile.minimumCount(for: percent, over: over) <= sorted.count }
        guard allows(1) else { return nil }
        var (low, high) = (1, sorted.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if allows(middle) { low = middle } else { high = middle }
        }
        discarded = low - 1
        estimate = sorted[sorted.count - low]
    }
}
