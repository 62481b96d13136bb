import Basics
package import Evaluation
import Harness
import SpineDatasets

/// Several variants on the same samples, by titles read, P95 and peak footprint: which of them is beaten by none.
package struct Pareto: Sendable, Equatable, Codable {
    /// Value in the metric's unit, with its interval at 95 % where it has one.
    package struct Estimate: Sendable, Equatable, Codable {
        package var value: Double
        package var low: Double?
        package var high: Double?

        init(_ value: Double, _ low: Double?, _ high: Double?) {
            (self.value, self.low, self.high) = (value, low, high)
        }
    }

    package struct Point: Sendable, Equatable, Codable {
        /// Index of its variant among all, some of which may lack a figure.
        package var side: Int
        package var name: String
        /// Of each metric of ``Pareto/metrics``.
        package var values: [Estimate]
        /// Indices of the points that are at least as good in every metric, and in one better beyond chance.
        package var beatenBy: [Int] = []
        /// Indices of the points that are at least as good in every metric, and in none better beyond chance.
        package var openAgainst: [Int] = []
    }

    package var metrics: [Metric]
    package var points: [Point]

    static let metrics: [Metric] = [.titleRead, .bookTitleRead, .latencyP95, .peakFootprint]

    /// Creates it of the variants that have all metrics which any of them has; nil with fewer than two.
    ///
    /// `isShown` decides whether a variant is better than another in a metric beyond chance, by their indices.
    init?(
        _ names: [String],
        values: (_ index: Int, _ metric: Metric) -> Estimate?,
        isShown: (_ metric: Metric, _ better: Int, _ other: Int) -> Bool
    ) {
        let all = names.indices.map { index in Self.metrics.map { values(index, $0) } }
        let places = Self.metrics.indices.filter { place in all.contains { $0[place] != nil } }
        let whole = names.indices.filter { index in places.allSatisfy { all[index][$0] != nil } }
        guard whole.count >= 2, places.count >= 2 else { return nil }
        metrics = places.map { Self.metrics[$0] }
        points = whole.map { index in
            Point(side: index, name: names[index], values: places.compactMap { all[index][$0] })
        }
        for (other, point) in points.enumerated() {
            for (better, rival) in points.enumerated() where better != other {
                let harms = metrics.indices.map { metrics[$0].harm(rival.values[$0].value - point.values[$0].value) }
                guard harms.allSatisfy({ $0 <= 0 }), harms.contains(where: { $0 < 0 }) else { continue }
                let isShown = metrics.contains { isShown($0, whole[better], whole[other]) }
                points[other][keyPath: isShown ? \Point.beatenBy : \Point.openAgainst].append(better)
            }
        }
    }
}

extension Pareto {
    /// Returns one for each dataset and scenario that several measurements of a run have in common.
    ///
    /// Better beyond chance is: the intervals do not meet. A peak of memory without an interval has to be lower by the
    /// standard tolerances of a comparison.
    package static func of(_ result: RunResult) -> [(title: String, pareto: Pareto)] {
        let measurements = result.measurements
        let titles = measurements.map {
            "\($0.dataset), \($0.scenario.label)" + ($0.variant.subject == .shelves ? ", shelves" : "")
        }
        let isAlone = Set(titles).count == 1
        return titles.enumerated().filter { titles.firstIndex(of: $1) == $0 }.compactMap { _, title in
            let own = zip(measurements, titles).filter { $1 == title }.map(\.0)
            func estimate(_ index: Int, _ metric: Metric) -> Estimate? {
                let found = own[index].value(of: metric)
                return (found?.value.value).map { Estimate($0, found?.part(.low), found?.part(.high)) }
            }
            let pareto = Pareto(own.map(\.id), values: estimate) { metric, better, other in
                guard let first = estimate(better, metric), let second = estimate(other, metric) else { return false }
                if metric == .peakFootprint {
                    let tolerances = ComparisonTolerances.standard
                    return second.value - first.value
                        > max(tolerances.leastBytes, (tolerances[metric] ?? 0) * first.value)
                }
                let ends = metric.higherIsBetter ? (first.low, second.high) : (second.low, first.high)
                return ends.0.flatMap { low in ends.1.map { low > $0 } } ?? false
            }
            return pareto.map { (isAlone ? "Pareto" : "Pareto: \(title)", $0) }
        }
    }
}
