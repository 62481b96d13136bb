import Basics
import Evaluation
import SpineDatasets

/// Endless repetition of samples: each pass reads all of them, in an order of its own that is the same for all
/// variants.
///
/// So a slow moment of the machine does not always affect the same samples.
struct SamplePlan: Sendable {
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

/// The readings of a phase that are left.
struct StepQueue {
    private var steps: ScenarioPlan.Steps
    private let done: Set<SampleRecord.Key>
    private let measurement: String
    private let phase: ScenarioPlan.Phase
    private var index = 0
    /// Taken, not settled, to be done first.
    private var returned: [SamplePlan.Step] = []
    private var settled: Int
    /// The time that earlier workers have spent on the phase.
    private var earlierSeconds: Double
    /// The time that this worker has.
    private var seconds = 0.0

    /// Creates the queue; `records` are the measurement's, from the resumed run, without unattempted ones.
    init(_ phase: ScenarioPlan.Phase, measurement: String, records: [SampleRecord]) {
        let own = records.filter { $0.phase == phase.name }
        self.phase = phase
        self.measurement = measurement
        steps = phase.steps
        done = Set(own.map(\.key))
        settled = own.count
        earlierSeconds = Dictionary(grouping: own, by: \.worker).values
            .reduce(0) { $0 + ($1.compactMap(\.atSeconds).max() ?? 0) }
    }

    /// Whether the phase lasts as long as there is time, not as long as there are steps.
    var isTimed: Bool { if case .passes = phase.steps { true } else { false } }

    /// Whether a phase that lasts as long as there is time is over.
    var isEnough: Bool {
        isTimed && settled >= phase.leastReadings && earlierSeconds + seconds >= phase.leastSeconds
    }

    mutating func next() -> SamplePlan.Step? {
        if isEnough { return nil }
        if let step = returned.popLast() { return step }
        switch steps {
        case .listed(let list):
            while index < list.count {
                defer { index += 1 }
                if !isDone(list[index]) { return list[index] }
            }
            return nil
        case .passes(var passes):
            var step = passes.step(index)
            while isDone(step) {
                index += 1
                step = passes.step(index)
            }
            index += 1
            steps = .passes(passes)
            return step
        }
    }

    mutating func requeue(_ steps: [SamplePlan.Step]) { returned += steps.reversed() }

    mutating func settle(atSeconds seconds: Double) {
        settled += 1
        self.seconds = max(self.seconds, seconds)
    }

    /// Resets the clock: the next worker's begins at 0.
    mutating func workerIsGone() {
        earlierSeconds += seconds
        seconds = 0
    }

    private func isDone(_ step: SamplePlan.Step) -> Bool {
        !done.isEmpty
            && done.contains(
                SampleRecord.Key(
                    measurement: measurement,
                    phase: phase.name,
                    repetition: step.repetition,
                    id: step.sample.id
                )
            )
    }
}
