import Basics
package import Evaluation
import Foundation
import SpineDatasets
import Statistics

/// Value in a metric's unit, with its interval at 95 % where it has one.
package struct BoundedValue: Sendable, Equatable, Codable {
    package var value: Double
    package var low: Double?
    package var high: Double?

    package init(_ value: Double, _ low: Double? = nil, _ high: Double? = nil) {
        (self.value, self.low, self.high) = (value, low, high)
    }
}

/// Several variants on the same samples, by titles read, latency and peak footprint: which of them is beaten by none.
package struct Pareto: Sendable, Equatable, Codable {
    package struct Point: Sendable, Equatable, Codable {
        /// Index of its variant among all, some of which may lack a figure.
        package var side: Int
        package var name: String
        /// Of each metric of ``Pareto/metrics``.
        package var values: [BoundedValue]
        /// Indices of the points that are at least as good in every metric, and in one better beyond chance.
        package var beatenBy: [Int] = []
        /// Indices of the points that are at least as good in every metric, and in none better beyond chance.
        package var openAgainst: [Int] = []
    }

    package var metrics: [Metric]
    package var points: [Point]

    /// Of each, the first metric that every variant has which has one of them: fewer readings have a P50 than a P95.
    private static let columns: [[Metric]] = [
        [.titleRead], [.bookTitleRead], [.latencyP95, .latencyP50], [.peakFootprint],
    ]

    /// Creates it of the variants that have all metrics which any of them has; nil with fewer than two, or without a
    /// latency.
    ///
    /// `isShown` decides whether a variant is better than another in a metric beyond chance, by their indices.
    init?(
        _ names: [String],
        values: (_ index: Int, _ metric: Metric) -> BoundedValue?,
        isShown: (_ metric: Metric, _ better: Int, _ other: Int) -> Bool
    ) {
        let metrics = Self.columns.compactMap { column in
            let known = names.indices.filter { index in column.contains { values(index, $0) != nil } }
            return known.isEmpty ? nil : column.first { metric in known.allSatisfy { values($0, metric) != nil } }
        }
        let points = names.indices.compactMap { index in
            let own = metrics.compactMap { values(index, $0) }
            return own.count == metrics.count ? Point(side: index, name: names[index], values: own) : nil
        }
        guard points.count >= 2, metrics.count >= 2, metrics.contains(where: \.isLatency) else { return nil }
        (self.metrics, self.points) = (metrics, points)
        for (other, point) in points.enumerated() {
            for (better, rival) in points.enumerated() where better != other {
                let harms = metrics.indices.map { metrics[$0].harm(rival.values[$0].value - point.values[$0].value) }
                guard harms.allSatisfy({ $0 <= 0 }), harms.contains(where: { $0 < 0 }) else { continue }
                let isShown = metrics.contains { isShown($0, rival.side, point.side) }
                self.points[other][keyPath: isShown ? \Point.beatenBy : \Point.openAgainst].append(better)
            }
        }
    }
}

extension Pareto {
    /// Returns one for each dataset and scenario that several measurements of a run have in common.
    ///
    /// Better beyond chance is: the intervals do not meet. A peak of memory of one process has none.
    package static func of(_ result: RunResult) -> [(title: String, pareto: Pareto)] {
        let measurements = result.measurements
        let titles = measurements.map {
            "\($0.dataset), \($0.scenario.label)" + ($0.variant.subject == .shelves ? ", shelves" : "")
        }
        let isAlone = Set(titles).count == 1
        return titles.enumerated().filter { titles.firstIndex(of: $1) == $0 }.compactMap { _, title in
            let own = zip(measurements, titles).filter { $1 == title }.map(\.0)
            let pareto = Pareto(own.map(\.id), values: { own[$0].bounded($1) }) { metric, better, other in
                let (first, second) = (own[better].bounded(metric), own[other].bounded(metric))
                let ends = metric.higherIsBetter ? (first?.low, second?.high) : (second?.low, first?.high)
                return ends.0.flatMap { low in ends.1.map { low > $0 } } ?? false
            }
            return pareto.map { (isAlone ? "Pareto" : "Pareto: \(title)", $0) }
        }
    }
}

extension MeasurementResult {
    func bounded(_ metric: Metric) -> BoundedValue? {
        let found = value(of: metric)
        return (found?.value.value).map { BoundedValue($0, found?.part(.low), found?.part(.high)) }
    }
}

extension BoundedValue {
    /// Creates the figure of one side with its own interval; nil when it has none.
    init?(of side: ReadingSet, _ metric: Metric) {
        let known: (value: Figure, low: Double?, high: Double?)
        if let percent = metric.percent {
            let times = side.entries.flatMap { $0.readings.map(\.milliseconds) }.sorted()
            let independent = side.entries.count { !$0.readings.isEmpty }
            let found = PercentileEstimate(percent: percent, sorted: times, independent: independent)
            known = (found.value, found.lower.value, found.upper.value)
        } else if metric.pairing == .process {
            let figures = side.workers.compactMap { $0.figures[metric] }.filter { $0 > 0 }.map { log($0) }
            if figures.isEmpty { return nil }
            let (mean, half) = figures.meanAndHalf
            known = (.value(exp(mean)), half.map { exp(mean - $0) }, half.map { exp(mean + $0) })
        } else {
            let scored = side.entries.filter { $0.outcomes[metric] != nil }
            let rate = RateEstimate(scored.map { $0.outcomes[metric] == true }, groups: scored.map(\.group))
            known = (rate.rate, rate.interval.lower.value, rate.interval.upper.value)
        }
        guard let value = known.value.value else { return nil }
        self.init(value, known.low, known.high)
    }
}
