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

/// The readings of a plan that are left.
struct StepQueue {
    private let plan: ScenarioPlan
    private var steps: ScenarioPlan.Steps
    private let done: Set<SampleRecord.Key>
    private let measurement: String
    private var index = 0
    /// Taken, not settled, to be done first.
    private var returned: [SamplePlan.Step] = []
    private var settled: Int
    /// The time that earlier workers have spent, and that this one has.
    private var earlierSeconds: Double
    private var seconds = 0.0

    /// Creates the queue; `records` are the measurement's, from the resumed run, without unattempted ones.
    init(_ plan: ScenarioPlan, measurement: String, records: [SampleRecord]) {
        (self.plan, steps, self.measurement) = (plan, plan.steps, measurement)
        (done, settled) = (Set(records.map(\.key)), records.count)
        earlierSeconds = Dictionary(grouping: records, by: \.worker).values
            .reduce(0) { $0 + ($1.compactMap(\.atSeconds).max() ?? 0) }
    }

    var isTimed: Bool { plan.isTimed }

    /// Whether time decides on the number of readings, and was long enough.
    var isEnough: Bool {
        isTimed && settled >= plan.leastReadings && earlierSeconds + seconds >= plan.leastSeconds
    }

    mutating func next() -> SamplePlan.Step? {
        if isEnough { return nil }
        if let step = returned.popLast() { return step }
        while true {
            let step: SamplePlan.Step
            switch steps {
            case .listed(let list):
                guard index < list.count else { return nil }
                step = list[index]
            case .passes(var passes):
                step = passes.step(index)
                steps = .passes(passes)
            }
            index += 1
            let key = SampleRecord.Key(measurement: measurement, repetition: step.repetition, id: step.sample.id)
            if done.isEmpty || !done.contains(key) { return step }
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
}
