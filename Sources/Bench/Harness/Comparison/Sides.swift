package import Basics
package import Evaluation
import Foundation
package import SpineDatasets

/// Two or more sides that read the same samples: each other one against the first, and all pairs of them.
package struct Sides: Sendable, Equatable, Codable {
    /// Two sides in one metric.
    package struct Pair: Sendable, Equatable, Codable {
        package var a: Int
        package var b: Int
        /// Change from `a` to `b`, as in ``ComparisonRow``.
        package var change: Figure
        package var interval: IntervalFigure
        /// P value of no difference; nil when the pair cannot be tested.
        package var p: Double?
        /// The same, by Holm's correction for all pairs of the metric.
        package var correctedP: Double?
        /// Side that is better beyond chance and noise; nil when neither is shown to be.
        package var better: Int?
    }

    package struct Ranking: Sendable, Equatable, Codable {
        package var metric: Metric
        /// Of each side: its figure, and for a shift its change from the first side.
        package var values: [Figure]
        package var pairs: [Pair]
        /// 1 + the number of sides that are better beyond chance; empty when no pair could be tested.
        package var ranks: [Int]
        /// Letters of each side's groups: no test parts the sides that share one; empty as `ranks` is.
        package var groups: [String]
    }

    /// Unique label: the measurement's id, or the dataset's name.
    package var label: String
    package var dataset: String
    package var names: [String]
    /// Difference of the first side from itself.
    package var noise: NoiseFloor
    /// The other sides against the first, in order; of three or more, corrected for all pairs.
    package var comparisons: [Comparison]
    package var rankings: [Ranking]
    package var pareto: Pareto?
    /// Samples of each side, for pages: not stored in the report.
    package var readings: [ReadingSet] = []

    private enum CodingKeys: CodingKey { case label, dataset, names, noise, comparisons, rankings, pareto }

    /// Chance of calling any pair of a metric different when none is.
    package static let level = 0.05

    package subscript(metric: Metric) -> Ranking? { rankings.first { $0.metric == metric } }

    /// Whether there are pairs beside those with the first side.
    package var areSeveral: Bool { names.count > 2 }

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
        // The pairs with the first side come first.
        let places = readings.indices.flatMap { a in readings.indices.filter { $0 > a }.map { (a: a, b: $0) } }
        let found = concurrentMap(places.count) { place in
            let pair = ComparisonRows(
                a: readings[places[place].a],
                b: readings[places[place].b],
                noise: noise,
                tolerances: tolerances
            )
            return (pair: pair, rows: pair.overall)
        }
        (self.label, self.dataset, self.noise, self.readings) = (label ?? dataset, dataset, noise, readings)
        names = readings.map(\.name)
        let rankings = Metric.compared.compactMap { metric in
            let known = zip(places, found).compactMap { place, found in
                found.rows.first { $0.metric == metric }.map { (place: place, pair: found.pair, row: $0) }
            }
            return known.contains(where: \.row.isOfUse) ? Ranking(metric, readings.indices, known) : nil
        }
        self.rankings = rankings
        pareto = Pareto(
            readings.indices.map { "\(Self.letter($0)) \(readings[$0].name)" },
            values: { .of(readings[$0], $1) },
            isShown: { metric, better, other in
                rankings.first { $0.metric == metric }?.pairs.contains {
                    $0.better == better && ($0.a == other || $0.b == other)
                } ?? false
            }
        )
        comparisons = zip(places, found).prefix(readings.count - 1).map { place, found in
            let letter = Self.letter(place.b)
            var rows = found.rows
            if readings.count > 2 {
                for index in rows.indices {
                    let ranking = rankings.first { $0.metric == rows[index].metric }
                    let p = ranking?.pairs.first { ($0.a, $0.b) == place }?.correctedP
                    rows[index].correct(p, pairs: places.count)
                }
            }
            return Comparison(
                found.pair,
                rows: rows,
                label: readings.count == 2
                    ? label ?? dataset : "\(letter) against A" + (label.map { ", \($0)" } ?? ""),
                letter: letter,
                dataset: dataset,
                contents: contents,
                tolerances: tolerances
            )
        }
    }
}

