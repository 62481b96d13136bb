import Evaluation
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
    }

    package let steps: [Step]

    /// All samples `repetitions` times with each seed; the repetitions count on from seed to seed.
    package init(samples: [Sample], repetitions: Int, seeds: [UInt64]) {
        let passes = seeds.flatMap { seed in
            (0..<repetitions).map { seed &+ UInt64($0) &* 0xd134_2543_de82_ef95 }
        }
        steps = passes.enumerated().flatMap { repetition, state in
            var random = SplitMix64(state: state)
            return random.shuffled(samples).enumerated().map {
                Step(repetition: repetition + 1, position: $0.offset, sample: $0.element)
            }
        }
    }
}
