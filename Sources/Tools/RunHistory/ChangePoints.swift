import Basics
import Evaluation
import Foundation
import Statistics

/// Steps of a series of values, one a run, each under noise of its own.
///
/// Method: binary segmentation (Vostrikova 1981) with Student's two-sample t of the values before and after a split.
/// The chance of a false step is divided among a segment's splits by weights (weighted Bonferroni: Genovese, Roeder and
/// Wasserman 2006). In the segment that ends with the last run, most of it belongs to the splits with two to four runs
/// after them. A step hidden by a later one in the other direction is
/// sought over shorter histories, and each step is judged again between its neighbours. Ranks and permutations are not
/// used: of two runs among 20, no permutation has a chance below 1 in 190.
///
/// Every new run is another look, so ``level`` is the chance of one look: over 30 looks, 3 to 4 % of series without a step
/// show one at some time (`ChangePointsTests`).
package struct ChangePoints: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        /// Index of the first value after the step.
        package var first: Int
        /// Difference of the means after and before, from the step before to the step after.
        package var change: Double
        /// Chance of a step this clear between its neighbours where there is none, at most; 0…1.
        package var chance: Double
        /// Number of values after it, up to the next step.
        package var after: Int
    }

    package private(set) var steps: [Step] = []

    /// Chance of a step at one look at most, where there is none; with 0.02, 30 % of series showed one over 20 looks.
    package static let level = 0.002
    /// Chance of a confirmed step at most.
    package static let confirmed = 0.001

    /// Fewest values before a step, and after it.
    private static let (before, after) = (3, 2)
    /// Weights of the splits with two, three, … runs after them in a history that ends there; the others share the rest;
    /// of those tried, these find most with three and four runs.
    private static let newest = [0.4, 0.35, 0.15, 0.05, 0.02]
    /// Least distance from the other side, in standard errors, of a short side without its most extreme run: one outlier
    /// is not a step.
    private static let support = 0.5

    private let values: [Double]
    private let resolution: Double
    /// Sums of values and of squares before each index.
    private var sums: [Double] = [0]
    private var squares: [Double] = [0]

    /// Finds the steps; `resolution` is the least standard deviation between runs, in the values' unit, above 0.
    package init(_ values: [Double], resolution: Double) {
        precondition(resolution > 0)
        let centre = values.middle ?? 0
        self.values = values.map { $0 - centre }
        self.resolution = resolution
        for value in self.values {
            sums.append(sums[sums.count - 1] + value)
            squares.append(squares[squares.count - 1] + value * value)
        }
        var places = segments(0..<values.count)
        // A place may move, and lose its reason, when those beside it are known.
        while true {
            let bounds = [0] + places + [values.count]
            let found = places.indices.map { best(bounds[$0]..<bounds[$0 + 2], of: values.count) }
            let moved = found.enumerated().map { $1?.first ?? places[$0] }
            let chances = found.map { $0?.chance ?? 1 }
            if let worst = chances.indices.max(by: { chances[$0] < chances[$1] }), chances[worst] > Self.level {
                places.remove(at: worst)
                continue
            }
            guard moved != places, Set(moved).count == moved.count, moved == moved.sorted(), rounds < 20 else {
                steps = found.compactMap(\.self)
                return
            }
            (places, rounds) = (moved, rounds + 1)
        }
    }

    private var rounds = 0

    private func segments(_ range: Range<Int>) -> [Int] {
        if let step = best(range, of: values.count), step.chance <= Self.level {
            return segments(range.lowerBound..<step.first) + [step.first] + segments(step.first..<range.upperBound)
        }
        // Hidden by a later step back: it was clear when the history was shorter.
        let least = Self.before + Self.after
        for end in stride(from: range.lowerBound + least, to: range.upperBound, by: 1) {
            if let step = best(range.lowerBound..<end, of: end), step.chance <= Self.confirmed {
                return segments(range.lowerBound..<step.first) + [step.first] + segments(step.first..<range.upperBound)
            }
        }
        return []
    }

    /// Returns the clearest step within a range of a history of `total` values; nil when it is too short.
    private func best(_ range: Range<Int>, of total: Int) -> Step? {
        let count = range.count
        let splits = range.lowerBound + Self.before...max(range.lowerBound + Self.before, range.upperBound - Self.after)
        guard count >= Self.before + Self.after else { return nil }
        // The clearest of each weight is enough, as the chance falls with |t|.
        var clearest: [Int: (t: Double, split: Int)] = [:]
        let newest = range.upperBound == total ? Self.newest : []
        for split in splits {
            let place = range.upperBound - split - Self.after
            let kind = newest.indices.contains(place) ? place : -1
            let t = statistic(range, split)
            if t > clearest[kind]?.t ?? 0, isSupported(range, split) { clearest[kind] = (t, split) }
        }
        let rest = (1 - newest.reduce(0, +)) / Double(max(1, splits.count - newest.count))
        return clearest.map { kind, found in
            let weight = kind < 0 ? rest : newest[kind]
            // The incomplete beta function has the tail itself: 1 − cumulative(t) would be rounded to 0.
            let degrees = Double(count - 2)
            let tail = BetaFunction.regularised(degrees / (degrees + found.t * found.t), degrees / 2, 0.5)
            return Step(
                first: found.split,
                change: mean(found.split..<range.upperBound) - mean(range.lowerBound..<found.split),
                chance: min(1, tail / weight),
                after: range.upperBound - found.split
            )
        }.min { ($0.chance, $0.first) < ($1.chance, $1.first) }
    }

    private func mean(_ range: Range<Int>) -> Double {
        (sums[range.upperBound] - sums[range.lowerBound]) / Double(range.count)
    }

    /// Standard deviation around the means of both sides, with two degrees of freedom less than values.
    private func deviation(_ range: Range<Int>, _ split: Int) -> Double {
        let within = [range.lowerBound..<split, split..<range.upperBound].reduce(0) { sum, side in
            sum + squares[side.upperBound] - squares[side.lowerBound] - Double(side.count) * mean(side) * mean(side)
        }
        return max(resolution, (max(0, within) / Double(range.count - 2)).squareRoot())
    }

    private func statistic(_ range: Range<Int>, _ split: Int) -> Double {
        let (old, new) = (range.lowerBound..<split, split..<range.upperBound)
        let width = (1 / Double(old.count) + 1 / Double(new.count)).squareRoot()
        return abs(mean(new) - mean(old)) / (deviation(range, split) * width)
    }

    /// Whether the runs of a short side but its most extreme one are on its side of the other, too.
    private func isSupported(_ range: Range<Int>, _ split: Int) -> Bool {
        let sides = [
            (range.lowerBound..<split, split..<range.upperBound), (split..<range.upperBound, range.lowerBound..<split),
        ]
        return sides.allSatisfy { side, other in
            guard side.count <= 4 else { return true }
            let (centre, sign) = (mean(other), mean(side) < mean(other) ? -1.0 : 1.0)
            let distances = values[side].map { ($0 - centre) * sign }
            let rest = Double(side.count - 1)
            let average = (distances.reduce(0, +) - (distances.max() ?? 0)) / rest
            let width = (1 / rest + 1 / Double(other.count)).squareRoot()
            return average >= Self.support * deviation(range, split) * width
        }
    }
}

extension ChangePoints {
    /// Returns a level for each run: the middle, over the samples that it read, of how far a sample is from its own
    /// middle over all runs.
    ///
    /// Rows are runs, columns samples; nil where a run lacks one. Differences between samples, which are far larger
    /// than those between runs, cancel. `isMean`: Mean instead of median, for outcomes. Nil for a run without samples.
    package static func levels(_ rows: [[Double?]], isMean: Bool) -> [Double?] {
        func centre(_ values: [Double]) -> Double? {
            values.isEmpty ? nil : isMean ? values.reduce(0, +) / Double(values.count) : values.middle
        }
        let own = (rows.first ?? []).indices.map { column in centre(rows.compactMap { $0[column] }) }
        return rows.map { row in
            centre(zip(row, own).compactMap { value, own in value.flatMap { value in own.map { value - $0 } } })
        }
    }
}
