import Evaluation
package import SpineDatasets

/// In which order samples are read.
///
/// Every repetition reads all samples once, in an order of its own, so that a slow moment of the machine does not always
/// meet the same samples. All tiers get the same orders.
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

    package init(samples: [Sample], repetitions: Int, seed: UInt64) {
        steps = (0..<repetitions).flatMap { repetition in
            var random = SplitMix64(state: seed &+ UInt64(repetition) &* 0xd134_2543_de82_ef95)
            return random.shuffled(samples).enumerated().map {
                Step(repetition: repetition + 1, position: $0.offset, sample: $0.element)
            }
        }
    }
}
