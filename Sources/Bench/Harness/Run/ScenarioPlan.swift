import Basics
import Foundation
package import SpineDatasets

/// Readings that a scenario requests from a variant.
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

    enum Steps: Sendable {
        case listed([SamplePlan.Step])
        /// Without end, as time decides.
        case passes(SamplePlan)
    }

    var mode = Mode.oneByOne
    var steps = Steps.listed([])
    /// Minimum number of readings when time decides; the minimum time must also pass.
    private(set) var leastReadings = 0
    private(set) var leastSeconds = 0.0
    /// Pictures that a stream holds.
    private(set) var pictures: [Sample] = []

    /// Whether it lasts as long as there is time, not as long as there are steps.
    var isTimed: Bool { total == nil }

    /// Number of readings; nil when time decides.
    package var total: Int? { if case .listed(let steps) = steps { steps.count } else { nil } }

    /// The fewest readings there will be.
    package var least: Int { total ?? leastReadings }

    /// `repetitions` are of each sample in `single`; there is one seed at least; `fileSize` is a picture's, in bytes.
    init(_ scenario: Scenario, samples: [Sample], repetitions: Int, seeds: [UInt64], fileSize: (Sample) -> Int) {
        guard !samples.isEmpty else { return }
        leastReadings = scenario.leastReadings(single: samples.count * repetitions * seeds.count)
        leastSeconds = scenario.leastSeconds
        switch scenario.kind {
        case .single, .soak: mode = .oneByOne
        case .cold: mode = .fresh
        case .live: mode = .live(rate: scenario.framesPerSecond, seed: seeds[0])
        case .offline, .server, .paced:
            mode = .stream(lanes: scenario.laneCount)
            pictures = PerformanceSet.choose(from: samples, seed: seeds[0], fileSize: fileSize)
        }
        let all = pictures.isEmpty ? samples : pictures
        var passes = SamplePlan(samples: all, repetitions: repetitions, seeds: seeds)
        if let arrivals = scenario.arrivals(seed: seeds[0]) {
            var scheduled: [SamplePlan.Step] = []
            for due in arrivals {
                if scheduled.count >= leastReadings, let last = scheduled.last?.dueSeconds, last >= leastSeconds {
                    break
                }
                var step = passes.step(scheduled.count)
                step.dueSeconds = due
                scheduled.append(step)
            }
            steps = .listed(scheduled)
        } else {
            let isTimed = scenario.kind == .soak || leastSeconds > 0
            steps = isTimed ? .passes(passes) : .listed(passes.first(leastReadings))
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
            fileSize: { dataset.store.source(of: $0.image).size ?? 0 }
        )
        return part.map(plan.restricted) ?? plan
    }
}

extension ScenarioPlan {
    /// The same plan with the readings of one part's samples alone: their order, and their places in it, stay those of
    /// the whole.
    func restricted(to part: Part) -> ScenarioPlan {
        guard case .listed(let steps) = steps else { return self }
        var plan = self
        plan.steps = .listed(steps.filter { part.holds($0.sample) })
        return plan
    }
}
