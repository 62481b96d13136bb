package import Basics

/// Intervals for samples that come in groups: several spines from one photo are alike, so whole photos count and not
/// spines.
///
/// Every figure has a construction whose intervals contained the truth in about 95 % of all draws (`CoverageTests`).
/// Ratios and any other statistic are resampled by group; rates and percentiles have methods of their own.
///
/// Of resamples a plain percentile interval is too narrow for few groups, since resampled groups spread less than new
/// ones would and their spread is itself uncertain. It is widened to the quantile Φ(−t √(g/(g − 1))) with Student's t
/// of g − 1 degrees of freedom, where g is the number of groups, or fewer when their sizes differ: (Σ size)² / Σ
/// size². The same seed gives the same resamples to every statistic, and the same samples to both sides of a
/// comparison.
///
/// Source: Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69 (2015), 371–386,
/// section 5.3 (expanded percentile interval); Kish, "Survey Sampling" (1965), for the effective number.
package struct GroupBootstrap: Sendable {
    /// Minimum number of groups for an interval: coverage was measured from 10 on.
    package static let minimumGroups = 10
    /// The same for the number of groups of equal size that the groups are worth.
    package static let minimumEffectiveGroups = 5.0

    /// Group of every sample, 0..<groupCount.
    package let groups: [Int]
    package let groupCount: Int
    package let resamples: Int
    package let seed: UInt64

    /// `groups`: number of every sample's group, from 0 on without a gap.
    package init(groups: [Int], resamples: Int = 2_000, seed: UInt64 = 1) {
        groupCount = (groups.max() ?? -1) + 1
        precondition(Set(groups) == Set(0..<groupCount), "groups are numbered from 0 without a gap")
        (self.groups, self.resamples, self.seed) = (groups, resamples, seed)
    }

    /// Returns the interval of any statistic.
    ///
    /// `statistic` computes it from how often every sample occurs in a resample, and gives nil where it cannot.
    package func interval(_ statistic: (_ weights: [Int]) -> Double?) -> IntervalFigure {
        var weights = [Int](repeating: 0, count: groups.count)
        return interval(sizes: sizes) { drawn in
            for (index, group) in groups.enumerated() { weights[index] = drawn[group] }
            return statistic(weights)
        }
    }

    var sizes: [Double] { sums(of: [Double](repeating: 1, count: groups.count)) }

    func sums(of values: [Double]) -> [Double] {
        precondition(values.count == groups.count, "there is one value per sample")
        var sums = [Double](repeating: 0, count: groupCount)
        for (group, value) in zip(groups, values) { sums[group] += value }
        return sums
    }

    /// Returns the interval of a statistic that is computed from the number of draws of every group.
    ///
    /// `sizes`: weights of the groups.
    func interval(sizes: [Double], _ statistic: (_ drawn: [Int]) -> Double?) -> IntervalFigure {
        let effective = Self.effectiveCount(of: sizes)
        if let reason = Self.tooFew(groups: groupCount, effective: effective) { return .absent(reason) }
        let results = resampled(statistic)
        let failed = resamples - results.count
        guard failed * 100 <= resamples else { return .absent("no figure in \(failed) of \(resamples) resamples") }
        return .value(Self.expanded(results, effective: effective))
    }

    /// Returns the finite results of the resamples, in ascending order.
    private func resampled(_ statistic: (_ drawn: [Int]) -> Double?) -> [Double] {
        var random = SplitMix64(state: seed)
        var drawn = [Int](repeating: 0, count: groupCount)
        var results: [Double] = []
        results.reserveCapacity(resamples)
        for _ in 0..<resamples {
            for group in drawn.indices { drawn[group] = 0 }
            for _ in 0..<groupCount { drawn[random.below(groupCount)] += 1 }
            if let result = statistic(drawn), result.isFinite { results.append(result) }
        }
        return results.sorted()
    }

    /// Returns the expanded percentile interval of sorted results.
    private static func expanded(_ results: [Double], effective: Double) -> ClosedRange<Double> {
        let t = StudentT.twoSided(degreesOfFreedom: effective - 1)
        let tail = Normal.cumulative(-t * (effective / (effective - 1)).squareRoot())
        let rank = max(1, Int(tail * Double(results.count + 1)))
        return results[rank - 1]...results[results.count - rank]
    }

    /// Reason for too few groups for an interval of rates; nil where there are enough.
    package var lack: String? { Self.tooFew(groups: groupCount, effective: Self.effectiveCount(of: sizes)) }

    /// Returns the number of groups of equal size that the groups are worth.
    static func effectiveCount(of sizes: [Double]) -> Double {
        let (sum, squares) = sizes.reduce((0, 0)) { ($0.0 + $1, $0.1 + $1 * $1) }
        return squares > 0 ? sum * sum / squares : 0
    }

    /// Returns the reason for too few groups for an interval, or nil.
    static func tooFew(groups: Int, effective: Double) -> String? {
        if groups < minimumGroups { return "needs ≥ \(minimumGroups) groups, there are \(groups)" }
        // Rounding may put 5 equal groups a hair below 5.
        if effective < minimumEffectiveGroups - 1e-9 { return "most samples are in a few of \(groups) groups" }
        return nil
    }
}

