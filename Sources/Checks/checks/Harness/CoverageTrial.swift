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
                let interval = Proportion(successes: successes, trials: count).interval
                return interval.map { $0.lowerBound - rate...$0.upperBound - rate }
            },
            truth: 0
        )
    }
}
