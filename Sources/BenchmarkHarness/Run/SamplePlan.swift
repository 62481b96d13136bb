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

/// Random numbers that are the same everywhere for the same seed.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 17 with the constants
/// of `java.util.SplittableRandom`.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// The elements in a random order (Fisher and Yates).
    ///
    /// The standard library's shuffle may change between versions, and a seed in a report has to go on meaning the same
    /// order.
    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var result = elements
        for last in stride(from: result.count - 1, to: 0, by: -1) {
            // The high word of a 64 × 64 product: 0…last, with a bias below n/2⁶⁴.
            let other = Int(next().multipliedFullWidth(by: UInt64(last + 1)).high)
            result.swapAt(last, other)
        }
        return result
    }
}
