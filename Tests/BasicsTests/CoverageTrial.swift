import Foundation
import TestSupport
import Testing

@testable import Basics

/// Trial of a kind of interval on generated data with a known truth.
struct CoverageTrial: Sendable, CustomTestStringConvertible {
    var name: String
    /// Share of the intervals that should contain the true value: 0.95, or more where ranks are whole numbers.
    var nominal = 0.95
    /// Function that draws data and returns the interval; nil when there is none.
    var interval: @Sendable (inout SplitMix64) -> ClosedRange<Double>?
    var truth: Double
    /// Tolerated excess of the coverage, in percentage points, for intervals that err on the safe side.
    var excess = 0.0
    /// Known lack of coverage, in percentage points.
    var lack = 0.0

    var testDescription: String { name }

    /// Returns the share of the intervals that contain the true value; the same seed gives the same share.
    func coverage(draws: Int, seed: UInt64) -> Double {
        var random = SplitMix64(state: seed)
        let intervals = (0..<draws).compactMap { _ in interval(&random) }
        return Double(intervals.count { $0.contains(truth) }) / Double(max(1, intervals.count))
    }
}

/// Trials of intervals that take samples for independent.
extension CoverageTrial {
    /// Returns a trial of the bounds of a percentile of log-normal latencies; the exact coverage of their ranks is
    /// the nominal one.
    static func percentile(_ percent: Int, count: Int) -> CoverageTrial {
        CoverageTrial(
            name: "P\(percent) by ranks, n = \(count)",
            nominal: PercentileBounds(percent: percent, count: count).confidence,
            interval: { random in
                let sorted = (0..<count).map { _ in exp(0.5 * random.nextNormal()) }.sorted()
                let estimate = PercentileEstimate(percent: percent, sorted: sorted)
                guard let lower = estimate.lower.value, let upper = estimate.upper.value else { return nil }
                return lower...upper
            },
            truth: exp(0.5 * Normal.quantile(Double(percent) / 100))
        )
    }

    /// Returns a trial of the shift of differences; its coverage depends on their signs and ranks alone, so that one
    /// symmetric distribution represents all.
    static func shift(count: Int) -> CoverageTrial {
        CoverageTrial(
            name: "Hodges–Lehmann, n = \(count)",
            interval: { random in
                let differences = (0..<count).map { _ in 2 + random.nextNormal() }
                return HodgesLehmann(differences: differences).interval.value
            },
            truth: 2
        )
    }

    /// Returns the slope of readings with independent errors, of whose ranks alone the coverage depends.
    static func slope(count: Int) -> CoverageTrial {
        CoverageTrial(
            name: "Theil–Sen, n = \(count)",
            interval: { random in
                let y = (0..<count).map { 0.3 * Double($0) + random.nextNormal() }
                return TheilSen(x: (0..<count).map(Double.init), y: y).interval.value
            },
            truth: 0.3
        )
    }

    /// Returns a trial of Wilson's interval for rates that are drawn evenly from 0.5…0.99: its coverage moves about
    /// 95 % from one rate to the next, since counts are whole, and is 95 % on average.
    ///
    /// The truth is 0: each interval is moved by its own rate.
    static func wilson(count: Int) -> CoverageTrial {
        CoverageTrial(
            name: "Wilson, average over rates, n = \(count)",
            interval: { random in
                let rate = 0.5 + 0.49 * random.nextDouble()
                let successes = (0..<count).count { _ in random.nextDouble() < rate }
                let interval = Proportion(successes: successes, trials: count).interval
                return interval.map { $0.lowerBound - rate...$0.upperBound - rate }
            },
            truth: 0
        )
    }
}

/// Trials of intervals over groups.
extension CoverageTrial {
    /// Number and sizes of groups, and the share of the variance that is theirs.
    struct Grouping: Sendable {
        var count: Int
        var sizes = 1...12
        var correlation: Double

        var text: String { "\(count) groups of \(sizes.lowerBound)–\(sizes.upperBound), correlation \(correlation)" }
    }

    /// Returns a trial whose interval is taken of a bootstrap over drawn samples.
    private static func over(
        _ grouping: Grouping,
        _ name: String,
        resamples: Int,
        truth: Double,
        excess: Double = 0,
        interval: @escaping @Sendable ([Double], inout SplitMix64) -> (GroupBootstrap) -> IntervalFigure
    ) -> CoverageTrial {
        CoverageTrial(
            name: "\(name), \(grouping.text)",
            interval: { random in
                let drawn = DrawnSamples(groupCount: grouping.count, sizes: grouping.sizes, &random)
                let take = interval(drawn.values(correlation: grouping.correlation), &random)
                return take(GroupBootstrap(groups: drawn.groups, resamples: resamples, seed: random.next())).value
            },
            truth: truth,
            excess: excess
        )
    }

