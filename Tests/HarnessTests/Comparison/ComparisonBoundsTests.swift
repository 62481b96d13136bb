import Basics
import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness

/// Figures of any comparison are possible: bounds are finite and in order, those of ratios above −100 %, or absent.
@Suite(.tags(.unit)) struct ComparisonBoundsTests {
    /// Sides drawn at random, the extreme ones included: one sample, one stint, values that are all equal, readings
    /// that timed out, factors from 10⁻¹² to 10¹².
    private struct Draw {
        var random: SplitMix64

        mutating func number(_ range: ClosedRange<Double>) -> Double {
            range.lowerBound + (range.upperBound - range.lowerBound) * random.nextDouble()
        }

        mutating func side(_ name: String, samples: Int, stints: Int, groups: Int, spread: Double) -> ReadingSet {
            let factor = random.below(4) == 0 ? powerOfTen(12) : powerOfTen(spread)
            let timeouts = random.below(4) == 0 ? number(0...0.5) : 0
            let entries = (0..<samples).map { index in
                MadeSides.entry(
                    "s\(index)",
                    group: "g\(index % groups)",
                    title: random.nextDouble() < 0.1 ? nil : random.nextDouble() < 0.8,
                    milliseconds: (0..<(1 + random.below(3))).map { _ in
                        random.nextDouble() < timeouts ? .infinity : 40 * factor * powerOfTen(spread)
                    }
                )
            }
            let workers = (0..<stints).map { stint in
                var worker = ReadingSet.Worker(stint: random.below(5) == 0 ? nil : stint)
                if random.below(6) > 0 { worker.figures[.peakFootprint] = 300e6 * factor * powerOfTen(spread) }
                worker.figures[.memoryDelta] = number(-1e9...1e9)
                worker.figures[.start] = random.below(8) == 0 ? 0 : 200 * powerOfTen(spread * 3)
                return worker
            }
            return ReadingSet(name: name, entries: entries, workers: workers)
        }

        private mutating func powerOfTen(_ most: Double) -> Double {
            pow(10, number(-most...most))
        }
    }

    @Test(arguments: 0..<60)
    func everyRowIsPossible(seed: Int) throws {
        var draw = Draw(random: SplitMix64(state: UInt64(seed)))
        let samples = [1, 2, 5, 6, 12, 36][draw.random.below(6)]
        let stints = [1, 1, 2, 3, 8][draw.random.below(5)]
        let groups = [1, samples, max(1, samples / 3)][draw.random.below(3)]
        let spread = [0, 0.001, 0.05, 0.5, 3][draw.random.below(5)]
        func side(_ name: String) -> ReadingSet {
            draw.side(name, samples: samples, stints: stints, groups: groups, spread: spread)
        }
        let (a, b, control) = (side("A"), side("B"), side("A′"))
        let noises = [
            NoiseFloor(a: a, control: control) { id, _ in Int(id.dropFirst()).map { $0 % stints } },
            NoiseFloor(unmeasured: a), NoiseFloor(runs: [a, control]),
        ]
        for noise in noises {
            let comparison = Comparison.made(a, b, noise)
            for row in comparison.rows + comparison.categories {
                #expect(!row.isImpossible, "\(row.metric) \(row.change) \(row.interval) noise \(row.noise)")
                if row.interval.value == nil, row.tolerance != nil {
                    // Too few photos, where nothing differs.
                    let isAlike = row.status == .noDifference && row.change == .value(0)
                    #expect((isAlike || row.status == .undecided) && !row.note.isEmpty)
                }
            }
            // One stint decides nothing of speed and memory by itself.
            if stints == 1, noise == noises[0] {
                #expect(comparison.rows.allSatisfy { !$0.gates || $0.metric.family == .accuracy })
            }
        }
    }
}

extension ComparisonRow {
    /// Whether a figure is impossible: not finite, or a ratio of 0 or below.
    var isImpossible: Bool {
        let figures = [change.value, interval.value?.lowerBound, interval.value?.upperBound].compactMap(\.self)
        return figures.contains { !$0.isFinite || (metric.unit.isRelative && $0 <= -1) }
            || [a, b, difference, noise].contains { $0.value.map { !$0.isFinite } ?? false }
    }
}
