/// Intervals for samples that come in groups: several spines from one photo are alike, so whole photos count and not spines.
///
/// Every figure has the construction that was found to hold the truth in about 95 % of all draws (`checks harness coverage`).
/// Means and any other statistic are resampled by group; rates and percentiles have ways of their own.
///
/// Of resamples a plain percentile interval is too narrow for few groups, since resampled groups spread less than new ones would and
/// their spread is itself uncertain. It is widened to the quantile Φ(−t √(g/(g − 1))) with Student's t of g − 1 degrees of
/// freedom, where g is the number of groups, or fewer when their sizes differ: (Σ size)² / Σ size². The same seed gives
/// the same resamples to every statistic, and the same samples to both sides of a comparison.
///
/// Source: Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69 (2015), 371–386,
/// section 5.3 (expanded percentile interval); Kish, "Survey Sampling" (1965), for the effective number.
package struct GroupBootstrap: Sendable {
    /// With fewer groups there is no interval: coverage was measured from 10 on.
    package static let minimumGroups = 10
    /// The same for the number of groups of equal size that the groups are worth.
    package static let minimumEffectiveGroups = 5.0

    /// Group of every sample, 0..<groupCount.
    package let groups: [Int]
    /// How many groups there are.
    package let groupCount: Int
    package let resamples: Int
    package let seed: UInt64

    /// - Parameters:
    ///   - groups: The number of every sample's group, from 0 on without a gap.
    ///   - resamples: How often to resample.
    ///   - seed: Of the random numbers.
    package init(groups: [Int], resamples: Int = 2_000, seed: UInt64 = 1) {
        groupCount = (groups.max() ?? -1) + 1
        precondition(Set(groups) == Set(0..<groupCount), "groups are numbered from 0 without a gap")
        self.groups = groups
        self.resamples = resamples
        self.seed = seed
    }

    /// The interval of any statistic.
    ///
    /// `statistic` computes it from how often every sample occurs in a resample, and gives nil where it cannot.
    package func interval(confidence: Double = 0.95, _ statistic: (_ weights: [Int]) -> Double?) -> IntervalFigure {
        var weights = [Int](repeating: 0, count: groups.count)
        return interval(confidence, sizes: sizes) { drawn in
            for (index, group) in groups.enumerated() { weights[index] = drawn[group] }
            return statistic(weights)
        }
    }

    /// How many samples every group has.
    var sizes: [Double] { sums(of: [Double](repeating: 1, count: groups.count)) }

    /// The values summed by group.
    func sums(of values: [Double]) -> [Double] {
        precondition(values.count == groups.count, "there is one value per sample")
        var sums = [Double](repeating: 0, count: groupCount)
        for (group, value) in zip(groups, values) { sums[group] += value }
        return sums
    }

    /// The interval of a statistic that is computed from how often every group is drawn.
    ///
    /// `sizes` is what each group weighs.
    func interval(
        _ confidence: Double,
        sizes: [Double],
        _ statistic: (_ drawn: [Int]) -> Double?
    ) -> IntervalFigure {
        let effective = Self.effectiveCount(of: sizes)
        if let reason = Self.tooFew(groups: groupCount, effective: effective) { return .absent(reason) }
        var random = SplitMix64(state: seed)
        var drawn = [Int](repeating: 0, count: groupCount)
        var results: [Double] = []
        results.reserveCapacity(resamples)
        for _ in 0..<resamples {
            for group in drawn.indices { drawn[group] = 0 }
            for _ in 0..<groupCount { drawn[random.below(groupCount)] += 1 }
            if let result = statistic(drawn), result.isFinite { results.append(result) }
        }
        let failed = resamples - results.count
        guard failed * 100 <= resamples else {
            return .absent("no figure in \(failed) of \(resamples) resamples")
        }
        results.sort()
        let t = StudentT.quantile((1 + confidence) / 2, degreesOfFreedom: effective - 1)
        let tail = Normal.cumulative(-t * (effective / (effective - 1)).squareRoot())
        let rank = max(1, Int(tail * Double(results.count + 1)))
        return .value(results[rank - 1]...results[results.count - rank])
    }

    /// How many groups of equal size the groups are worth.
    static func effectiveCount(of sizes: [Double]) -> Double {
        let (sum, squares) = sizes.reduce((0, 0)) { ($0.0 + $1, $0.1 + $1 * $1) }
        return squares > 0 ? sum * sum / squares : 0
    }

    /// Why there are too few groups for an interval, or nil.
    static func tooFew(groups: Int, effective: Double) -> String? {
        if groups < minimumGroups { return "needs ≥ \(minimumGroups) groups, there are \(groups)" }
        // Rounding may put 5 equal groups a hair below 5.
        if effective < minimumEffectiveGroups - 1e-9 { return "most samples are in a few of \(groups) groups" }
        return nil
    }
}
