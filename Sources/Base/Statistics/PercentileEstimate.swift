package import Basics

/// A percentile with the bounds that hold whatever the values' distribution.
///
/// Values may be infinite: a reading that timed out was slower than all others, and a result that never came is later
/// than any that did. An infinite figure is absent with that reason.
package struct PercentileEstimate: Sendable, Equatable, Codable {
    package var percent: Int
    package var count: Int
    /// Number of independent values, at most `count`: values of one sample are alike.
    ///
    /// The bounds are those of this number of values.
    package var independent: Int
    /// Percentile that may be claimed: absent with fewer values than ``Percentile/minimumCount(for:)``.
    package var value: Figure
    /// Percentile of the values, whatever their number; absent without any.
    package var point: Figure
    /// The percentile is not below this, with 97.5 % confidence.
    package var lower: Figure
    /// The percentile is not above this, with 97.5 % confidence.
    package var upper: Figure
    package var method: PercentileMethod

    /// Estimates the percentile, 1…99, of values in ascending order, with timeouts last, as `.infinity`.
    ///
    /// `method` is the formula of `value` and `point`; the bounds are the same for both. All values are `independent`
    /// if that is nil; `infinite` is the reason for a reading of that value.
    package init(
        percent: Int,
        sorted: [Double],
        method: PercentileMethod = .nearestRank,
        independent: Int? = nil,
        infinite: String = "timed out"
    ) {
        let independent = min(independent ?? sorted.count, sorted.count)
        let timeouts = sorted.reversed().prefix { $0 == .infinity }.count
        let minimum = Percentile.minimumCount(for: percent)
        let bounds = PercentileBounds(percent: percent, count: independent)
        // Ranks among the independent ones, at the same share of all values.
        let scale = independent == 0 ? 1 : Double(sorted.count) / Double(independent)
        func bound(_ rank: Int?, rounded: FloatingPointRoundingRule, needs: Int) -> Figure {
            guard let rank else {
                return .absent("needs ≥ \(needs) \(independent < sorted.count ? "different samples" : "readings")")
            }
            let scaled = min(sorted.count, max(1, Int((Double(rank) * scale).rounded(rounded))))
            return .finite(sorted[scaled - 1], orAbsent: "\(timeouts) of \(sorted.count) readings \(infinite)")
        }
        self.percent = percent
        self.method = method
        count = sorted.count
        self.independent = independent
        if sorted.isEmpty {
            point = .absent("no readings")
        } else {
            let share = method == .nearestRank ? "more than \(100 - percent) %" : "\(100 - percent) % or more"
            point = .finite(
                Percentile.value(percent, of: sorted, method: method),
                orAbsent: "\(share) of the readings \(infinite)"
            )
        }
        value = sorted.count >= minimum ? point : .absent("n too small (needs ≥ \(minimum))")
        lower = bound(bounds.lowerRank, rounded: .down, needs: PercentileBounds.minimumCountForLower(percent: percent))
        upper = bound(bounds.upperRank, rounded: .up, needs: PercentileBounds.minimumCountForUpper(percent: percent))
    }

    /// Returns the total number of independent readings until the bounds no longer enclose `limit`, if the same share
    /// as now stays above it; `independent` if they do not enclose it now.
    ///
    /// `over` of the `count` values are above the limit; one at it counts as below. Nil if that never happens:
    /// without readings, and when exactly 100 − `percent` of a hundred are above.
    package func countToDecide(over: Int) -> Int? {
        let excess = over * 100 - (100 - percent) * count
        guard excess != 0 else { return nil }
        func decides(_ enough: Int) -> Bool {
            // A part of a reading over the limit is counted to the side that is harder to show.
            let exact = Double(over) * Double(enough) / Double(count)
            let expected = Int(exact.rounded(excess > 0 ? .down : .up))
            let chance = Binomial(n: enough, p: Double(100 - percent) / 100)
            return (excess > 0 ? chance.upperTail(expected) : chance.cumulative(expected)) <= 0.025
        }
        return Bisection.least(from: independent, where: decides)
    }
}
