import Basics
import Documents
import Evaluation
import Foundation
import Harness
import Statistics

/// The rows about how long readings take.
struct LatencyRows {
    let pairs: [SamplePairs.Pair]
    let category: String
    let noise: NoiseFloor
    let tolerances: ComparisonTolerances

    /// The Hodges–Lehmann shift of the samples' median latencies, as a ratio.
    var shift: ComparisonRow {
        let medians = pairs.compactMap { pair -> (pair: SamplePairs.Pair, a: Double, b: Double)? in
            guard let a = pair.a.milliseconds, let b = pair.b.milliseconds, a.isFinite, b.isFinite, a > 0, b > 0 else {
                return nil
            }
            return (pair, a, b)
        }
        let left = pairs.count - medians.count
        guard !medians.isEmpty else { return absent(.latency, "no sample was timed on both sides") }
        let differences = medians.map { log($0.b) - log($0.a) }
        // An estimate of all pairs takes its time, and 500 resamples give the ends of an interval well enough.
        let bootstrap = SamplePairs.bootstrap(medians.map(\.pair), resamples: 500)
        let independent = HodgesLehmann(differences: differences)
        // With samples of one photo in it, the interval for independent ones would be too narrow.
        let interval =
            bootstrap.groupCount == medians.count
            ? independent.interval
            : bootstrap.interval { weights in
                HodgesLehmann.estimate(
                    of: zip(differences, weights).flatMap { [Double](repeating: $0, count: $1) }
                )
            }
        func middle(_ values: [Double]) -> Figure { .value(Percentile.nearestRank(50, of: values.sorted())) }
        return ComparisonRow(
            .latency,
            category: category,
            values: (middle(medians.map(\.a)), middle(medians.map(\.b))),
            change: independent.estimate.value.map(Figure.change) ?? independent.estimate,
            interval: widened(interval, about: independent.estimate, metric: .latency),
            noise: noise[.latency],
            tolerances: tolerances,
            note: left == 0 ? "" : "\(NumberText.count(left, "sample")) without a time on both sides"
        )
    }

    /// The ratio of a percentile of all readings; of the samples' medians where the sides were not read equally often.
    func percentile(_ metric: Metric) -> ComparisonRow {
        guard let percent = metric.percent else { return absent(metric, "not measured") }
        let isAlike = pairs.allSatisfy { $0.a.readings.count == $0.b.readings.count }
        let readings = pairs.flatMap { pair -> [(pair: SamplePairs.Pair, a: Double, b: Double)] in
            if isAlike { return zip(pair.a.readings, pair.b.readings).map { (pair, $0.milliseconds, $1.milliseconds) } }
            guard let a = pair.a.milliseconds, let b = pair.b.milliseconds else { return [] }
            return [(pair, a, b)]
        }
        let needed = Percentile.minimumCount(for: percent)
        guard readings.count >= needed else { return absent(metric, "n too small (needs ≥ \(needed))") }
        let (a, b) = (readings.map(\.a), readings.map(\.b))
        func value(_ values: [Double]) -> Double { Percentile.nearestRank(percent, of: values.sorted()) }
        let ratio = log(value(b)) - log(value(a))
        guard ratio.isFinite else {
            return absent(metric, "more than \(100 - percent) % of the readings timed out")
        }
        let interval = SamplePairs.bootstrap(readings.map(\.pair)).ofQuantileRatio(percent, a, b)
        let logarithms = interval.value.map { IntervalFigure.value(log($0.lowerBound)...log($0.upperBound)) }
        return ComparisonRow(
            metric,
            category: category,
            values: (.value(value(a)), .value(value(b))),
            change: .change(logarithm: ratio),
            interval: widened(logarithms ?? interval, about: .value(ratio), metric: metric),
            noise: noise[metric],
            tolerances: tolerances,
            note: isAlike ? "" : "of the samples' medians"
        )
    }

    /// The interval of a log ratio as one of a change, with what processes differ by.
    private func widened(
        _ interval: IntervalFigure,
        about estimate: Figure,
        metric: Metric
    ) -> IntervalFigure {
        guard let ends = interval.value, let middle = estimate.value else { return interval }
        guard let spread = noise.processSpread else { return .absent(noise[metric].reason ?? NoiseFloor.onePair) }
        func half(_ width: Double) -> Double { (max(0, width) * max(0, width) + spread * spread).squareRoot() }
        return .change(
            logarithms: middle - half(middle - ends.lowerBound),
            middle + half(ends.upperBound - middle),
            orAbsent: "readings or processes differ too much to bound it; a quieter machine or more --rounds would"
        )
    }

    private func absent(_ metric: Metric, _ reason: String) -> ComparisonRow {
        ComparisonRow(metric, category: category, absent: reason, noise: noise[metric], tolerances: tolerances)
    }
}
