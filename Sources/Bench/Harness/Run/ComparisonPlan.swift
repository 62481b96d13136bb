import Basics
package import SpineDatasets

/// Order in which the sides of a comparison read.
///
/// Every round reads all samples once, in a separate order, cut into stints. A stint has a fresh process of each
/// side, all resident together, which read sample by sample in turns, so that a slowdown of the machine affects all
/// of them alike. The more stints, the smaller is the effect of one process's luck.
package struct ComparisonPlan: Sendable, Equatable {
    /// Side that reads.
    package enum Side: String, Sendable, Codable, CaseIterable {
        case a = "A"
        case b = "B"
        /// Second process of A: its difference from the first is noise.
        case control = "A′"
    }

    package struct Step: Sendable, Equatable {
        /// Counted from 1.
        package var round: Int
        /// Place in the round, counted from 0.
        package var position: Int
        package var sample: Sample
        /// Sides in reading order.
        package var order: [Side]
    }

    /// Stints, each with fresh processes.
    package let stints: [[Step]]

    /// Number of samples per process: few enough for many processes, enough that starting them takes less time than
    /// reading.
    package static let stintLength = 60

    package init(samples: [Sample], rounds: Int, seed: UInt64, sides: [Side]) {
        let orders = Self.orders(of: sides)
        let parts = max(1, (samples.count + Self.stintLength / 2) / Self.stintLength)
        stints = (0..<rounds).flatMap { round in
            var random = SplitMix64(state: seed &+ UInt64(round) &* 0xd134_2543_de82_ef95)
            let steps = random.shuffled(samples).enumerated().map { position, sample in
                Step(round: round + 1, position: position, sample: sample, order: [])
            }
            return (0..<parts).map { part in
                var turn = random.shuffled(orders)
                return steps[(steps.count * part / parts)..<(steps.count * (part + 1) / parts)].map { step in
                    if turn.isEmpty { turn = random.shuffled(orders) }
                    var step = step
                    step.order = turn.removeLast()
                    return step
                }
            }
        }
    }

    /// Returns the stint of each reading, by its sample and round.
    package func stintOf() -> (_ id: String, _ round: Int) -> Int? {
        var numbers: [SampleRecord.Key: Int] = [:]
        for (number, stint) in stints.enumerated() {
            for step in stint {
                numbers[SampleRecord.Key(measurement: "", repetition: step.round, id: step.sample.id)] = number
            }
        }
        return { numbers[SampleRecord.Key(measurement: "", repetition: $1, id: $0)] }
    }

    /// Returns all orders of the sides: each side is equally often first, and equally often after each other one.
    private static func orders(of sides: [Side]) -> [[Side]] {
        if sides.isEmpty { return [[]] }
        return sides.indices.flatMap { index in
            var rest = sides
            let first = rest.remove(at: index)
            return orders(of: rest).map { [first] + $0 }
        }
    }
}
