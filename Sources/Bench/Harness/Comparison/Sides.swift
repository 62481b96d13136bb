import Basics
package import Evaluation
package import SpineDatasets

/// Two or more sides that read the same samples, in all pairs.
package struct Sides: Sendable, Equatable, Codable {
    /// Unique label: the measurement's id, or the dataset's name.
    package var label: String
    package var dataset: String
    package var names: [String]
    /// Difference of the first side from itself.
    package var noise: NoiseFloor
    /// Those with the first side first, in the order of the sides; of three sides or more, corrected for all of them.
    package var pairs: [Comparison]
    /// Of three sides or more.
    package var pareto: Pareto?
    /// Samples of each side, for pages: not stored in the report.
    package var readings: [ReadingSet] = []

    private enum CodingKeys: CodingKey { case label, dataset, names, noise, pairs, pareto }

    /// Chance of calling any pair of a metric different when none is.
    package static let level = 0.05

    /// Whether there are pairs beside those with the first side.
    package var areSeveral: Bool { names.count > 2 }

    /// The other sides against the first, in order: these decide.
    package var comparisons: [Comparison] { Array(pairs.prefix(names.count - 1)) }

    /// Returns the letter of a side.
    package static func letter(_ index: Int) -> String { ComparisonPlan.Side(index).rawValue }

    /// Compares sides of a dataset, whose name is the label unless specified; `contents` is that dataset, for the causes of
    /// losses, nil when it cannot be read.
    package init(
        _ readings: [ReadingSet],
        label: String? = nil,
        dataset: String,
        contents: Dataset? = nil,
        noise: NoiseFloor,
        tolerances: ComparisonTolerances
    ) {
        let places = readings.indices.flatMap { a in readings.indices.filter { $0 > a }.map { (a: a, b: $0) } }
        let all = places.map { SidePair(readings[$0.a], readings[$0.b], noise: noise, tolerances: tolerances) }
        var rows = concurrentMap(all.count) { all[$0].overall }
        if places.count > 1 { Self.correct(&rows, processes: all.map(\.pairedProcesses)) }
        let corrected = rows
        (self.label, self.dataset, self.noise, self.readings) = (label ?? dataset, dataset, noise, readings)
        names = readings.map(\.name)
        pairs = concurrentMap(all.count) { index in
            let (a, b) = places[index]
            return Comparison(
                all[index],
                (a, b),
                rows: corrected[index],
                label: places.count == 1
                    ? label ?? dataset
                    : "\(Self.letter(b)) against \(Self.letter(a))" + (label.map { ", \($0)" } ?? ""),
                dataset: dataset,
                contents: contents
            )
        }
        if !areSeveral { return }
        pareto = Pareto(
            readings.indices.map { "\(Self.letter($0)) \(readings[$0].name)" },
            values: { BoundedValue(of: readings[$0], $1) },
            isShown: { metric, better, other in
                pairs.contains { $0.better(metric) == better && ($0.a == other || $0.b == other) }
            }
        )
    }

    /// Corrects each metric's rows for all pairs, whose `processes` are those that a pair has in common.
    private static func correct(_ rows: inout [[ComparisonRow]], processes: [Int]) {
        for metric in Metric.compared {
            let places = rows.indices.compactMap { pair in
                rows[pair].firstIndex { $0.metric == metric }.map { (pair: pair, row: $0) }
            }
            let tests = places.map { rows[$0.pair][$0.row].chance(processes: processes[$0.pair]) }
            var corrected = Holm.corrected(tests.compactMap(\.self))[...]
            for (place, test) in zip(places, tests) {
                rows[place.pair][place.row].correct(test.flatMap { _ in corrected.popFirst() }, pairs: rows.count)
            }
        }
    }
}

extension Sides {
    /// Returns a side's figure in a metric; of a shift, its change from the first side.
    package func value(_ metric: Metric, of side: Int) -> Double? {
        let row = pairs.first { $0.a == 0 && $0.b == max(1, side) }?[metric]
        if metric == .latency { return side == 0 ? 0 : row?.change.value }
        return (side == 0 ? row?.a : row?.b)?.value
    }

    /// Returns each side's rank, 1 + the number of sides that are better beyond chance; empty when no pair could be tested.
    package func ranks(_ metric: Metric) -> [Int] {
        guard pairs.contains(where: { $0[metric]?.correctedP != nil }) else { return [] }
        return names.indices.map { side in
            1
                + pairs.count { pair in
                    pair.better(metric).map { $0 != side && [pair.a, pair.b].contains(side) } ?? false
                }
        }
    }
}
