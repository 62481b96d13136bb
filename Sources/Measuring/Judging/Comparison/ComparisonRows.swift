import Basics
import Evaluation
import Foundation
import Harness
import Statistics

/// Computes the rows of a comparison.
struct ComparisonRows {
    private let pairs: [SamplePairs.Pair]
    private let workers: (a: [ReadingSet.Worker], b: [ReadingSet.Worker])
    private let noise: NoiseFloor
    private let tolerances: ComparisonTolerances

    init(a: ReadingSet, b: ReadingSet, noise: NoiseFloor, tolerances: ComparisonTolerances) {
        pairs = SamplePairs(a, b).pairs
        workers = (a.workers, b.workers)
        self.noise = noise
        self.tolerances = tolerances
    }

    /// All samples together: a row for each metric that is compared, but for those that no sample is scored in and that are not
    /// to gate.
    var overall: [ComparisonRow] {
        let accuracy = AccuracyRows(pairs: pairs, category: "all", noise: noise, tolerances: tolerances)
        let latency = LatencyRows(pairs: pairs, category: "all", noise: noise, tolerances: tolerances)
        return Metric.compared.compactMap { metric in
            switch metric.taking.pairing {
            case .outcomes:
                let isAsked = pairs.contains { $0.a.outcomes[metric] != nil && $0.b.outcomes[metric] != nil }
                return isAsked || tolerances[metric] != nil ? accuracy.share(metric) : nil
            case .characters: return accuracy.errors
            case .shift: return latency.shift
            case .percentile: return latency.percentile(metric)
            case .process(let value): return process(metric, value)
            case nil: return nil
            }
        }
    }

    /// What was read, and the latency, of each category in the order of the samples' first.
    var byCategory: [ComparisonRow] {
        var names: [String] = []
        for pair in pairs where !names.contains(pair.a.category) { names.append(pair.a.category) }
        if names.count < 2 { return [] }
        return names.flatMap { name in
            let own = pairs.filter { $0.a.category == name }
            return [
                AccuracyRows(pairs: own, category: name, noise: noise, tolerances: tolerances).share(.titleRead),
                LatencyRows(pairs: own, category: name, noise: noise, tolerances: tolerances).shift,
            ]
        }
    }

    /// A figure of whole processes: paired by the stint that they worked in, as they read the same samples there.
    private func process(
        _ metric: Metric,
        _ value: KeyPath<ReadingSet.Worker, Double?>
    ) -> ComparisonRow {
        func most(_ workers: [ReadingSet.Worker]) -> Figure {
            workers.compactMap { $0[keyPath: value] }.max().map { .value($0) } ?? .absent("not measured")
        }
        let isRelative = metric.meaning.unit.isRelative
        let others = Dictionary(
            workers.b.compactMap { worker in worker.stint.map { ($0, worker[keyPath: value]) } },
            uniquingKeysWith: { first, _ in first }
        )
        let changes = workers.a.compactMap { worker -> Double? in
            guard let stint = worker.stint, let a = worker[keyPath: value], let b = others[stint] ?? nil else {
                return nil
            }
            return isRelative ? (a > 0 && b > 0 ? log(b) - log(a) : nil) : b - a
        }
        // Of two values of `changes`, or of what they are taken for.
        func change(_ value: Double) -> Figure { isRelative ? .change(logarithm: value) : .value(value) }
        func interval(_ middle: Double, _ half: Double, _ reason: String) -> IntervalFigure {
            isRelative
                ? .change(logarithms: middle - half, middle + half, orAbsent: reason)
                : .value((middle - half)...(middle + half))
        }
        let (a, b) = (most(workers.a), most(workers.b))
        guard changes.count >= 2 else {
            let single = a.value.flatMap { a in
                b.value.flatMap { b in isRelative ? (a > 0 && b > 0 ? log(b) - log(a) : nil) : b - a }
            }
            // One process each shows no spread; what is known of the noise, which is of several, stands in for it.
            let known = single.flatMap { single in
                noise[metric].value.map {
                    interval(single, isRelative ? log1p($0) : $0, "runs differ too much to bound it; more runs would")
                }
            }
            return ComparisonRow(
                metric,
                values: (a, b),
                change: single.map(change) ?? .absent("not measured"),
                interval: known ?? .absent("one process each shows no spread; more --rounds would"),
                noise: noise[metric],
                tolerances: tolerances
            )
        }
        let (mean, half) = Self.interval(ofMeanOf: changes)
        return ComparisonRow(
            metric,
            values: (a, b),
            change: change(mean),
            interval: interval(
                mean,
                half,
                "\(changes.count) pairs of processes differ too much to bound it; more --rounds would"
            ),
            noise: noise[metric],
            tolerances: tolerances
        )
    }

    /// Student's interval.
    static func interval(ofMeanOf values: [Double]) -> (mean: Double, half: Double) {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        return (mean, StudentT.quantile(0.975, degreesOfFreedom: count - 1) * (variance / count).squareRoot())
    }
}
