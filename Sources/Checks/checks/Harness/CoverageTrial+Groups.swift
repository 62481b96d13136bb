import Basics
import Foundation
import Statistics

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

    /// - Parameters:
    ///   - groupCount: How many groups.
    ///   - sizes: Each group's size is drawn from these.
    ///   - random: What to draw with.
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
