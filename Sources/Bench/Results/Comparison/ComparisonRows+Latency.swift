import Basics
import Evaluation
import Foundation
import Harness

extension ComparisonRows {
    /// The Hodges–Lehmann shift of the samples' median latencies, as a ratio.
    var shift: ComparisonRow {
        let medians = pairs.compactMap { pair -> (pair: SamplePairs.Pair, a: Double, b: Double)? in
            guard let a = pair.a.milliseconds, let b = pair.b.milliseconds, a.isFinite, b.isFinite, a > 0, b > 0 else {
                return nil
            }
            return (pair, a, b)
        }
        let left = pairs.count { $0.a.isTimed && $0.b.isTimed } - medians.count
        guard !medians.isEmpty else { return absent(.latency, "no sample was timed on both sides") }
        // An estimate of all pairs takes its time, and 500 resamples give the ends of an interval well enough.
        let bootstrap = SamplePairs.bootstrap(medians.map(\.pair), resamples: 500)
        let shift = HodgesLehmann(differences: medians.map { log($0.b) - log($0.a) }, resampledBy: bootstrap)
        func middle(_ values: [Double]) -> Figure { values.percentile(50).map { .value($0) } ?? .absent("no times") }
        return row(
            .latency,
            (middle(medians.map(\.a)), middle(medians.map(\.b))),
            change: shift.estimate.value.map(Figure.change) ?? shift.estimate,
            interval: widened(shift.interval, about: shift.estimate, metric: .latency),
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
        let (timesA, timesB) = (readings.map(\.a), readings.map(\.b))
        guard let a = timesA.percentile(percent), let b = timesB.percentile(percent), (log(b) - log(a)).isFinite else {
            return absent(metric, "more than \(100 - percent) % of the readings timed out")
        }
        let ratio = log(b) - log(a)
        let interval = SamplePairs.bootstrap(readings.map(\.pair)).ofQuantileRatio(percent, timesA, timesB)
        return row(
            metric,
            (.value(a), .value(b)),
            change: .change(logarithm: ratio),
            interval: widened(interval.mapped { log($0) }, about: .value(ratio), metric: metric),
            note: isAlike ? "" : "of the samples' medians"
        )
    }

    /// The interval of a log ratio as one of a change, with what processes differ by.
    private func widened(_ interval: IntervalFigure, about estimate: Figure, metric: Metric) -> IntervalFigure {
        guard let ends = interval.value, let middle = estimate.value else { return interval }
        guard let spread = noise.processSpread else { return .absent(noise[metric].reason ?? NoiseFloor.onePair) }
        func half(_ width: Double) -> Double { (max(0, width) * max(0, width) + spread * spread).squareRoot() }
        return .change(
            logarithms: middle - half(middle - ends.lowerBound),
            middle + half(ends.upperBound - middle),
            orAbsent: "readings or processes differ too much for a bound; use a quieter machine or \(moreProcesses)"
        )
    }
}

extension HodgesLehmann {
    /// Of independent differences as Wilcoxon's, of photos with several by resampling those: the interval for independent
    /// ones would be too narrow.
    init(differences: [Double], resampledBy bootstrap: GroupBootstrap) {
        self.init(differences: differences)
        guard bootstrap.groupCount < differences.count else { return }
        interval = bootstrap.interval { weights in
            Self.estimate(of: zip(differences, weights).flatMap { [Double](repeating: $0, count: $1) })
        }
    }
}

extension Figure {
    /// A ratio less 1 from the ratio's logarithm; absent where that is no number above −1.
    static func change(logarithm: Double) -> Figure {
        let change = expm1(logarithm)
        return change.isFinite && change > -1
            ? .value(change) : .absent("the difference between the sides is not finite")
    }
}

extension IntervalFigure {
    /// An interval whose ends are further apart than this factor bounds nothing that could be judged by it.
    ///
    /// Student's t of one or two degrees of freedom, which is what two or three processes leave, is that large when they
    /// differ at all.
    static let widestFactor = 10.0

    /// The interval of a ratio less 1 from the ends of its logarithm: finite, and above −1.
    ///
    /// Absent when the ends are further apart than ``widestFactor``: `reason` says of what there is too little, and what would
    /// decide.
    static func change(logarithms lower: Double, _ upper: Double, orAbsent reason: String) -> IntervalFigure {
        guard upper - lower <= log(widestFactor), let first = Figure.change(logarithm: lower).value,
            let last = Figure.change(logarithm: upper).value, first <= last
        else { return .absent(reason) }
        return .value(first...last)
    }

    /// The interval with its ends put through a function that rises.
    func mapped(_ transform: (Double) -> Double) -> IntervalFigure {
        switch self {
        case .value(let range): .value(transform(range.lowerBound)...transform(range.upperBound))
        case .absent: self
        }
    }
}
