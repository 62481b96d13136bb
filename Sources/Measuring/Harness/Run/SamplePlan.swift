import Basics
package import SpineDatasets

/// In which order samples are read.
///
/// Every repetition reads all samples once, in an order of its own, so that a slow moment of the machine does not always
/// meet the same samples. All variants get the same orders.
package struct SamplePlan: Sendable, Equatable {
    /// One reading to be done.
    package struct Step: Sendable, Equatable {
        /// Counted from 1.
        package var repetition: Int
        /// Place in the repetition's order, counted from 0.
        package var position: Int
        package var sample: Sample
        /// `server`: when it is due, in seconds from the first reading's zero.
        package var dueSeconds: Double?
    }

    package let steps: [Step]

    /// All samples `repetitions` times with each seed; the repetitions count on from seed to seed.
    package init(samples: [Sample], repetitions: Int, seeds: [UInt64]) {
        var passes = SamplePasses(samples: samples, repetitions: repetitions, seeds: seeds)
        steps = (0..<(samples.count * repetitions * seeds.count)).map { passes.step($0) }
    }
}

/// All samples again and again, as long as somebody wants the next one.
struct SamplePasses: Sendable {
    private let samples: [Sample]
    private let repetitions: Int
    private let seeds: [UInt64]
    private var pass = -1
    private var order: [Sample] = []

    /// - Parameters:
    ///   - samples: at least one for there to be a step.
    ///   - repetitions: passes with the first seed, then with the next one; the seeds take turns after that.
    ///   - seeds: at least one.
    init(samples: [Sample], repetitions: Int, seeds: [UInt64]) {
        self.samples = samples
        self.repetitions = repetitions
        self.seeds = seeds
    }

    /// The step with that number, counted from 0.
    mutating func step(_ index: Int) -> SamplePlan.Step {
        if pass != index / samples.count {
            pass = index / samples.count
            var random = SplitMix64(state: state(ofPass: pass))
            order = random.shuffled(samples)
        }
        let position = index % samples.count
        return SamplePlan.Step(repetition: pass + 1, position: position, sample: order[position])
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
