import Basics
import Foundation
import Statistics

/// One kind of interval under one way in which data come about whose truth is known.
struct CoverageTrial {
    var name: String
    /// Which share of the intervals should hold the truth: 0.95, or more where ranks are whole numbers.
    var nominal = 0.95
    /// Draws data and gives the interval; nil when there is none.
    var interval: (inout SplitMix64) -> ClosedRange<Double>?
    var truth: Double
    /// By how much more the interval may hold the truth, in percentage points, where it errs on the safe side.
    var excess = 0.0

    /// Counts of intervals that held the truth, and of those that did not.
    struct Outcome {
        var held = 0
        var tooLow = 0
        var tooHigh = 0
        var absent = 0
        var width = 0.0

        var made: Int { held + tooLow + tooHigh }
        var coverage: Double { Double(held) / Double(max(1, made)) }
    }

    /// Draws and counts; the same seed gives the same counts.
    func run(repetitions: Int, seed: UInt64) -> Outcome {
        var random = SplitMix64(state: seed)
        var outcome = Outcome()
        for _ in 0..<repetitions {
            guard let interval = interval(&random) else {
                outcome.absent += 1
                continue
            }
            outcome.width += interval.upperBound - interval.lowerBound
            if interval.upperBound < truth {
                outcome.tooLow += 1
            } else if interval.lowerBound > truth {
                outcome.tooHigh += 1
            } else {
                outcome.held += 1
            }
        }
        return outcome
    }
}

/// Trials of intervals that take samples for independent.
extension CoverageTrial {
    /// Bounds of a percentile of log-normal latencies; what their ranks hold with exactly is the nominal coverage.
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

    /// The shift of differences; whether the interval holds it depends on their signs and ranks alone, so that one
    /// symmetric distribution stands for all.
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

    /// The slope of readings with independent errors, of whose ranks alone the coverage depends.
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

    /// Wilson's interval for rates that are drawn evenly from 0.5…0.99: its coverage moves about 95 % from one rate to the
    /// next, since counts are whole, and is 95 % on average.
    ///
    /// The truth is 0: each interval is moved by its own rate.
    static func wilson(count: Int) -> CoverageTrial {
        CoverageTrial(
            name: "Wilson, average over rates, n = \(count)",
            interval: { random in
                let rate = 0.5 + 0.49 * random.nextDouble()
                let successes = (0..<count).count { _ in random.nextDouble() < rate }
                let interval = Proportion(successes: successes, trials: count).interval(confidence: 0.95)
                return interval.map { $0.lowerBound - rate...$0.upperBound - rate }
            },
            truth: 0
        )
    }
}

/// Trials of intervals over groups.
extension CoverageTrial {
    /// Number and sizes of groups, and the share of the variance that is theirs.
    struct Grouping {
        var count: Int
        var sizes = 1...12
        var correlation: Double

        var text: String { "\(count) groups of \(sizes.lowerBound)–\(sizes.upperBound), correlation \(correlation)" }
    }

    /// A rate: a sample is read right when its value is below a threshold.
    static func rate(_ rate: Double, _ grouping: Grouping, resamples: Int) -> CoverageTrial {
        let threshold = Normal.quantile(rate)
        return CoverageTrial(
            name: "Rate \(rate), \(grouping.text)",
            interval: { random in
                let drawn = DrawnSamples(groupCount: grouping.count, sizes: grouping.sizes, &random)
                let right = drawn.values(correlation: grouping.correlation).map { $0 < threshold }
                return drawn.bootstrap(resamples, &random).ofRate(right).value
            },
            truth: rate,
            excess: grouping.count < 20 ? 1.5 : 0
        )
    }

    /// Rates of two readers of the same samples: most of what makes a sample hard is hard for both.
    static func rateDifference(
        _ first: Double,
        _ second: Double,
        _ grouping: Grouping,
        resamples: Int
    ) -> CoverageTrial {
        let thresholds = (Normal.quantile(first), Normal.quantile(second))
        return CoverageTrial(
            name: "Rate \(second) less \(first), \(grouping.text)",
            interval: { random in
                let drawn = DrawnSamples(groupCount: grouping.count, sizes: grouping.sizes, &random)
                let difficulty = drawn.values(correlation: grouping.correlation)
                let a = difficulty.map { 0.8.squareRoot() * $0 + 0.2.squareRoot() * random.nextNormal() < thresholds.0 }
                let b = difficulty.map { 0.8.squareRoot() * $0 + 0.2.squareRoot() * random.nextNormal() < thresholds.1 }
                return drawn.bootstrap(resamples, &random).ofRateDifference(a, b).value
            },
            truth: second - first,
            excess: grouping.count < 20 ? 1.5 : 0
        )
    }

