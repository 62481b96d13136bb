import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Statistics

/// Rate at which each kind of interval contains the true value, over seeded draws from distributions whose true value
/// is known: 95 % should.
///
/// Bounds of percentiles are two of the sorted values. Ranks are whole numbers, so these bounds hold more often than
/// 95 %, and are checked against the exact coverage of their ranks. Three kinds err on the safe side: percentiles compared (a
/// jackknife of values near their middle overstates a little) and rates of fewer than 20 groups (counts near 0 are whole) may
/// hold 1.5 points more often, differences of rates (the wider of two intervals) 2.5. Where a reader loses whole photos, a few
/// photos decide, and intervals of 20 hold up to 4 points less often, as plain resampling would.
///
/// `SPINEBENCH_COVERAGE=4000` in the environment draws as often, with a tolerance of 1.5 points; the usual 200 draws
/// find a wrong formula and not a wrong point.
@Suite(.tags(.slow)) struct CoverageTests {
    private static let draws = ProcessInfo.processInfo.environment["SPINEBENCH_COVERAGE"].flatMap { Int($0) } ?? 200

    /// A kind of interval, on generated data with a known truth.
    struct Trial: Sendable, CustomTestStringConvertible {
        var name: String
        var truth: Double
        /// Share of the intervals that should contain the true value: 0.95, or more where ranks are whole numbers.
        var nominal = 0.95
        /// Tolerated excess of the coverage, in percentage points, for intervals that err on the safe side.
        var excess = 0.0
        /// Known lack of coverage, in percentage points.
        var lack = 0.0
        /// Draws data and returns the interval; nil when there is none.
        var interval: @Sendable (inout SplitMix64) -> ClosedRange<Double>?

        var testDescription: String { name }

        /// Returns the share of the intervals that contain the true value; the same seed gives the same share.
        func coverage(draws: Int, seed: UInt64) -> Double {
            var random = SplitMix64(state: seed)
            let intervals = (0..<draws).compactMap { _ in interval(&random) }
            return Double(intervals.count { $0.contains(truth) }) / Double(max(1, intervals.count))
        }
    }

    @Test(arguments: independent + grouped) func intervalsHold(trial: Trial) {
        let excess = 100 * (trial.coverage(draws: Self.draws, seed: 1) - trial.nominal)
        // Four standard errors of a share of 95 %.
        let tolerance = max(1.5, 400 * (0.95 * 0.05 / Double(Self.draws)).squareRoot())
        #expect(excess >= -tolerance - trial.lack && excess <= tolerance + trial.excess)
    }

    @Test func groupedSamplesTakenForIndependentHaveTooNarrowIntervals() {
        let threshold = Normal.quantile(0.8)
        let trial = Trial(name: "Wilson over groups", truth: 0.8) { random in
            let drawn = DrawnSamples(groupCount: 15, sizes: 6...6, &random).values(correlation: 0.5)
            return Proportion(successes: drawn.count { $0 < threshold }, trials: drawn.count).interval
        }
        #expect(trial.coverage(draws: 300, seed: 11) < 0.85)
    }

    // MARK: Independent samples

    private static let independent: [Trial] = {
        // Rates are drawn evenly from 0.5…0.99, as Wilson's coverage moves about 95 % from one rate to the next, since counts
        // are whole; each interval is moved by its own rate.
        let rates = [20, 40, 100, 240, 1000].map { count in
            Trial(name: "Wilson, average over rates, n = \(count)", truth: 0) { random in
                let rate = 0.5 + 0.49 * random.nextDouble()
                let successes = (0..<count).count { _ in random.nextDouble() < rate }
                let interval = Proportion(successes: successes, trials: count).interval
                return interval.map { $0.lowerBound - rate...$0.upperBound - rate }
            }
        }
        let ranks = [(50, 6), (50, 20), (50, 240), (95, 72), (95, 100), (95, 240), (95, 1000), (99, 368), (99, 1000)]
        let percentiles = ranks.map { percent, count in
            Trial(
                name: "P\(percent) by ranks, n = \(count)",
                truth: exp(0.5 * Normal.quantile(Double(percent) / 100)),
                nominal: PercentileBounds(percent: percent, count: count).confidence
            ) { random in
                let sorted = (0..<count).map { _ in exp(0.5 * random.nextNormal()) }.sorted()
                let estimate = PercentileEstimate(percent: percent, sorted: sorted)
                return estimate.lower.value.flatMap { lower in estimate.upper.value.map { lower...$0 } }
            }
        }
        // Coverage depends on signs and ranks alone, so that one distribution represents all.
        let shifts = [10, 30, 60, 240].map { count in
            Trial(name: "Hodges–Lehmann, n = \(count)", truth: 2) { random in
                HodgesLehmann(differences: (0..<count).map { _ in 2 + random.nextNormal() }).interval.value
            }
        }
        let slopes = [12, 30, 120].map { count in
            Trial(name: "Theil–Sen, n = \(count)", truth: 0.3) { random in
                let y = (0..<count).map { 0.3 * Double($0) + random.nextNormal() }
                return TheilSen(x: (0..<count).map(Double.init), y: y).interval.value
            }
        }
        return rates + percentiles + shifts + slopes
    }()

    // MARK: Samples in groups

    /// Number and sizes of groups, and the share of the variance that is theirs.
    private struct Grouping: Sendable {
        var count: Int
        var sizes = 1...12
        var correlation: Double
    }

    /// Returns a trial whose interval is taken of a bootstrap over drawn samples.
    private static func trial(
        _ name: String,
        _ grouping: Grouping,
        truth: Double,
        excess: Double = 0,
        least: Int = 0,
        interval: @escaping @Sendable ([Double], inout SplitMix64) -> (GroupBootstrap) -> IntervalFigure
    ) -> Trial {
        let text = "\(grouping.count) groups of \(grouping.sizes), correlation \(grouping.correlation)"
        let resamples = max(least, draws > 1_000 ? 1_000 : 200)
        return Trial(name: "\(name), \(text)", truth: truth, excess: excess) { random in
            let drawn = DrawnSamples(groupCount: grouping.count, sizes: grouping.sizes, &random)
            let take = interval(drawn.values(correlation: grouping.correlation), &random)
            return take(GroupBootstrap(groups: drawn.groups, resamples: resamples, seed: random.next())).value
        }
    }

    private static let grouped: [Trial] = {
        let few = Grouping(count: 10, correlation: 0.1)
        let some = Grouping(count: 20, correlation: 0.1)
        let many = Grouping(count: 60, correlation: 0.2)
        let all = [few, some, Grouping(count: 20, correlation: 0.3), many]
        let large = Grouping(count: 20, sizes: 12...12, correlation: 0.2)
        // A sample is read right when its value is below a threshold.
        let rates = all.flatMap { grouping in
            [0.85, 0.95].map { rate in
                let (threshold, excess) = (Normal.quantile(rate), grouping.count < 20 ? 1.5 : 0)
                return trial("Rate \(rate)", grouping, truth: rate, excess: excess) { values, _ in
                    { $0.ofRate(values.map { $0 < threshold }) }
                }
            }
        }
        // Two readers of the same samples: most difficulties of a sample affect both.
        let (first, second) = (Normal.quantile(0.9), Normal.quantile(0.87))
        let differences = all.map { grouping in
            trial("Rate 0.87 less 0.9", grouping, truth: -0.03, excess: 2.5, least: 1_000) { values, random in
                func right(_ threshold: Double) -> [Bool] {
                    values.map { 0.8.squareRoot() * $0 + 0.2.squareRoot() * random.nextNormal() < threshold }
                }
                let (a, b) = (right(first), right(second))
                return { $0.ofRateDifference(a, b).interval }
            }
        }
        // A reader that loses whole photos, each by chance, and else gains and loses nothing.
        let lost = [(20, 4.0), (60, 2.0)].map { count, lack in
            Trial(name: "Whole photos lost, \(count)", truth: -0.2, excess: 2.5, lack: lack) { random in
                let drawn = DrawnSamples(groupCount: count, sizes: 1...12, &random)
                let lost = (0..<count).map { _ in random.nextDouble() < 0.2 }
                let bootstrap = GroupBootstrap(groups: drawn.groups, resamples: 1_000, seed: random.next())
                let right = drawn.groups.map { _ in true }
                return bootstrap.ofRateDifference(right, drawn.groups.map { !lost[$0] }).interval.value
            }
        }
        let means = all.map { grouping in
            trial("Mean, log-normal", grouping, truth: exp(0.125)) { values, _ in
                { $0.ofRatio(values.map { exp(0.5 * $0) }, values.map { _ in 1 }) }
            }
        }
        // Second is 10 % slower than first, with an additional scatter of 10 %: a variance of 0.25 + 0.01 of its logarithm.
        let ratios = [some, large, many].flatMap { grouping in
            [50, 95].map { percent in
                let z = Normal.quantile(Double(percent) / 100)
                let truth = 1.1 * exp((0.26.squareRoot() - 0.5) * z)
                return trial("P\(percent) ratio", grouping, truth: truth, excess: 1.5) { values, random in
                    let second = values.map { 1.1 * exp(0.5 * $0 + 0.1 * random.nextNormal()) }
                    return { $0.ofQuantileRatio(percent, values.map { exp(0.5 * $0) }, second) }
                }
            }
        }
        return rates + differences + lost + means + ratios
    }()
}

/// Groups of samples, as photos have spines: groups vary in size, and the samples of one are alike.
private struct DrawnSamples {
    /// Group of each sample.
    var groups: [Int] = []
    /// Part that the samples of a group share, and that of each sample: standard normal values.
    private var parts: [(shared: Double, own: Double)] = []

    init(groupCount: Int, sizes: ClosedRange<Int>, _ random: inout SplitMix64) {
        for group in 0..<groupCount {
            let effect = random.nextNormal()
            for _ in 0..<sizes.lowerBound + random.below(sizes.count) {
                groups.append(group)
                parts.append((effect, random.nextNormal()))
            }
        }
    }

    /// Returns standard normal values with the share `correlation` of the variance from the group.
    func values(correlation: Double) -> [Double] {
        let (between, within) = (correlation.squareRoot(), (1 - correlation).squareRoot())
        return parts.map { between * $0.shared + within * $0.own }
    }
}
