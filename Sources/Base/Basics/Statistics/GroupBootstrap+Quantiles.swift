import Foundation

extension GroupBootstrap {
    /// Returns the interval of a percentile: two of the sorted values.
    ///
    /// Not resampled: a high percentile of resamples is hardly ever above the highest values in the sample, and the
    /// upper end far too low. Ranks are those that enclose the percentile of the number of independent samples that
    /// the samples are worth, judged by the variation of the share of values up to the percentile when one group is
    /// left out at a time. Values may be infinite; the interval is absent when it would end at one.
    ///
    /// Source: Woodruff, "Confidence intervals for medians and other position measures", JASA 47 (1952), 635–646,
    /// with binomial ranks as in ``PercentileBounds`` in place of normal ones.
    package func ofQuantile(_ percent: Int, _ values: [Double]) -> IntervalFigure {
        precondition((1...99).contains(percent), "a percentile with an interval lies between 1 and 99")
        let effective = Self.effectiveCount(of: sizes)
        if let reason = Self.tooFew(groups: groupCount, effective: effective) { return .absent(reason) }
        let sorted = values.sorted()
        let point = Percentile.nearestRank(percent, of: sorted)
        let isUpTo = values.map { $0 <= point ? 1.0 : 0 }
        let count = Double(values.count)
        let rate = isUpTo.reduce(0, +) / count
        let share = worth(of: isUpTo, varianceOfOne: rate * (1 - rate), effective: effective)
        let bounds = RealRanks(p: Double(percent) / 100, count: count * share, tail: Confidence.tail)
        guard let lower = bounds.lower, let upper = bounds.upper else {
            return .absent("needs more than \(values.count) readings")
        }
        // Ranks of independent samples, converted to ranks of the actual samples.
        let low = max(1, Int(lower / share))
        let high = min(values.count, Int((upper / share).rounded(.up)))
        return sorted[high - 1].isFinite
            ? .value(sorted[low - 1]...sorted[high - 1])
            : .absent("\(values.count { $0 == .infinity }) of \(values.count) readings timed out")
    }

    /// Returns the interval of a percentile of second less that of first, both of the same samples.
    ///
    /// Of percentiles by ``HarrellDavis``, from leaving out one group at a time: two variants differ by little, while
    /// percentiles by rank jump from sample to sample, and resampled ones so much that intervals hold the truth in
    /// 99.9 % of all cases.
    package func ofQuantileDifference(_ percent: Int, _ first: [Double], _ second: [Double]) -> IntervalFigure {
        ofQuantiles(percent, first, second) { $1 - $0 }
    }

    /// Returns the interval of a percentile of second divided by that of first, both of the same samples.
    ///
    /// As ``ofQuantileDifference(_:_:_:)``, of the logarithm of the ratio. The values are above 0.
    package func ofQuantileRatio(_ percent: Int, _ first: [Double], _ second: [Double]) -> IntervalFigure {
        switch ofQuantiles(percent, first, second, { log($1 / $0) }) {
        case .value(let logarithm): .value(exp(logarithm.lowerBound)...exp(logarithm.upperBound))
        case .absent(let reason): .absent(reason)
        }
    }

    private func ofQuantiles(
        _ percent: Int,
        _ first: [Double],
        _ second: [Double],
        _ compare: (Double, Double) -> Double
    ) -> IntervalFigure {
        guard !groups.isEmpty else { return .absent(Self.tooFew(groups: 0, effective: 0) ?? "") }
        let estimator = HarrellDavis(percent: percent, count: groups.count)
        let (a, b) = (RankedSamples(first, groups: groups), RankedSamples(second, groups: groups))
        return jackknifeInterval { drawn in
            compare(estimator.estimate(a, drawn: drawn), estimator.estimate(b, drawn: drawn))
        }
    }
}

/// The ranks that enclose a percentile, for a number of samples that need not be whole.
private struct RealRanks {
    /// Largest l with P(B < l) ≤ tail, from 1 on; nil without one.
    let lower: Double?
    /// Least u with P(B ≥ u) ≤ tail, up to the number of samples; nil without one.
    let upper: Double?

    init(p: Double, count: Double, tail: Double) {
        func end(_ start: Double, _ end: Double, _ holds: (Double) -> Bool) -> Double? {
            guard count > 1, holds(start) else { return nil }
            return Bisection.furthest(from: start, to: end, tolerance: 1e-9 * count, where: holds)
        }
        lower = end(1, count) { BetaFunction.regularised(1 - p, count - $0 + 1, $0) <= tail }
        upper = end(count, 1) { BetaFunction.regularised(p, $0, count - $0 + 1) <= tail }
    }
}
