import Basics
import Foundation
package import SpineDatasets

/// Readings that a scenario requests from a variant, part by part.
package struct ScenarioPlan: Sendable {
    enum Mode: Sendable, Equatable {
        /// The next one begins when the last one is done.
        case oneByOne
        /// The worker holds the pictures and times the readings itself.
        case stream(lanes: Int)
        case fresh
        /// Camera that is aimed at one spine after the other, at a frame rate.
        case live(rate: Int, seed: UInt64)
    }

    struct Phase: Sendable {
        /// Name within the measurement; nil for a single part.
        var name: String?
        var mode: Mode
        /// Steps in order; without end when time decides.
        var steps: Steps
        /// Minimum number of readings; the minimum time must also pass.
        var leastReadings: Int
        var leastSeconds = 0.0
        var pictures: [Sample] = []
    }

    enum Steps: Sendable {
        case listed([SamplePlan.Step])
        case passes(SamplePlan)
    }

    var phases: [Phase]

    /// Number of readings; nil when time decides.
    package var total: Int? {
        var sum = 0
        for phase in phases {
            guard case .listed(let steps) = phase.steps else { return nil }
            sum += steps.count
        }
        return sum
    }

    /// The fewest readings there will be.
    package var least: Int {
        phases.reduce(0) { sum, phase in
            if case .listed(let steps) = phase.steps { sum + steps.count } else { sum + phase.leastReadings }
        }
    }

    /// `repetitions` are of each sample in `single`; there is one seed at least; `fileSize` is a picture's, in bytes.
    init(_ scenario: Scenario, samples: [Sample], repetitions: Int, seeds: [UInt64], fileSize: (Sample) -> Int) {
        phases = []
        guard !samples.isEmpty else { return }
        let single = samples.count * repetitions * seeds.count
        let (readings, seconds) = (scenario.leastReadings(single: single), scenario.leastSeconds)
        func passes(_ samples: [Sample]) -> SamplePlan {
            SamplePlan(samples: samples, repetitions: repetitions, seeds: seeds)
        }
        func listed(_ mode: Mode) -> [Phase] {
            [Phase(mode: mode, steps: .listed(passes(samples).first(readings)), leastReadings: readings)]
        }
        switch scenario.kind {
        case .single: phases = listed(.oneByOne)
        case .cold: phases = listed(.fresh)
        case .live: phases = listed(.live(rate: scenario.framesPerSecond, seed: seeds[0]))
        case .soak:
            phases = [
                Phase(
                    mode: .oneByOne,
                    steps: .passes(passes(samples)),
                    leastReadings: readings,
                    leastSeconds: seconds
                )
            ]
        case .offline:
            let held = PerformanceSet.choose(from: samples, seed: seeds[0], fileSize: fileSize)
            phases = [
                Phase(
                    mode: .stream(lanes: scenario.laneCount),
                    steps: seconds > 0 ? .passes(passes(held)) : .listed(passes(held).first(readings)),
                    leastReadings: readings,
                    leastSeconds: seconds,
                    pictures: held
                )
            ]
        case .server, .paced:
            let held = PerformanceSet.choose(from: samples, seed: seeds[0], fileSize: fileSize)
            var (passes, steps) = (passes(held), [SamplePlan.Step]())
            for due in scenario.arrivals(seed: seeds[0]) ?? AnySequence([]) {
                if steps.count >= readings, let last = steps.last?.dueSeconds, last >= seconds { break }
                var step = passes.step(steps.count)
                step.dueSeconds = due
                steps.append(step)
            }
            phases = [
                Phase(
                    mode: .stream(lanes: scenario.laneCount),
                    steps: .listed(steps),
                    leastReadings: steps.count,
                    pictures: held
                )
            ]
        }
    }
}

/// The pictures that a stream holds in memory, so that no reading waits for a disk.
enum PerformanceSet {
    static let mostPictures = 1_024
    static let mostBytes = 256_000_000

    /// Returns as many samples as fit, in an order drawn from `seed`; one at least.
    static func choose(from samples: [Sample], seed: UInt64, fileSize: (Sample) -> Int) -> [Sample] {
        var random = SplitMix64(state: seed)
        var (chosen, bytes) = ([Sample](), 0)
        for sample in random.shuffled(samples).prefix(mostPictures) {
            bytes += fileSize(sample)
            if bytes > mostBytes && !chosen.isEmpty { break }
            chosen.append(sample)
        }
        return chosen
    }
}

extension RunConfiguration {
    /// Returns the plan of a measurement: equal at every start of the run, as long as the dataset is the same.
    ///
    /// With a part, that of its samples alone.
    package func plan(_ measurement: Measurement, _ dataset: Dataset, part: Part? = nil) -> ScenarioPlan {
        let plan = ScenarioPlan(
            measurement.scenario,
            samples: measurement.pictures(of: dataset, limit: limit),
            repetitions: measurement.variant.origin?.repetitions ?? repetitions,
            seeds: seeds,
            fileSize: { dataset.store.size(of: $0.image) ?? 0 }
        )
        return part.map(plan.restricted) ?? plan
    }
}

extension ScenarioPlan {
    /// The same plan with the readings of one part's samples alone: their order, and their places in it, stay those of
    /// the whole.
    func restricted(to part: Part) -> ScenarioPlan {
        var plan = self
        for index in plan.phases.indices {
            guard case .listed(let steps) = plan.phases[index].steps else { continue }
            let own = steps.filter { part.holds($0.sample) }
            plan.phases[index].steps = .listed(own)
            plan.phases[index].leastReadings = own.count
        }
        return plan
    }
}
