import Basics
import Foundation
import Statistics
import TestSupport

@testable import RunHistory

/// History whose readings are drawn at random, with a step or without.
struct PlantedHistory {
    enum Figure {
        /// `reach`: 95 % reach of a new run, as five runs of a baseline show it.
        case latency(step: Double, reach: Double)
        /// Samples lost for good, as a share.
        case titles(step: Double)
    }

    let figure: Figure
    /// Number of runs before the step; nil without one.
    let step: Int?

    static let (runs, samples) = (34, 240)
    /// As in ``SimulatedComparison``.
    private static let (spread, readings, flicker) = (0.4, 0.04, 0.01)

    /// Levels of the runs and the least deviation between them, as ``History`` takes them.
    struct Drawn {
        var values: [Double]
        var resolution: Double

        func steps(_ runs: Int) -> [ChangePoints.Step] {
            ChangePoints(Array(values.prefix(runs)), resolution: resolution).steps
        }

        func step(at place: Int, runs: Int) -> ChangePoints.Step? { steps(runs).first { abs($0.first - place) <= 1 } }
    }

    func levels(_ random: inout SplitMix64) -> Drawn {
        switch figure {
        case .latency(let size, let reach):
            let deviation = log1p(reach) / (StudentT.quantile(0.975, degreesOfFreedom: 4) * 1.2.squareRoot())
            let truths = (0..<Self.samples).map { _ in log(40) + random.nextNormal() * Self.spread }
            let rows = (0..<Self.runs).map { run in
                let own = random.nextNormal() * deviation + (run >= step ?? .max ? log1p(size) : 0)
                return truths.map { Optional($0 + own + random.nextNormal() * Self.readings) }
            }
            return Drawn(values: ChangePoints.levels(rows, isMean: false).compactMap(\.self), resolution: 0.002)
        case .titles(let size):
            let chances = (0..<Self.samples).map { _ in
                random.nextDouble() < Self.flicker ? 0.5 : random.nextDouble() < 0.85 ? 1 : 0
            }
            let read = random.shuffled(chances.indices.filter { chances[$0] == 1 })
            let lost = Set(read.prefix(Int((size * Double(Self.samples)).rounded())))
            let rows = (0..<Self.runs).map { run in
                chances.indices.map { index -> Double? in
                    let isLost = run >= step ?? .max && lost.contains(index)
                    return random.nextDouble() < chances[index] && !isLost ? 100 : 0
                }
            }
            return Drawn(
                values: ChangePoints.levels(rows, isMean: true).compactMap(\.self),
                resolution: 100 / Double(Self.samples)
            )
        }
    }

    struct Trial {
        /// Share found after two, three and four runs with the step, at its place or beside it.
        var found: [Double] = []
        /// Share of these that are confirmed then.
        var sure: [Double] = []
        /// Share of those without a step that show one after 30 runs, that show a confirmed one then, that showed any
        /// after one of the runs 10 to 30, and after one of the runs 5 to 34: 30 looks.
        var `false` = 0.0
        var confirmed = 0.0
        var ever = 0.0
        var inLooks = 0.0

        /// Limits that are missed.
        var missed: [String] {
            [
                (found[0] >= 0.95, "found with 2 runs ≥ 95 %"), (found[2] >= 0.95, "found with 4 runs ≥ 95 %"),
                (self.false <= 0.02, "false after 30 runs ≤ 2 %"), (inLooks <= 0.05, "false in 30 looks ≤ 5 %"),
            ].filter { !$0.0 }.map(\.1)
        }

        var verdict: String { missed.isEmpty ? "ok  " : "MISS [\(missed.joined(separator: ", "))]" }

        var text: String {
            let shares = found.map(NumberText.percent).joined(separator: ", ")
            let sure = sure.map(NumberText.percent).joined(separator: ", ")
            return
                "found with 2, 3, 4 runs \(shares), confirmed \(sure); without a step \(NumberText.percent(self.false)) show one "
                + "after 30 runs, \(NumberText.percent(confirmed)) a confirmed one, \(NumberText.percent(ever)) at one of 21 looks, "
                + "\(NumberText.percent(inLooks)) at one of 30"
        }
    }

    static func trial(_ figure: Figure, count: Int, seed: UInt64) -> Trial {
        var random = SplitMix64(state: seed)
        var (found, sure, alarms, confirmed, ever, inLooks) = ([0, 0, 0], [0, 0, 0], 0, 0, 0, 0)
        for _ in 0..<count {
            let (drawn, place) = planted(figure, &random)
            for more in 2...4 {
                guard let step = drawn.step(at: place, runs: place + more) else { continue }
                found[more - 2] += 1
                if step.chance <= ChangePoints.confirmed { sure[more - 2] += 1 }
            }
            let plain = PlantedHistory(figure: figure, step: nil).levels(&random)
            let looks = (0...runs).map { plain.steps($0) }
            if !looks[30].isEmpty { alarms += 1 }
            if looks[30].contains(where: { $0.chance <= ChangePoints.confirmed }) { confirmed += 1 }
            if looks[10...30].contains(where: { !$0.isEmpty }) { ever += 1 }
            if looks[5...].contains(where: { !$0.isEmpty }) { inLooks += 1 }
        }
        func share(_ number: Int) -> Double { Double(number) / Double(count) }
        return Trial(
            found: found.map(share),
            sure: sure.map(share),
            false: share(alarms),
            confirmed: share(confirmed),
            ever: share(ever),
            inLooks: share(inLooks)
        )
    }

    private static func planted(_ figure: Figure, _ random: inout SplitMix64) -> (drawn: Drawn, place: Int) {
        let place = 10 + Int(random.nextDouble() * 16)
        return (PlantedHistory(figure: figure, step: place).levels(&random), place)
    }
}
