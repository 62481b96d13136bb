import ArgumentParser
import Basics
import Composition
import Evaluation
import Foundation
import Harness
import Reports
import Results
import SpineDatasets

struct FalseAlarmCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate",
        abstract: "Measure false alarms of 'compare' in A/A comparisons, and how often it finds a planted regression.",
        discussion: """
            Without --real, readings are simulated and judged by the code for real ones: --count comparisons of a \
            system with itself, as many with a planted slowdown of 10 % and of 250 %, as many with one of \
            250 % where processes differ by 15 % and read few samples, and as many with a planted loss of 5 points of titles \
            read.

            With --real, the program compares a variant with itself for real, B with the fault of --plant if there is one: \
            slowdown=10 delays its workers by 10 % of each reading's own time, drop=6 removes the text of 6 % of the \
            samples, chosen by their names. Use an idle machine. A comparison without a report is counted, and the \
            others continue.

              checks harness gate
              checks harness gate --real .build/release/spinebench --dataset Datasets/spines-1 --count 25
              checks harness gate --real .build/release/spinebench --dataset Datasets/spines-1 --count 10 --plant slowdown=10
              checks harness gate --real .build/release/spinebench --dataset Datasets/spines-1 --count 10 --plant slowdown=250

            Every row's figures and bounds must be possible: finite, and those of a ratio above −100 %.

            Exit codes: 0 at most 2 % false alarms and at least 95 % found, of 25 none and of 10 all, and every bound \
            possible; 1 not.
            """
    )

    @Option(help: "Number of comparisons of each kind.")
    var count = 200

    @Option(help: "Random seed of simulated readings and real orders.")
    var seed: UInt64 = 1

    @Option(help: "Number of simulated samples.")
    var samples = 240

    @Option(help: "Standard deviation between simulated processes of one program, in percent.")
    var luck = 1.0

    @Option(help: .value("program", "Program for real comparisons."))
    var real: String?

    @Option(help: .value("dir", "Dataset of real comparisons."))
    var dataset: String?

    @Option(help: "Variant of real comparisons.")
    var variant = "fast"

    @Option(help: "Maximum number of samples of real comparisons.")
    var limit: Int?

    @Option(help: "Fault of B in real comparisons.")
    var plant: String?

    @Option(help: .value("dir", "Folder of real comparisons."))
    var out: String = FileManager.default.temporaryDirectory.path + "/checks-harness-gate"

    func validate() throws {
        try require(count >= 1, "Invalid --count \(count): expected 1 or more.")
        try require(samples >= 20, "Invalid --samples \(samples): expected 20 or more.")
        try require(real == nil || dataset != nil, "--real requires --dataset DIR.")
    }

    func run() throws {
        if let real, let dataset { return try end([], isGood: compareForReal(real, dataset)) }
        let results = [
            judge("no change", simulated(.none), isAlarm: false),
            judge("slower by 10 %", simulated(.slowdown(0.1)), isAlarm: true),
            judge("slower by 250 %", simulated(.slowdown(2.5)), isAlarm: true),
            judge("no change, noisy", simulated(.none, samples: 48, luck: 0.15), isAlarm: false),
            judge("slower by 250 %, noisy", simulated(.slowdown(2.5), samples: 48, luck: 0.15), isAlarm: true),
            judge("5 points of titles lost", simulated(.loss(0.05)), isAlarm: true),
        ]
        try end([], isGood: results.allSatisfy(\.self))
    }

    private struct Outcome {
        /// Verdict; nil when no row should gate, or there is no report.
        var verdict: Verdict?
        var isReported = true
        /// Rows with a figure or a bound that cannot be.
        var impossible: [String] = []

        init(_ comparisons: [Comparison], verdict: Verdict?) {
            self.verdict = verdict
            let rows = comparisons.flatMap { $0.rows + $0.categories }
            impossible = rows.filter(\.isImpossible).map {
                let text = ComparisonText($0)
                return "\(text.metric) \(text.difference) \(text.interval)"
            }
        }

        init() { isReported = false }
    }

    private func simulated(_ fault: SimulatedComparison.Fault, samples: Int? = nil, luck: Double? = nil) -> [Outcome] {
        (0..<count).map { index in
            let comparison = SimulatedComparison(
                seed: seed &+ UInt64(index) &* 0x9e37_79b9_7f4a_7c15,
                samples: samples ?? self.samples,
                luck: luck ?? self.luck / 100,
                fault: fault
            ).result()
            return Outcome([comparison], verdict: comparison.verdict)
        }
    }

    private func compareForReal(_ program: String, _ dataset: String) throws -> Bool {
        var outcomes: [Outcome] = []
        for index in 0..<count {
            let folder = "\(out)/\(RunClock.folderName())-\(index)"
            var arguments = ["compare", variant, variant, "--dataset", dataset, "--out", folder]
            arguments += ["--seed", "\(seed + UInt64(index))"]
            if let limit { arguments += ["--limit", "\(limit)"] }
            if let plant { arguments += ["--plant", plant] }
            let process = try Process.start(program, arguments, errors: FileHandle.nullDevice)
            process.waitUntilExit()
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(ComparisonReports.Name.json)"),
                let report = try? JSONDecoder().decode(ComparisonReport.self, from: data)
            else {
                print("\(index + 1): \(program) ended with \(process.terminationStatus), no report in \(folder)")
                outcomes.append(Outcome())
                continue
            }
            outcomes.append(Outcome(report.comparisons, verdict: report.verdict))
            let rows = report.comparisons.flatMap(\.rows).filter { $0.tolerance != nil }.map {
                "\($0.metric.id) \(ComparisonText($0).difference) \(ComparisonText($0).noise) \($0.status.rawValue)"
            }
            print("\(index + 1): \(report.verdict?.rawValue ?? "none"); \(rows.joined(separator: "; "))")
        }
        return judge(plant ?? "no change", outcomes, isAlarm: plant != nil)
    }

    private func judge(_ name: String, _ outcomes: [Outcome], isAlarm: Bool) -> Bool {
        let alarms = outcomes.count { $0.verdict == .fail }
        let open = outcomes.count { $0.verdict == .inconclusive }
        let missing = outcomes.count { !$0.isReported }
        let impossible = outcomes.flatMap(\.impossible)
        let share = Double(alarms) / Double(outcomes.count)
        let isGood =
            (isAlarm ? share >= 0.95 : share <= 0.02) && missing == 0 && impossible.isEmpty
        print(
            "\(isGood ? "ok  " : "MISS") \(name): \(alarms) of \(outcomes.count) called a regression, \(open) not decided, "
                + "\(missing) without a report; " + (isAlarm ? "at least 95 % wanted" : "at most 2 % wanted")
                + "; \(NumberText.count(impossible.count, "row")) with impossible bounds"
                + (impossible.isEmpty ? "" : ": \(impossible.prefix(3).joined(separator: "; "))")
        )
        return isGood
    }
}

/// A comparison whose readings are drawn at random, with all that makes real ones hard to judge.
struct SimulatedComparison {
    enum Fault {
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
                        peakFootprintBytes: 300e6 * exp(random.nextNormal() * Spread.memory)
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
            ReadingSet(name: side.rawValue, samples: all, records: records[side] ?? [], workers: workers[side] ?? [])
        }
        let (a, b) = (set(.a), set(.b))
        let noise = NoiseFloor(a: a, control: set(.control)) { stints["\($0) \($1)"] }
        return Comparison(a: a, b: b, dataset: "simulated", noise: noise, tolerances: .standard)
    }

    private struct Truth {
        var milliseconds: Double
        /// That the title is read.
        var chance: Double
    }
}

extension SplitMix64 {
    /// Returns a draw from the standard normal distribution.
    mutating func nextNormal() -> Double {
        // Half a step up, so that it is never 0.
        Normal.quantile(nextDouble() + 0x1p-54)
    }
}
