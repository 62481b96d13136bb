import Basics
import Foundation
import SpineDatasets
import TestSupport

@testable import Evaluation
@testable import Harness

/// A comparison whose readings are drawn at random, with all that makes real ones hard to judge.
struct SimulatedComparison {
    enum Fault: Sendable {
        case none
        /// B takes longer by this share.
        case slowdown(Double)
        /// B loses this share of all samples, among those that are read.
        case loss(Double)
    }

    let seed: UInt64
    let samples: Int
    /// The standard deviation of a process's own speed.
    let luck: Double
    let fault: Fault

    /// Variation of samples, readings and processes, as standard deviations of logarithms unless noted.
    private enum Spread {
        static let samples = 0.4
        static let photos = 0.15
        static let readings = 0.04
        /// The share of readings that something interrupts, each by half of itself to several times.
        static let outliers = 0.01
        /// The amplitude of a slow change of the machine's speed.
        static let drift = 0.1
        static let memory = 0.003
        /// The share of samples that are read or not by chance.
        static let flicker = 0.01
    }

    private static let names: [ComparisonPlan.Side] = [.a, .b, .control]

    func result() -> Comparison {
        var random = SplitMix64(state: seed)
        let all = (0..<samples).map { index in
            Sample(
                id: "s\(index)",
                image: "s\(index)",
                category: .vertical,
                title: "Title",
                transcription: "Title",
                orientation: .clockwise,
                group: "photo\(index / 4)"
            )
        }
        let photos = (0...(samples / 4)).map { _ in random.nextNormal() * Spread.photos }
        let truths = all.indices.map { index in
            Truth(
                milliseconds: 40 * exp(photos[index / 4] + random.nextNormal() * Spread.samples),
                chance: random.nextDouble() < Spread.flicker ? 0.5 : random.nextDouble() < 0.85 ? 1 : 0
            )
        }
        var lost: Set<Int> = []
        if case .loss(let share) = fault {
            let read = random.shuffled(truths.indices.filter { truths[$0].chance == 1 })
            lost = Set(read.prefix(Int((share * Double(samples)).rounded())))
        }
        let plan = ComparisonPlan(samples: all, rounds: 2, seed: seed, sides: Self.names)
        var records: [ComparisonPlan.Side: [SampleRecord]] = [:]
        var workers: [ComparisonPlan.Side: [ReadingSet.Worker]] = [:]
        var stints: [String: Int] = [:]
        let phase = random.nextDouble() * 2 * .pi
        var moment = 0.0
        for (number, stint) in plan.stints.enumerated() {
            var speeds: [ComparisonPlan.Side: Double] = [:]
            for side in Self.names {
                speeds[side] = random.nextNormal() * luck
                workers[side, default: []].append(
                    ReadingSet.Worker(
                        stint: number,
                        figures: [.peakFootprint: 300e6 * exp(random.nextNormal() * Spread.memory)]
                    )
                )
            }
            for step in stint {
                stints["\(step.sample.id) \(step.round)"] = number
                let index = Int(step.sample.id.dropFirst()) ?? 0
                for side in step.order {
                    moment += 1 / Double(samples)
                    var logarithm = (speeds[side] ?? 0) + random.nextNormal() * Spread.readings
                    logarithm += Spread.drift * sin(phase + moment)
                    if random.nextDouble() < Spread.outliers { logarithm += log(1.5 + 3 * random.nextDouble()) }
                    if case .slowdown(let share) = fault, side == .b { logarithm += log(1 + share) }
                    let isRead = random.nextDouble() < truths[index].chance && !(side == .b && lost.contains(index))
                    var record = SampleRecord(
                        measurement: side.rawValue,
                        repetition: step.round,
                        position: step.position,
                        id: step.sample.id
                    )
                    record.milliseconds = truths[index].milliseconds * exp(logarithm)
                    record.prediction = Prediction(lines: isRead ? [.init(text: "Title")] : [])
                    records[side, default: []].append(record)
                }
            }
        }
        func set(_ side: ComparisonPlan.Side) -> ReadingSet {
            var set = ReadingSet(name: side.rawValue, samples: all, records: records[side] ?? [])
            set.workers = workers[side] ?? []
            return set
        }
        let (a, b) = (set(.a), set(.b))
        let noise = NoiseFloor(a: a, control: set(.control)) { stints["\($0) \($1)"] }
        return .made(a, b, noise)
    }

    private struct Truth {
        var milliseconds: Double
        /// That the title is read.
        var chance: Double
    }
}