    /// The mean of log-normal values.
    static func mean(_ grouping: Grouping, resamples: Int) -> CoverageTrial {
        CoverageTrial(
            name: "Mean, log-normal, \(grouping.text)",
            interval: { random in
                let drawn = DrawnSamples(groupCount: grouping.count, sizes: grouping.sizes, &random)
                let values = drawn.values(correlation: grouping.correlation).map { exp(0.5 * $0) }
                return drawn.bootstrap(resamples, &random).ofMean(values).value
            },
            truth: exp(0.125)
        )
    }

    /// The mean of second less first.
    static func meanDifference(_ grouping: Grouping, resamples: Int) -> CoverageTrial {
        CoverageTrial(
            name: "Mean of paired differences, \(grouping.text)",
            interval: { random in
                let drawn = DrawnSamples(groupCount: grouping.count, sizes: grouping.sizes, &random)
                let latencies = drawn.latencies(grouping.correlation, &random)
                return drawn.bootstrap(resamples, &random).ofMeanDifference(latencies.first, latencies.second).value
            },
            truth: exp(DrawnSamples.logOfSecond + DrawnSamples.varianceOfSecond / 2) - exp(0.125)
        )
    }

    /// A percentile of log-normal latencies.
    static func quantile(_ percent: Int, _ grouping: Grouping, resamples: Int) -> CoverageTrial {
        CoverageTrial(
            name: "P\(percent), \(grouping.text)",
            interval: { random in
                let drawn = DrawnSamples(groupCount: grouping.count, sizes: grouping.sizes, &random)
                let values = drawn.values(correlation: grouping.correlation).map { exp(0.5 * $0) }
                return drawn.bootstrap(resamples, &random).ofQuantile(percent, values).value
            },
            truth: exp(0.5 * Normal.quantile(Double(percent) / 100)),
            excess: 1.5
        )
    }

    /// Comparison of two percentiles.
    enum Comparison: String {
        case difference, ratio
    }

    /// A percentile of second compared with that of first.
    static func quantile(
        _ percent: Int,
        _ comparison: Comparison,
        _ grouping: Grouping,
        resamples: Int
    ) -> CoverageTrial {
        let z = Normal.quantile(Double(percent) / 100)
        let first = exp(0.5 * z)
        let second = exp(DrawnSamples.logOfSecond + DrawnSamples.varianceOfSecond.squareRoot() * z)
        return CoverageTrial(
            name: "P\(percent) \(comparison.rawValue), \(grouping.text)",
            interval: { random in
                let drawn = DrawnSamples(groupCount: grouping.count, sizes: grouping.sizes, &random)
                let latencies = drawn.latencies(grouping.correlation, &random)
                let bootstrap = drawn.bootstrap(resamples, &random)
                return switch comparison {
                case .difference: bootstrap.ofQuantileDifference(percent, latencies.first, latencies.second).value
                case .ratio: bootstrap.ofQuantileRatio(percent, latencies.first, latencies.second).value
                }
            },
            truth: comparison == .difference ? second - first : second / first,
            excess: 1.5
        )
    }
}

extension DrawnSamples {
    /// Second is 10 % slower than first, with a scatter of 10 % of its own.
    static let logOfSecond = 0.095_310_179_804_324_87
    /// Of the logarithm of second.
    static let varianceOfSecond = 0.26

    /// Log-normal latencies of two variants on the same samples.
    func latencies(_ correlation: Double, _ random: inout SplitMix64) -> (first: [Double], second: [Double]) {
        let first = values(correlation: correlation).map { 0.5 * $0 }
        let second = first.map { $0 + Self.logOfSecond + 0.1 * random.nextNormal() }
        return (first.map { exp($0) }, second.map { exp($0) })
    }

    func bootstrap(_ resamples: Int, _ random: inout SplitMix64) -> GroupBootstrap {
        GroupBootstrap(groups: groups, resamples: resamples, seed: random.next())
    }
}

extension SplitMix64 {
    /// A draw from the standard normal distribution.
    mutating func nextNormal() -> Double {
        // Half a step up, so that it is never 0.
        Normal.quantile(nextDouble() + 0x1p-54)
    }
}

/// Groups of samples, as photos have spines: groups vary in size, and the samples of one are alike.
struct DrawnSamples {
    /// Group of each sample.
    var groups: [Int] = []
    /// Part that the samples of a group share: one standard normal value, repeated.
    var shared: [Double] = []
    /// Each sample's own part: standard normal.
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

    /// Standard normal values of which the share `correlation` of the variance is the group's.
    func values(correlation: Double) -> [Double] {
        let (between, within) = (correlation.squareRoot(), (1 - correlation).squareRoot())
        return zip(shared, own).map { between * $0 + within * $1 }
    }
}