extension GroupBootstrap {
    /// Returns the standard error of a statistic, from leaving out one group at a time.
    ///
    /// `statistic` is computed from how often every group occurs.
    func jackknifeError(_ statistic: (_ drawn: [Int]) -> Double) -> Double {
        var drawn = [Int](repeating: 1, count: groupCount)
        let results = drawn.indices.map { group in
            drawn[group] = 0
            defer { drawn[group] = 1 }
            return statistic(drawn)
        }
        let mean = results.reduce(0, +) / Double(groupCount)
        let squares = results.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares * Double(groupCount - 1) / Double(groupCount)).squareRoot()
    }

    /// Returns an estimate with Student's t times its jackknife error to both sides; absent when either is not
    /// finite.
    func jackknifeInterval(_ statistic: (_ drawn: [Int]) -> Double) -> IntervalFigure {
        let effective = Self.effectiveCount(of: sizes)
        if let reason = Self.tooFew(groups: groupCount, effective: effective) { return .absent(reason) }
        let estimate = statistic([Int](repeating: 1, count: groupCount))
        let t = StudentT.twoSided(degreesOfFreedom: effective - 1)
        let half = t * jackknifeError(statistic)
        return half.isFinite && estimate.isFinite
            ? .value(estimate - half...estimate + half)
            : .absent("readings that timed out decide it")
    }
}

extension GroupBootstrap {
    /// Returns the interval of a sum over a sum, such as edits over characters: one numerator and one denominator per
    /// sample, no denominator below 0.
    package func ofRatio(_ numerators: [Double], _ denominators: [Double]) -> IntervalFigure {
        let (over, under) = (sums(of: numerators), sums(of: denominators))
        return interval(sizes: under) { drawn in
            var (numerator, denominator) = (0.0, 0.0)
            for (group, times) in drawn.enumerated() where times > 0 {
                numerator += Double(times) * over[group]
                denominator += Double(times) * under[group]
            }
            return denominator > 0 ? numerator / denominator : nil
        }
    }

    /// Returns the interval of the rate of second less that of first, both of the same samples, and the p value of no
    /// difference: below 0.05 exactly where the interval excludes 0.
    ///
    /// At either end the interval is the wider of two, and p is the larger of theirs. Tango's takes samples for
    /// independent, and holds where few of them differ and resamples would be all alike; p is that of its score test at 0,
    /// McNemar's without a correction. The bootstrap by groups covers the likeness of a group's samples, which only groups
    /// of several have.
    ///
    /// Source: ``PairedRates``; Fagerland, Lydersen and Laake, "The McNemar test for binary matched-pairs data", BMC
    /// Medical Research Methodology 13 (2013), 91, for the score test rather than the exact one; the bootstrap as above.
    package func ofRateDifference(_ first: [Bool], _ second: [Bool]) -> (interval: IntervalFigure, p: Double?) {
        precondition(first.count == second.count, "both sides are of the same samples")
        let differences = zip(first, second).map { ($1 ? 1.0 : 0) - ($0 ? 1 : 0) }
        let (sums, sizes) = (sums(of: differences), self.sizes)
        let effective = Self.effectiveCount(of: sizes)
        if let reason = Self.tooFew(groups: groupCount, effective: effective) { return (.absent(reason), nil) }
        let (gained, lost) = (differences.count { $0 > 0 }, differences.count { $0 < 0 })
        let score = PairedRates(gained: Double(gained), lost: Double(lost), pairs: Double(differences.count))
        if gained + lost == 0 || groupCount == differences.count { return (.value(score.interval), score.p) }
        let results = resampled { drawn in
            var (sum, size) = (0.0, 0.0)
            for (group, times) in drawn.enumerated() where times > 0 {
                sum += Double(times) * sums[group]
                size += Double(times) * sizes[group]
            }
            return sum / size
        }
        let (ends, own) = (Self.expanded(results, effective: effective), score.interval)
        // As the rank of an end that excludes 0.
        let beyond = results.count { gained > lost ? $0 <= 0 : $0 >= 0 } + 1
        let z = gained == lost ? 0 : -Normal.quantile(min(0.5, Double(beyond) / Double(results.count + 1)))
        let t = z / (effective / (effective - 1)).squareRoot()
        let p = 2 * StudentT.cumulative(-t, degreesOfFreedom: effective - 1)
        return (
            .value(min(ends.lowerBound, own.lowerBound)...max(ends.upperBound, own.upperBound)), max(score.p, min(1, p))
        )
    }

    /// Returns the share of `count` samples that, if they were independent, would determine their mean as precisely, by the
    /// standard error that leaving out groups gives.
    ///
    /// Above 1 if groups happen to be more even than independent samples: counting that as 1 would make up for it on
    /// one side only and widen intervals on average. Above 2 it counts as chance.
    static func worth(varianceOfOne: Double, count: Double, error: Double, effective: Double) -> Double {
        let share = varianceOfOne > 0 ? min(2, varianceOfOne / count / (error * error)) : 1
        let t = StudentT.twoSided(degreesOfFreedom: effective - 1)
        let narrowing = Normal.twoSided() / t
        return share * narrowing * narrowing
    }
}
