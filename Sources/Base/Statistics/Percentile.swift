package import Basics

extension Percentile {
    /// Returns the fewest values with which `over` of them above a limit still show that the percentile is below it.
    ///
    /// With none over it they are the fewest that can support a claim: 7 for P50, 90 for P95, 459 for P99. `percent` is in
    /// 1…99.
    ///
    /// The least n with P(X ≤ over) ≤ 1 − confidence, where X counts how many of n values are above the true
    /// percentile: 90, 130, 165 and 259 for P95 and 0, 1, 2 and 5 values over the limit.
    ///
    /// Source: MLPerf inference rules, appendix "Early Stopping Criterion": the least h with I(p; h, t + 1) ≤ 1 − c
    /// for t values over and h not over the limit.
    package static func minimumCount(for percent: Int, over: Int = 0, confidence: Double = 0.99) -> Int {
        precondition((1...99).contains(percent), "a percentile to be claimed lies between 1 and 99")
        precondition(over >= 0, "there are no fewer than 0 values over a limit")
        let share = Double(percent) / 100
        func shows(_ under: Int) -> Bool {
            BetaFunction.regularised(share, Double(under), Double(over + 1)) <= 1 - confidence
        }
        return Bisection.least(from: 1, where: shows) + over
    }
}

/// The two of n sorted values that enclose a percentile, whatever the values' distribution.
///
/// The number of values up to the true percentile is binomial, so that the value at rank l is above it with the
/// chance P(B < l), and the one at rank u below it with P(B ≥ u). Each is at most half of the remaining probability.
/// Ranks being whole numbers, the true confidence is a little higher: ``confidence``.
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

    /// Bounds that hold with 95 % confidence at least, as much failing on either side; `percent` is in 1…99.
    package init(percent: Int, count: Int) {
        precondition((1...99).contains(percent), "a percentile with bounds lies between 1 and 99")
        let under = Binomial(n: count, p: Double(percent) / 100)
        // The largest l with P(B ≤ l − 1) ≤ tail.
        let lower = under.least(above: Confidence.tail)
        // The least u with P(B ≥ u) ≤ tail.
        let over = Binomial(n: count, p: 1 - Double(percent) / 100)
        let upper = count + 1 - over.least(above: Confidence.tail)
        self.count = count
        lowerRank = lower >= 1 ? lower : nil
        upperRank = upper <= count ? upper : nil
        self.confidence =
            1 - (lowerRank.map { under.cumulative($0 - 1) } ?? 0) - (upperRank.map { under.upperTail($0) } ?? 0)
    }

    /// Returns the fewest values for which there is an upper bound: the least n with pⁿ ≤ 0.025.
    ///
    /// 6 for P50, 72 for P95, 368 for P99.
    package static func minimumCountForUpper(percent: Int) -> Int {
        Percentile.minimumCount(for: percent, confidence: 1 - Confidence.tail)
    }

    /// Returns the fewest values for which there is a lower bound.
    package static func minimumCountForLower(percent: Int) -> Int { minimumCountForUpper(percent: 100 - percent) }
}

/// MLPerf's early-stopping estimate of a percentile for one query after another: an upper bound of the true percentile,
/// at 99 % confidence, in place of the percentile of the values.
///
/// Source: MLPerf inference rules, appendix "Early Stopping Criterion", single-stream scenario.
package struct EarlyStopping: Sendable, Equatable {
    /// Number of the highest values that are omitted.
    package var discarded: Int
    /// The highest of the rest.
    package var estimate: Double

    /// Returns nil for too few values: fewer than 64 for P90, 130 for P95, 662 for P99.
    ///
    /// `percent` is in 1…99, `sorted` in ascending order.
    package init?(percent: Int, sorted: [Double]) {
        let tooMany = Bisection.least(in: 1...max(1, sorted.count)) { over in
            Percentile.minimumCount(for: percent, over: over) > sorted.count
        }
        guard tooMany > 1 else { return nil }
        discarded = tooMany - 2
        estimate = sorted[sorted.count - discarded - 1]
    }
}
