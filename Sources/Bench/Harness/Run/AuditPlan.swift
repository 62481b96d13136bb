import Basics
import SpineDatasets

/// Parts of an audit, which MLPerf's compliance tests compare with each other.
///
/// Source: MLPerf inference, compliance tests TEST01 (accuracy in performance mode), TEST04 (caching), TEST05 (other
/// seeds).
package struct AuditPlan: Sendable {
    package enum Part {
        /// Part with one reading after the other, with which the others are compared.
        package static let reference = "reference"
        /// Parts in two other orders.
        package static let seeds = ["second seed", "third seed"]
        /// A few samples, each again and again.
        package static let repeated = "repeated"
        /// Several at a time, without a pause.
        package static let stream = "stream"
    }

    /// Number of readings of each repeated sample.
    static let repeats = 10
    /// Number of repeated samples.
    static let repeatedSamples = 10

    /// Read once in each part but `repeated`.
    let samples: [Sample]
    /// Repeated samples of these.
    let repeated: [Sample]
    private let seed: UInt64

    /// Creates a plan with at most this many readings in all parts together, fewer than 100 of which leave no sample
    /// to be compared.
    init(readings: Int, samples: [Sample], seed: UInt64) {
        var random = SplitMix64(state: seed)
        let order = random.shuffled(samples)
        // Four parts read each sample once, the fifth some of them ten times: 75 and 10 of 400 readings.
        let some = max(1, min(Self.repeatedSamples, readings / 40, order.count))
        let most = max(some, (readings - some * Self.repeats) / 4)
        self.samples = Array(order.prefix(most))
        repeated = Array(order.prefix(some))
        self.seed = seed
    }

    /// Returns the parts in the order in which one worker reads them; `lanes` are of the part that streams.
    func phases(lanes: Int, fileSize: (Sample) -> Int) -> [ScenarioPlan.Phase] {
        func phase(
            _ name: String,
            _ steps: [SamplePlan.Step],
            _ mode: ScenarioPlan.Mode = .oneByOne
        ) -> ScenarioPlan.Phase {
            ScenarioPlan.Phase(name: name, mode: mode, steps: .listed(steps), leastReadings: steps.count)
        }
        func once(_ samples: [Sample], seed: UInt64) -> [SamplePlan.Step] {
            SamplePlan(samples: samples, repetitions: 1, seeds: [seed]).steps
        }
        var stream = phase(Part.stream, [], .stream(lanes: lanes))
        stream.pictures = PerformanceSet.choose(from: samples, seed: seed, fileSize: fileSize)
        let steps = once(stream.pictures, seed: seed)
        (stream.steps, stream.leastReadings) = (.listed(steps), steps.count)
        let again = repeated.enumerated().flatMap { position, sample in
            (1...Self.repeats).map { SamplePlan.Step(repetition: $0, position: position, sample: sample) }
        }
        return [phase(Part.reference, once(samples, seed: seed))]
            + Part.seeds.enumerated().map { phase($1, once(samples, seed: seed &+ UInt64($0 + 1))) }
            + [phase(Part.repeated, again), stream]
    }
}
