import Foundation
import Statistics

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
