import Basics
import SpineDatasets

/// Endless repetition of samples.
///
/// Every pass reads all of them once, in a separate order, so that a slow moment of the machine does not always
/// affect the same samples. All variants get the same orders.
struct SamplePlan: Sendable {
    /// Planned reading.
    struct Step: Sendable, Equatable {
        /// Counted from 1, on from seed to seed.
        var repetition: Int
        /// Place in the repetition's order, counted from 0.
        var position: Int
        var sample: Sample
        /// `server`: when it is due, in seconds from the first reading's zero.
        var dueSeconds: Double?
    }

    /// Samples, one at least for any step.
    let samples: [Sample]
    /// Passes with the first seed, then with the next one; the seeds take turns after that.
    let repetitions: Int
    /// Seeds, one at least.
    let seeds: [UInt64]
    private(set) var pass = -1
    private(set) var order: [Sample] = []

    /// All samples so often with each seed.
    var steps: [Step] { first(samples.count * repetitions * seeds.count) }

    func first(_ count: Int) -> [Step] {
        var plan = self
        return (0..<count).map { plan.step($0) }
    }

    /// Returns the step with that number, counted from 0.
    mutating func step(_ index: Int) -> Step {
        if pass != index / samples.count {
            pass = index / samples.count
            var random = SplitMix64(state: state(ofPass: pass))
            order = random.shuffled(samples)
        }
        let position = index % samples.count
        return Step(repetition: pass + 1, position: position, sample: order[position])
    }

    private func state(ofPass pass: Int) -> UInt64 {
        let planned = repetitions * seeds.count
        let (seed, repetition) =
            pass < planned
            ? (pass / repetitions, pass % repetitions)
            : ((pass - planned) % seeds.count, repetitions + (pass - planned) / seeds.count)
        return seeds[seed] &+ UInt64(repetition) &* 0xd134_2543_de82_ef95
    }
}