extension Sides.Ranking {
    fileprivate init(
        _ metric: Metric,
        _ sides: Range<Int>,
        _ rows: [(place: (a: Int, b: Int), pair: ComparisonRows, row: ComparisonRow)]
    ) {
        let tests = rows.map { $0.row.chance(processes: $0.pair.pairedProcesses) }
        let tested = tests.indices.filter { tests[$0] != nil }
        var corrected = [Double?](repeating: nil, count: tests.count)
        for (index, p) in zip(tested, Holm.corrected(tested.compactMap { tests[$0] })) { corrected[index] = p }
        self.metric = metric
        pairs = rows.indices.map { index in
            let ((a, b), row, p) = (rows[index].place, rows[index].row, corrected[index])
            let isShown = (p ?? 1) <= Sides.level && abs(row.change.value ?? 0) > row.noise.value ?? 0
            return Sides.Pair(
                a: a,
                b: b,
                change: row.change,
                interval: row.interval,
                p: tests[index],
                correctedP: p,
                better: isShown ? row.change.value.map { metric.harm($0) > 0 ? a : b } : nil
            )
        }
        values = sides.map { side in
            let own = rows.first { $0.place == (0, max(1, side)) }?.row
            if metric == .latency { return side == 0 ? .value(0) : own?.change ?? .absent("not compared") }
            return (side == 0 ? own?.a : own?.b) ?? .absent("not compared")
        }
        let parted = pairs.compactMap { pair in pair.better.map { (pair.a, pair.b, $0) } }
        let ranks = sides.map { side in 1 + parted.count { ($0.0 == side || $0.1 == side) && $0.2 != side } }
        self.ranks = tested.isEmpty ? [] : ranks
        groups = tested.isEmpty ? [] : Self.letters(sides.count, parted.map { ($0.0, $0.1) }, best: ranks)
    }

    /// Returns the letters of sides' groups, the best group first: sides share a letter unless a test parts them.
    ///
    /// Source: Piepho, "An algorithm for a letter-based representation of all-pairwise comparisons", Journal of
    /// Computational and Graphical Statistics 13 (2004), 456–466: insert and absorb.
    static func letters(_ count: Int, _ parted: [(Int, Int)], best ranks: [Int]) -> [String] {
        var groups: [Set<Int>] = [Set(0..<count)]
        for (a, b) in parted {
            let both = groups.filter { $0.contains(a) && $0.contains(b) }
            groups.removeAll { $0.contains(a) && $0.contains(b) }
            for group in both.flatMap({ [$0.subtracting([a]), $0.subtracting([b])] })
            where !groups.contains(where: group.isSubset) {
                groups.removeAll(where: group.isSuperset)
                groups.append(group)
            }
        }
        func order(_ group: Set<Int>) -> (Int, Int) {
            (group.map { ranks[$0] }.reduce(0, +) / group.count, group.min() ?? 0)
        }
        groups.sort { order($0) < order($1) }
        return (0..<count).map { side in
            groups.indices.filter { groups[$0].contains(side) }.map { Sides.letter($0).lowercased() }.joined()
        }
    }
}

extension ComparisonRow {
    /// Returns the chance of a change as large if there is no difference; nil when it cannot be tested: speed and memory
    /// need the noise of two pairs of `processes`.
    ///
    /// Of shares it is the row's. Of others it is found from the interval, whose half towards 0 is the quantile 0.975 of
    /// Student's t with one degree of freedom less than there are processes, or of the normal distribution for texts.
    func chance(processes: Int) -> Double? {
        guard let change = change.value, let ends = interval.value else { return nil }
        if let p { return p }
        let isText = metric.family == .accuracy
        guard isText || noise.value != nil && processes >= 2 else { return nil }
        func scaled(_ value: Double) -> Double { metric.unit.isRelative ? log1p(value) : value }
        let half = abs(scaled(change) - scaled(change > 0 ? ends.lowerBound : ends.upperBound))
        if change == 0 { return 1 }
        let freedom = isText ? 1e6 : Double(processes - 1)
        let t = abs(scaled(change)) / half * StudentT.quantile(0.975, degreesOfFreedom: freedom)
        return half > 0 ? 2 * StudentT.cumulative(-t, degreesOfFreedom: freedom) : 0
    }
}
