package import Basics

/// A share with the interval that is valid for the sampling.
public struct RateEstimate: Sendable, Equatable, Codable {
    package var successes: Int
    package var trials: Int
    /// Interval at 95 %, 0…1.
    package var interval: IntervalFigure
    package var basis: Basis

    /// Sampling that an interval of a share supposes.
    package enum Basis: String, Sendable, Codable {
        /// Wilson's interval; the samples are independent.
        case independent
        /// Samples of one photo are alike: ``GroupBootstrap/ofRate(groups:singles:)``.
        case groups
        /// Wilson's interval although samples share photos, because the photos are too few: too narrow.
        case tooFewGroups
    }

    /// Creates the estimate of samples that are successes or not, and come from groups such as photos; nil for one of
    /// its own.
    package init(_ results: [Bool], groups: [String?]) {
        precondition(results.count == groups.count, "there is one group per sample")
        var counts = GroupedCounts()
        for (result, group) in zip(results, groups) { counts.add(result, group: group) }
        self = counts.estimate
    }

    /// Creates the estimate from the counts of each group, and of samples without one.
    ///
    /// - Parameters:
    ///   - groups: each with a trial at least.
    ///   - singles: samples that are a group each.
    init(groups: [GroupedCounts.Count], singles: GroupedCounts.Count) {
        successes = groups.reduce(singles.successes) { $0 + $1.successes }
        trials = groups.reduce(singles.trials) { $0 + $1.trials }
        let wilson = Proportion(successes: successes, trials: trials).interval
        guard let wilson else {
            (interval, basis) = (.absent("no samples"), .independent)
            return
        }
        guard groups.count + singles.trials < trials else {
            (interval, basis) = (.value(wilson), .independent)
            return
        }
        switch GroupBootstrap.ofRate(groups: groups, singles: singles) {
        case .value(let range): (interval, basis) = (.value(range), .groups)
        case .absent: (interval, basis) = (.value(wilson), .tooFewGroups)
        }
    }

    package var proportion: Proportion { Proportion(successes: successes, trials: trials) }

    /// The point estimate, 0…1; absent without trials.
    package var rate: Figure { proportion.rate }

    /// Names as numbers from 0 on, in the order in which they first occur; nil is a group of its own each time.
    package static func numbered(_ groups: [String?]) -> (groups: [Int], count: Int) {
        var numbers: [String: Int] = [:]
        var count = 0
        let numbered = groups.map { name in
            if let name, let known = numbers[name] { return known }
            defer { count += 1 }
            if let name { numbers[name] = count }
            return count
        }
        return (numbered, count)
    }
}

/// A share with its counts.
package struct Proportion: Sendable, Equatable, Codable {
    package var successes: Int
    package var trials: Int

    /// - Precondition: `0 ≤ successes ≤ trials`.
    package init(successes: Int, trials: Int) {
        precondition(successes >= 0 && successes <= trials, "there are no more successes than trials")
        self.successes = successes
        self.trials = trials
    }

    /// The point estimate, 0…1; absent without trials.
    package var rate: Figure { .ratio(successes, trials, orAbsent: "no samples") }

    /// The 95 % score interval, 0…1; nil without trials.
    package var interval: ClosedRange<Double>? { interval(confidence: Confidence.level) }

    /// Returns the score interval of any confidence between 0 and 1; nil without trials.
    ///
    /// It takes the trials for independent: several spines from one photo are not, and the true interval is wider
    /// then.
    ///
    /// Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927),
    /// 209–212.
    package func interval(confidence: Double) -> ClosedRange<Double>? {
        let (successes, trials) = (Double(successes), Double(trials))
        return trials == 0 ? nil : Self.scoreInterval(rate: successes / trials, trials: trials, confidence)
    }

    /// Returns Wilson's interval for a rate seen in that many trials, which need not be a whole number of them.
    static func scoreInterval(
        rate p: Double,
        trials n: Double,
        _ confidence: Double = Confidence.level
    ) -> ClosedRange<Double> {
        let z = Normal.twoSided(confidence)
        let z2 = z * z
        let centre = p + z2 / (2 * n)
        let half = z * (p * (1 - p) / n + z2 / (4 * n * n)).squareRoot()
        // Rounding may leave the ends of 0 of n and n of n a hair outside.
        return max(0, (centre - half) / (1 + z2 / n))...min(1, (centre + half) / (1 + z2 / n))
    }

    /// Returns the fewest trials, all in all, at which the interval no longer includes `target` if the rate stays as
    /// it is; no more than `trials` when it does not include it now.
    ///
    /// Nil without trials, and when the rate is the target. The interval excludes the target when (rate − target)² n
    /// > z² target (1 − target). For a one-sided test with error α take a confidence of 1 − 2α.
    package func trialsToDecide(_ target: Double, confidence: Double = 0.95) -> Int? {
        guard let rate = rate.value, rate != target else { return nil }
        let z = Normal.twoSided(confidence)
        let needed = z * z * target * (1 - target) / ((rate - target) * (rate - target))
        // A target within 10⁻⁸ of the rate would take more trials than can be counted.
        return needed < 1e15 ? Int(needed) + 1 : nil
    }

    /// Returns the fewest trials at which a perfect score puts the whole interval at or above `target`: with fewer,
    /// no result can show that the target is met.
    ///
    /// `target` is in 0..<1. Solved from the lower end for p = 1, which is n / (n + z²).
    package static func minimumTrials(toShow target: Double) -> Int {
        Int((target / (1 - target) * Normal.twoSided() * Normal.twoSided()).rounded(.up))
    }
}

