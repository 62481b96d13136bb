/// Which two of n sorted values enclose a percentile, whatever the values' distribution.
///
/// The number of values up to the true percentile is binomial, so that the value at rank l lies above it with the chance
/// P(B < l), and the one at rank u below it with P(B ≥ u). Each is at most half of what the confidence leaves. Ranks being
/// whole numbers, the true confidence is a little higher: ``confidence``.
///
/// Source: David and Nagaraja, "Order Statistics", 3rd ed., section 7.1.
package struct PercentileBounds: Sendable, Equatable {
    package var count: Int
    /// Rank of the lower bound, counted from 1; nil when there are too few values for one.
    package var lowerRank: Int?
    /// Rank of the upper bound, counted from 1; nil when there are too few values for one.
    package var upperRank: Int?
    /// The chance that both enclose the percentile of a continuous distribution; a side without a bound cannot fail.
    package var confidence: Double

    /// - Parameters:
    ///   - percent: Which percentile, 1…99.
    ///   - count: How many values there are.
    ///   - confidence: What the bounds are to hold with at least; as much may fail on either side.
    package init(percent: Int, count: Int, confidence: Double = 0.95) {
        precondition((1...99).contains(percent), "a percentile with bounds lies between 1 and 99")
        let tail = (1 - confidence) / 2
        let under = Binomial(n: count, p: Double(percent) / 100)
        // The largest l with P(B ≤ l − 1) ≤ tail.
        let lower = under.least(above: tail)
        // The least u with P(B ≥ u) ≤ tail.
        let over = Binomial(n: count, p: 1 - Double(percent) / 100)
        let upper = count + 1 - over.least(above: tail)
        self.count = count
        lowerRank = lower >= 1 ? lower : nil
        upperRank = upper <= count ? upper : nil
        self.confidence =
            1 - (lowerRank.map { under.cumulative($0 - 1) } ?? 0) - (upperRank.map { under.upperTail($0) } ?? 0)
    }

    /// The fewest values for which there is an upper bound: the least n with pⁿ ≤ (1 − confidence)/2.
    ///
    /// 6 for P50, 72 for P95, 368 for P99.
    package static func minimumCountForUpper(percent: Int, confidence: Double = 0.95) -> Int {
        Percentile.minimumCount(for: percent, over: 0, confidence: 1 - (1 - confidence) / 2)
    }

    /// The fewest values for which there is a lower bound.
    package static func minimumCountForLower(percent: Int, confidence: Double = 0.95) -> Int {
        minimumCountForUpper(percent: 100 - percent, confidence: confidence)
    }
}
