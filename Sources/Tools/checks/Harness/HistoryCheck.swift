import ArgumentParser
import Basics
import Foundation
import RunHistory

struct HistoryCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Measure how often 'history' finds planted steps, and steps where there are none.",
        discussion: """
            Draws histories of 30 runs of 240 samples, with a step of 10 % of latency or of 3 points of titles read and as many \
            without, and looks for it after two, three and four runs with it. Runs differ by a factor of their own, whose \
            95 % reach for five runs is --noise, as baselines state it (7.15: five runs of tesseract in Reports/baseline). The \
            other noises have no limit: the smaller a step in units of the noise, the later it is found.

            Exit codes: 0 at least 95 % found after two runs, and at most 2 % of the histories without a step show one; 1 not.
            """
    )

    @Option(help: "Number of histories of each kind.")
    var count = 200

    @Option(help: "Noise of latency between runs, in percent, as baselines state it.")
    var noise = 7.15

    @Option(help: "Random seed.")
    var seed: UInt64 = 1

    func validate() throws { try require(count >= 1, "Invalid --count \(count): expected 1 or more.") }

    func run() throws {
        let latency = PlantedHistory.Figure.latency(step: 0.1, reach: noise / 100)
        var isGood = true
        for (name, figure) in [
            ("latency ±\(NumberText.short(noise)) %, 10 %", latency), ("titles, 3 points", .titles(step: 0.03)),
        ] {
            let trial = PlantedHistory.trial(figure, count: count, seed: seed)
            isGood = isGood && trial.found[0] >= 0.95 && trial.false <= 0.02
            print("\(trial.found[0] >= 0.95 && trial.false <= 0.02 ? "ok  " : "MISS") \(name): \(trial.text)")
        }
        for reach in [0.05, 0.09, 0.12, 0.2, 0.35] {
            let trial = PlantedHistory.trial(.latency(step: 0.1, reach: reach), count: count, seed: seed)
            print("     latency ±\(NumberText.short(reach * 100)) %, 10 %: \(trial.text)")
        }
        try end([], isGood: isGood)
    }
}

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

    static let (runs, samples) = (30, 240)
    /// As in ``SimulatedComparison``.
    private static let (spread, readings, flicker) = (0.4, 0.04, 0.01)

    /// Returns the levels of the runs and the least deviation between them, as ``History`` takes them.
    func levels(_ random: inout SplitMix64) -> (values: [Double], resolution: Double) {
        switch figure {
        case .latency(let size, let reach):
            let deviation = log1p(reach) / (StudentT.quantile(0.975, degreesOfFreedom: 4) * 1.2.squareRoot())
            let truths = (0..<Self.samples).map { _ in log(40) + random.nextNormal() * Self.spread }
            let rows = (0..<Self.runs).map { run in
                let own = random.nextNormal() * deviation + (run >= step ?? .max ? log1p(size) : 0)
                return truths.map { Optional($0 + own + random.nextNormal() * Self.readings) }
            }
            return (ChangePoints.levels(rows, isMean: false).compactMap(\.self), 0.002)
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
            return (ChangePoints.levels(rows, isMean: true).compactMap(\.self), 100 / Double(Self.samples))
        }
    }

    struct Trial {
        /// Share found after two, three and four runs with the step, at its place or beside it.
        var found: [Double] = []
        /// Share of these that are confirmed then.
        var sure: [Double] = []
        /// Share of those without a step that show one after all runs, that show a confirmed one, and that showed any
        /// after the tenth run or a later one.
        var `false` = 0.0
        var confirmed = 0.0
        var ever = 0.0

        var text: String {
            let shares = found.map(NumberText.percent).joined(separator: ", ")
            let sure = sure.map(NumberText.percent).joined(separator: ", ")
            return
                "found with 2, 3, 4 runs \(shares), confirmed \(sure); without a step \(NumberText.percent(self.false)) show one, "
                + "\(NumberText.percent(confirmed)) a confirmed one, \(NumberText.percent(ever)) showed one at some time"
        }
    }

    static func trial(_ figure: Figure, count: Int, seed: UInt64) -> Trial {
        var random = SplitMix64(state: seed)
        var (found, sure, alarms, confirmed, ever) = ([0, 0, 0], [0, 0, 0], 0, 0, 0)
        for _ in 0..<count {
            let place = 10 + Int(random.nextDouble() * 16)
            let drawn = PlantedHistory(figure: figure, step: place).levels(&random)
            for more in 2...4 {
                let steps = ChangePoints(Array(drawn.values.prefix(place + more)), resolution: drawn.resolution).steps
                guard let step = steps.first(where: { abs($0.first - place) <= 1 }) else { continue }
                found[more - 2] += 1
                if step.chance <= ChangePoints.confirmed { sure[more - 2] += 1 }
            }
            let plain = PlantedHistory(figure: figure, step: nil).levels(&random)
            let looks = (10...runs).map {
                ChangePoints(Array(plain.values.prefix($0)), resolution: plain.resolution).steps
            }
            if looks.last?.isEmpty == false { alarms += 1 }
            if looks.last?.contains(where: { $0.chance <= ChangePoints.confirmed }) == true { confirmed += 1 }
            if looks.contains(where: { !$0.isEmpty }) { ever += 1 }
        }
        func share(_ number: Int) -> Double { Double(number) / Double(count) }
        return Trial(
            found: found.map(share),
            sure: sure.map(share),
            false: share(alarms),
            confirmed: share(confirmed),
            ever: share(ever)
        )
    }
}