/// Answers to a question of yes or no over samples that come in groups, counted as they come.
///
/// Only whole numbers are kept, for each group, so that any order of the samples gives the same estimates to the last
/// bit; a sample without a group takes no memory.
package struct GroupedCounts: Sendable {
    /// Yes answers, and all answers.
    struct Count: Sendable, Equatable {
        var successes = 0
        var trials = 0

        mutating func add(_ isSuccess: Bool) { (successes, trials) = (successes + (isSuccess ? 1 : 0), trials + 1) }
    }

    /// By a hash of the group's name.
    private var groups: [UInt64: Count] = [:]
    /// Samples without a group.
    private var singles = Count()

    package init() {}

    package mutating func add(_ isSuccess: Bool, group: String?) {
        guard let group else { return singles.add(isSuccess) }
        var hash = FNV1a()
        hash.append(group.utf8)
        groups[hash.value, default: Count()].add(isSuccess)
    }

    /// The share of yes with the interval for its groups.
    package var estimate: RateEstimate {
        // A fixed order: means over groups depend on it.
        RateEstimate(groups: groups.sorted { $0.key < $1.key }.map(\.value), singles: singles)
    }
}

extension GroupBootstrap {
    /// Returns the interval of a rate from the counts of each group.
    ///
    /// Not resampled: near 0 and 1, the usual rates, resamples of few failures are all alike and the interval far too
    /// narrow. It is Wilson's interval for the number of independent samples that the samples are worth: the number
    /// at which the rate would vary as it does when one group is left out at a time, scaled by (z/t)² for the
    /// uncertainty of that. If all samples are read right, or none, they count as independent, as evidence of their
    /// likeness is missing.
    ///
    /// Source: Korn and Graubard, "Confidence intervals for proportions with small expected number of positive counts
    /// estimated from survey data", Survey Methodology 24 (1998), 193–201, with Wilson's interval in place of
    /// Clopper's.
    ///
    /// - Parameters:
    ///   - groups: each with a trial at least; means are taken in their order.
    ///   - singles: samples that are a group each.
    /// - Returns: absent with too few groups.
    static func ofRate(groups: [GroupedCounts.Count], singles: GroupedCounts.Count) -> IntervalFigure {
        let trials = Double(groups.reduce(singles.trials) { $0 + $1.trials })
        let successes = Double(groups.reduce(singles.successes) { $0 + $1.successes })
        let squares = Double(groups.reduce(singles.trials) { $0 + $1.trials * $1.trials })
        let effective = squares > 0 ? trials * trials / squares : 0
        let count = groups.count + singles.trials
        if let reason = tooFew(groups: count, effective: effective) { return .absent(reason) }
        // The rate without one group after the other, with the number of groups of each kind.
        typealias Kind = (left: GroupedCounts.Count, times: Int)
        var kinds: [Kind] = groups.map { ($0, 1) }
        kinds.append((GroupedCounts.Count(successes: 1, trials: 1), singles.successes))
        kinds.append((GroupedCounts.Count(successes: 0, trials: 1), singles.trials - singles.successes))
        let rates = kinds.map { kind -> (rate: Double, times: Double) in
            let left = trials - Double(kind.left.trials)
            return ((successes - Double(kind.left.successes)) / left, Double(kind.times))
        }
        let mean = rates.reduce(0) { $0 + $1.rate * $1.times } / Double(count)
        let spread = rates.reduce(0) { $0 + ($1.rate - mean) * ($1.rate - mean) * $1.times }
        let error = (spread * Double(count - 1) / Double(count)).squareRoot()
        let rate = successes / trials
        let share = worth(varianceOfOne: rate * (1 - rate), count: trials, error: error, effective: effective)
        return .value(Proportion.scoreInterval(rate: rate, trials: trials * share))
    }
}