    /// Returns a trial of a rate: a sample is read right when its value is below a threshold.
    static func rate(_ rate: Double, _ grouping: Grouping, resamples: Int) -> CoverageTrial {
        let threshold = Normal.quantile(rate)
        let excess = grouping.count < 20 ? 1.5 : 0
        return over(grouping, "Rate \(rate)", resamples: resamples, truth: rate, excess: excess) { values, _ in
            { $0.ofRate(values.map { $0 < threshold }) }
        }
    }

    /// Returns a trial of the rates of two readers of the same samples: most difficulties of a sample affect both.
    static func rateDifference(
        _ first: Double,
        _ second: Double,
        _ grouping: Grouping,
        resamples: Int
    ) -> CoverageTrial {
        let thresholds = (Normal.quantile(first), Normal.quantile(second))
        let (name, truth) = ("Rate \(second) less \(first)", second - first)
        return over(grouping, name, resamples: max(1_000, resamples), truth: truth, excess: 2.5) { values, random in
            let a = values.map { 0.8.squareRoot() * $0 + 0.2.squareRoot() * random.nextNormal() < thresholds.0 }
            let b = values.map { 0.8.squareRoot() * $0 + 0.2.squareRoot() * random.nextNormal() < thresholds.1 }
            return { $0.ofRateDifference(a, b).interval }
        }
    }

    /// Returns a trial of a reader that loses whole photos, each with the chance `loss`, and else gains and loses nothing.
    static func photosLost(_ loss: Double, _ count: Int, sizes: ClosedRange<Int>, lack: Double) -> CoverageTrial {
        CoverageTrial(
            name: "Whole photos lost, \(loss), \(count) of \(sizes.lowerBound)–\(sizes.upperBound)",
            interval: { random in
                let drawn = DrawnSamples(groupCount: count, sizes: sizes, &random)
                let lost = (0..<count).map { _ in random.nextDouble() < loss }
                let bootstrap = GroupBootstrap(groups: drawn.groups, resamples: 1_000, seed: random.next())
                let right = drawn.groups.map { _ in true }
                return bootstrap.ofRateDifference(right, drawn.groups.map { !lost[$0] }).interval.value
            },
            truth: -loss,
            excess: 2.5,
            lack: lack
        )
    }

    /// Returns the mean of log-normal values.
    static func mean(_ grouping: Grouping, resamples: Int) -> CoverageTrial {
        over(grouping, "Mean, log-normal", resamples: resamples, truth: exp(0.125)) { values, _ in
            { $0.ofRatio(values.map { exp(0.5 * $0) }, values.map { _ in 1 }) }
        }
    }

    /// Returns a percentile of second divided by that of first.
    static func quantileRatio(_ percent: Int, _ grouping: Grouping, resamples: Int) -> CoverageTrial {
        let z = Normal.quantile(Double(percent) / 100)
        let truth = exp(logOfSecond + varianceOfSecond.squareRoot() * z) / exp(0.5 * z)
        let name = "P\(percent) ratio"
        return over(grouping, name, resamples: resamples, truth: truth, excess: 1.5) { values, random in
            let (first, second) = latencies(values, &random)
            return { $0.ofQuantileRatio(percent, first, second) }
        }
    }

    /// Second is 10 % slower than first, with an additional scatter of 10 %.
    private static let logOfSecond = 0.095_310_179_804_324_87
    /// Variance of the logarithm of second.
    private static let varianceOfSecond = 0.26

    /// Returns log-normal latencies of two variants on samples with these standard normal values.
    private static func latencies(_ values: [Double], _ random: inout SplitMix64) -> ([Double], [Double]) {
        let first = values.map { 0.5 * $0 }
        let second = first.map { $0 + logOfSecond + 0.1 * random.nextNormal() }
        return (first.map { exp($0) }, second.map { exp($0) })
    }
}

/// Groups of samples, as photos have spines: groups vary in size, and the samples of one are alike.
struct DrawnSamples {
    /// Group of each sample.
    var groups: [Int] = []
    /// Part that the samples of a group share: one standard normal value, repeated.
    var shared: [Double] = []
    /// Part of each sample: standard normal.
    var own: [Double] = []

    init(groupCount: Int, sizes: ClosedRange<Int>, _ random: inout SplitMix64) {
        for group in 0..<groupCount {
            let effect = random.nextNormal()
            for _ in 0..<sizes.lowerBound + random.below(sizes.count) {
                groups.append(group)
                shared.append(effect)
                own.append(random.nextNormal())
            }
        }
    }

    /// Returns standard normal values with the share `correlation` of the variance from the group.
    func values(correlation: Double) -> [Double] {
        let (between, within) = (correlation.squareRoot(), (1 - correlation).squareRoot())
        return zip(shared, own).map { between * $0 + within * $1 }
    }
}
