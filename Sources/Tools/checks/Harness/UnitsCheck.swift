import ArgumentParser
import Basics
import CommandSupport
import Composition
import Evaluation
import Foundation
import Harness
import Results

struct UnitsCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "units",
        abstract: "Measure how well latencies in units of reference work find slow-downs across hosts and settings.",
        discussion: """
            Runs of one variant's readers in several precisions and numbers of threads, or of several hosts, are the kinds; \
            --slow names runs of the same kinds whose readings took 15 % longer for real ('run' with the hidden --plant slowdown=15). In each trial \
            a baseline of one kind is gated against a run of another one, whose own kind has no part in the baseline's \
            error of conversion. Samples and reference works are drawn again in each trial. Kinds take the place of hosts: the \
            precision is not compared.

              checks harness units --runs runs/*/fast.* --slow slow/*/fast.*

            Exit codes: 0 at least 90 % of the slow-downs found and at most 5 % false alarms, 1 not.
            """
    )

    @Option(parsing: .upToNextOption, help: .value("run", "Folders of runs without a slow-down."))
    var runs: [String]

    @Option(parsing: .upToNextOption, help: .value("run", "Folders of runs with one."))
    var slow: [String]

    @Option(help: "Trials of each pair of kinds.")
    var count = 20

    @Option(help: "Random seed of the drawn samples.")
    var seed: UInt64 = 1

    @Option(help: .value("gates", "Tolerances of the gate."))
    var gate = "latency=5%,p95=off,memory=off,title-read=off"

    func run() throws {
        var random = SplitMix64(state: seed)
        let (plain, planted) = (try Self.kinds(runs), try Self.kinds(slow))
        try require(plain.count >= 4, "--runs has \(plain.count) kinds: expected 4 or more.")
        let tolerances = try ComparisonTolerances.parse(gate)
        var widths: [Double] = []
        var counts = [false: Counts(), true: Counts()]
        for (here, news) in plain.sorted(by: { $0.key < $1.key }) {
            for (there, olds) in plain.sorted(by: { $0.key < $1.key }) where there != here {
                let others = plain.filter { $0.key != here }.sorted { $0.key < $1.key }.flatMap(\.value)
                for trial in 0..<count {
                    let isSlow = trial % 2 == 1
                    guard let old = random.shuffled(olds).first,
                        let new = random.shuffled(isSlow ? planted[here] ?? [] : news).first
                    else { continue }
                    let ids = Set(random.shuffled(old.records.map(\.id)).prefix(old.records.count * 3 / 4))
                    let parts = others.map { $0.drawn(ids, &random) }
                    let baseline = try Baseline(name: "kinds", runs: [old.drawn(ids, &random)], kinds: parts)
                    var run = new.drawn(ids, &random)
                    run.takeKind(of: old)
                    var nothing = Acceptance([], today: "")
                    let report = try ComparisonReport(
                        run,
                        baselines: [baseline],
                        tool: ProgramVersion.tool,
                        tolerances: tolerances,
                        acceptance: &nothing
                    )
                    if trial == 0 { print("\(there) → \(here): \(report.notes.first ?? "")") }
                    let row = report.comparisons[0].rows.first { $0.metric == .latency }
                    counts[isSlow]?.trials += 1
                    counts[isSlow]?.alarms += row?.status == .worse && row?.gates == true ? 1 : 0
                    counts[isSlow]?.open += row?.status == .undecided ? 1 : 0
                    if let ends = row?.interval.value {
                        widths.append((log1p(ends.upperBound) - log1p(ends.lowerBound)) / 2)
                    }
                }
            }
        }
        let (none, some) = (counts[false] ?? Counts(), counts[true] ?? Counts())
        let half = widths.sorted()[widths.count / 2]
        print("median half width of the interval: \(NumberText.percent(expm1(half)))")
        print(
            "without a slow-down: \(none.alarms) of \(none.trials) called worse, \(none.open) undecided (at most 5 %)"
        )
        print("slower by 15 %: \(some.alarms) of \(some.trials) called worse, \(some.open) undecided (at least 90 %)")
        try end(
            [],
            isGood: Double(none.alarms) <= 0.05 * Double(none.trials)
                && Double(some.alarms) >= 0.9 * Double(some.trials)
        )
    }

    private struct Counts { var (alarms, trials, open) = (0, 0, 0) }

    /// Returns runs by their kind; each has one measurement.
    private static func kinds(_ paths: [String]) throws -> [String: [RunContents]] {
        let runs = try paths.map { try RunContents.scored($0) }
        return Dictionary(grouping: runs) { run in
            let description = run.result.measurements[0].description
            let precision = run.result.measurements[0].speed?.precision ?? "?"
            return "\(run.result.host.fingerprint), \(precision), \(description["threads"] ?? "?") threads"
        }
    }
}

extension RunContents {
    /// Returns the run with some of its samples, their reference works drawn with replacement.
    fileprivate func drawn(_ ids: Set<String>, _ random: inout SplitMix64) -> RunContents {
        var run = self
        run.records = records.filter { ids.contains($0.id) }
        let works = run.records.compactMap { $0.prediction?.reference }
        for index in run.records.indices where run.records[index].prediction?.reference != nil {
            run.records[index].prediction?.reference = works[Int(random.next() % UInt64(works.count))]
        }
        let description = result.measurements[0].description
        run.result.measurements[0].speed = HostSpeed(run.records, description: description)
        return run
    }

    /// Makes it look like a run of another kind on another host: the one difference that is left is the speed.
    fileprivate mutating func takeKind(of other: RunContents) {
        let id = other.result.measurements[0].id
        let own = result.measurements[0]
        result.host.cpu += ", another host"
        result.configuration.variants = other.result.configuration.variants
        result.measurements[0].id = id
        result.measurements[0].variant = other.result.measurements[0].variant
        result.measurements[0].speed = own.speed
        if let precision = other.result.measurements[0].speed?.precision {
            result.measurements[0].speed?.precision = precision
        }
        for index in records.indices { records[index].measurement = id }
    }
}
