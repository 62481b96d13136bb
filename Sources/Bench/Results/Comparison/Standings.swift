package import Basics
package import Evaluation
import Foundation
package import Harness
package import SpineDatasets

/// Three or more sides on the same samples: every pair tested, and ranks with ties.
package struct Standings: Sendable, Equatable, Codable {
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

    /// As in ``Comparison``.
    package var label: String
    package var dataset: String
    package var names: [String]
    package var rankings: [Ranking]
    package var pareto: Pareto?
    /// Samples of each side, for pages: not stored in the report.
    package var sides: [ReadingSet] = []

    private enum CodingKeys: CodingKey { case label, dataset, names, rankings, pareto }

    /// Chance of calling any pair of a metric different when none is.
    package static let level = 0.05

    package subscript(metric: Metric) -> Ranking? { rankings.first { $0.metric == metric } }

    /// Returns the letter of a side.
    package static func letter(_ index: Int) -> String { ComparisonPlan.Side(index).rawValue }
}

extension Standings {
    /// Compares the other sides with the first one, and three or more in all pairs.
    ///
    /// `contents` is the dataset, for the causes of losses; `noise` is the difference of the first side from itself.
    /// - Returns: the standings, nil of two sides, and the comparisons with the first side, corrected for all pairs.
    package static func compare(
        _ sides: [ReadingSet],
        label: String? = nil,
        dataset: String,
        contents: Dataset? = nil,
        noise: NoiseFloor,
        tolerances: ComparisonTolerances
    ) -> (standings: Standings?, comparisons: [Comparison]) {
        func comparison(_ index: Int, _ label: String?) -> Comparison {
            Comparison(
                a: sides[0],
                b: sides[index],
                label: label,
                dataset: dataset,
                noise: noise,
                tolerances: tolerances
            )
        }
        if sides.count == 2 {
            var only = comparison(1, label)
            only.explain(contents)
            return (nil, [only])
        }
        let places = sides.indices.flatMap { a in sides.indices.filter { $0 > a }.map { (a, $0) } }
        let rows = Parallel.map(places.count) { place in
            let (a, b) = places[place]
            return ComparisonRows(a: sides[a], b: sides[b], noise: noise, tolerances: tolerances).overall
        }
        var standings = Standings(
            label: label ?? dataset,
            dataset: dataset,
            names: sides.map(\.name),
            rankings: Metric.compared.compactMap { metric in
                let own = rows.map { row in row.first { $0.metric == metric } }
                let known = zip(places, own).compactMap { place, row in row.map { (place, $0) } }
                guard known.contains(where: { $0.1.isOfUse }) else { return nil }
                return Ranking(metric, sides, known)
            },
            sides: sides
        )
        standings.pareto = Pareto(
            sides.indices.map { "\(letter($0)) \(sides[$0].name)" },
            values: { .of(sides[$0], $1) },
            isShown: { metric, better, other in
                standings[metric]?.pairs.contains {
                    $0.better == better && ($0.a == other || $0.b == other)
                } ?? false
            }
        )
        let comparisons = sides.indices.dropFirst().map { index in
            var one = comparison(index, "\(letter(index)) against A" + (label.map { ", \($0)" } ?? ""))
            one.letter = letter(index)
            one.correct(tolerances, pairs: places.count) { metric in
                standings[metric]?.pairs.first { ($0.a, $0.b) == (0, index) }?.correctedP
            }
            one.explain(contents)
            return one
        }
        return (standings, comparisons)
    }
}

extension Standings.Ranking {
    fileprivate init(_ metric: Metric, _ sides: [ReadingSet], _ rows: [(place: (Int, Int), row: ComparisonRow)]) {
        let tests = rows.map { $0.row.chance(processes: sides[$0.place.0].pairedProcesses(sides[$0.place.1])) }
        let tested = tests.indices.filter { tests[$0] != nil }
        var corrected = [Double?](repeating: nil, count: tests.count)
        for (index, p) in zip(tested, Holm.corrected(tested.compactMap { tests[$0] })) { corrected[index] = p }
        self.metric = metric
        pairs = zip(rows, zip(tests, corrected)).map { known, p in
            let ((a, b), row) = known
            var pair = Standings.Pair(a: a, b: b, change: row.change, interval: row.interval, p: p.0, correctedP: p.1)
            if let change = row.change.value, let p = p.1, p <= Standings.level, abs(change) > row.noise.value ?? 0 {
                pair.better = metric.harm(change) > 0 ? a : b
            }
            return pair
        }
        values = sides.indices.map { index in
            let own = rows.first { $0.place.0 == 0 && $0.place.1 == max(1, index) }?.row
            if metric == .latency { return index == 0 ? .value(0) : own?.change ?? .absent("not compared") }
            return (index == 0 ? own?.a : own?.b) ?? .absent("not compared")
        }
        let parted = pairs.compactMap { pair in pair.better.map { (pair.a, pair.b, $0) } }
        ranks =
            tested.isEmpty
            ? []
            : sides.indices.map { side in
                1 + parted.count { ($0.0 == side || $0.1 == side) && $0.2 != side }
            }
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
            groups.indices.filter { groups[$0].contains(side) }.map { Standings.letter($0).lowercased() }.joined()
        }
    }
}

extension ReadingSet {
    /// Returns the number of stints that have a process of both sides.
    fileprivate func pairedProcesses(_ other: ReadingSet) -> Int {
        Set(workers.compactMap(\.stint)).intersection(other.workers.compactMap(\.stint)).count
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

extension Pareto.Estimate {
    /// Returns the figure of one side with its own interval; nil when it has none.
    fileprivate static func of(_ side: ReadingSet, _ metric: Metric) -> Self? {
        switch metric {
        case .latencyP95:
            let times = side.entries.flatMap { $0.readings.map(\.milliseconds) }.sorted()
            let independent = side.entries.count { !$0.readings.isEmpty }
            let p95 = PercentileEstimate(percent: 95, sorted: times, independent: independent)
            guard let value = p95.value.value else { return nil }
            return Self(value, p95.lower.value, p95.upper.value)
        case .peakFootprint:
            let peaks = side.workers.compactMap(\.peakFootprintBytes).filter { $0 > 0 }.map { log($0) }
            guard !peaks.isEmpty else { return nil }
            let (mean, variance) = peaks.meanAndVariance
            guard peaks.count > 1 else { return Self(exp(mean), nil, nil) }
            let count = Double(peaks.count)
            let half = StudentT.quantile(0.975, degreesOfFreedom: count - 1) * (variance / count).squareRoot()
            return Self(exp(mean), exp(mean - half), exp(mean + half))
        default:
            let scored = side.entries.filter { $0.outcomes[metric] != nil }
            let rate = RateEstimate(scored.map { $0.outcomes[metric] == true }, groups: scored.map(\.group))
            guard let value = rate.rate.value else { return nil }
            return Self(value, rate.interval.lower.value, rate.interval.upper.value)
        }
    }
}
