import ArgumentParser
import Basics
import CommandSupport
import Composition
import Evaluation
import Foundation
import Harness
import Reports
import Results
import SpineDatasets

struct RerunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerun",
        abstract: "Repeat a run from its report, and check whether the figures agree.",
        discussion: """
            For example:

              spinebench rerun Reports/runs/20260301T120000Z
              spinebench rerun report.json --dataset Datasets/spines-1 --out Reports/runs/again

            Prints what differs here from the run: program, models, machine and datasets. Another dataset or model stops it, unless \
            --anyway is given. Then runs the same configuration into a new folder. Two figures agree when they differ by at most \
            √(h₁² + h₂²), where h is the distance of each from the end of its 95 % interval on the side of the other. Figures without \
            an interval, and times and memory of another machine, are printed and not judged.

            Exit codes: 0 the figures agree, 1 a figure differs, 2 invalid usage, or another dataset or model, 3 nothing to judge, \
            4 something is missing on this machine.
            """
    )

    @Argument(help: .value("run", "Folder of a run, or its report.json."))
    var path: String

    @Option(name: .customLong("dataset"), help: .value("dir", "Current folder of the run's dataset (repeatable)."))
    var datasets: [String] = []

    @Option(help: .value("dir", "Output folder: a new run. (default: Reports/runs/<UTC time>)"))
    var out: String?

    @Flag(help: "Run even if a dataset or a model differs.")
    var anyway = false

    func run() throws {
        let report = path.hasSuffix(".json") ? path : "\(path)/\(RunFolder.Name.report)"
        let then = try Self.result(report)
        let configuration = then.configuration
        guard configuration.variants.allSatisfy({ $0.origin == nil }) else {
            throw HarnessError.configuration("\(path) has readings made elsewhere, which cannot be repeated here")
        }
        guard datasets.isEmpty || datasets.count == configuration.datasets.count else {
            throw HarnessError.configuration(
                "\(path) read \(configuration.datasets.map(\.name).joined(separator: ", ")); specify as many --dataset"
            )
        }
        let places = datasets.isEmpty ? configuration.datasets.map(\.path) : datasets
        let differences = try Differences(then, datasets: places)
        print(differences.text)
        if !differences.refused.isEmpty, !anyway {
            throw HarnessError.configuration(
                "\(differences.refused.joined(separator: "; ")): specify --dataset DIR, restore the models, or use --anyway"
            )
        }
        let folder = out ?? "Reports/runs/\(RunClock.folderName())"
        let process = Process()
        process.executableURL = URL(filePath: Companion.mainProgram)
        process.arguments =
            ["run", "--like", report, "--out", folder] + places.flatMap { ["--dataset", $0] }
        try process.run()
        process.waitUntilExit()
        let status = process.terminationStatus
        guard process.terminationReason == .exit, [0, 1, 3].contains(status) else {
            throw ExitCode(process.terminationReason == .exit ? status : 128 + status)
        }
        let now = try Self.result("\(folder)/\(RunFolder.Name.report)")
        let agreement = Agreement(then, now)
        print("\n" + agreement.table.terminal(width: Console.width) + "\n")
        print(agreement.sentence + "\nRun:    \(folder)")
        throw ExitCode(agreement.verdict.exitCode)
    }

    private static func result(_ path: String) throws -> RunResult {
        let bytes = try InputFile.bytes(path)
        do {
            return try JSONDecoder().decode(RunResult.self, from: Data(bytes))
        } catch {
            throw HarnessError.configuration("invalid report \(path): \(JSONLine.reason(of: error))")
        }
    }
}

/// Differences of this machine from that of a run.
private struct Differences {
    private(set) var lines: [String] = []
    /// Differences that change what is measured.
    private(set) var refused: [String] = []

    init(_ then: RunResult, datasets: [String]) throws {
        let configuration = then.configuration
        add("program", configuration.tool, ProgramVersion.tool)
        let digest = (try? SHA256.hex(ofFile: Companion.mainProgram)).map { "sha256:\($0)" }
        add("build", configuration.codeDigest ?? "unknown", digest ?? "unknown")
        add("machine", then.host.fingerprint, HostDescription.current().fingerprint)
        for (reference, place) in zip(configuration.datasets, datasets) {
            add(
                "dataset \(reference.name)",
                reference.digest,
                try DatasetLoader().labelled(place).digest,
                refuses: true
            )
        }
        for variant in configuration.variants {
            let composed = try ComposedVariant(variant)
            if let problem = composed.settings.problem {
                throw HarnessError.unavailable(variant: variant.name, reason: problem)
            }
            let models = try composed.record().models
            for name in Set(variant.models.keys).union(models.keys).sorted() {
                let (old, new) = (variant.models[name] ?? "none", models[name] ?? "none")
                add("model \(name) of \(variant.name)", old, new, refuses: true)
            }
        }
    }

    private mutating func add(_ name: String, _ then: String, _ now: String, refuses: Bool = false) {
        if then == now { return }
        lines.append("  \(name): \(then), here \(now)")
        if refuses { refused.append("\(name) differs") }
    }

    var text: String {
        lines.isEmpty
            ? "Program, models, machine and datasets are those of the run."
            : "Different here:\n" + lines.joined(separator: "\n")
    }
}

/// Figures of a run and of its repetition.
struct Agreement {
    let table: Table
    let verdict: Verdict?
    let sentence: String

    init(_ then: RunResult, _ now: RunResult) {
        let isSameMachine = then.host.fingerprint == now.host.fingerprint
        let new = Dictionary(now.measurements.flatMap(ChartedFigure.of).map { ("\($0.bench) \($0.measure)", $0) }) {
            first,
            _ in first
        }
        var (verdicts, differing): ([Verdict], [String]) = ([], [])
        let rows = then.measurements.flatMap(ChartedFigure.of).map { old -> [String] in
            let name = "\(old.bench) \(old.measure)"
            guard let new = new[name] else { return [name, Self.text(old), "–", "not measured here"] }
            let isOfMachine = ["ms", "MB"].contains(old.unit)
            guard isSameMachine || !isOfMachine else {
                return [name, Self.text(old), Self.text(new), "another machine: not judged"]
            }
            guard let agrees = Self.agree(old, new) else {
                return [name, Self.text(old), Self.text(new), "no interval: not judged"]
            }
            verdicts.append(agrees ? .pass : .fail)
            if !agrees { differing.append(name) }
            return [name, Self.text(old), Self.text(new), agrees ? "agrees" : "differs"]
        }
        table = Table(columns: ["figure", .number("then"), .number("now"), "within the intervals"], rows: rows)
        verdict = Verdict.overall(verdicts)
        let judged = NumberText.count(verdicts.count, "judged figure")
        sentence =
            switch verdict {
            case .fail: "DIFFERS  \(differing.count) of \(judged): \(differing.joined(separator: ", "))."
            case .pass: "AGREES  All of \(judged) agree within their intervals."
            case .inconclusive, nil: "NO VERDICT  No figure has an interval in both runs."
            }
    }

    /// Returns whether two figures differ by less than their intervals allow; nil without both intervals.
    static func agree(_ a: ChartedFigure, _ b: ChartedFigure) -> Bool? {
        guard let first = a.range, let second = b.range else { return nil }
        let (low, high) = a.value <= b.value ? (first, second) : (second, first)
        let (lower, upper) = (min(a.value, b.value), max(a.value, b.value))
        let halves = (low.upperBound - lower, upper - high.lowerBound)
        return upper - lower <= (halves.0 * halves.0 + halves.1 * halves.1).squareRoot() + 1e-9
    }

    private static func text(_ figure: ChartedFigure) -> String {
        let range = figure.range.map {
            " [\(NumberText.fixed($0.lowerBound, 1)), \(NumberText.fixed($0.upperBound, 1))]"
        }
        return "\(NumberText.fixed(figure.value, 1)) \(figure.unit)\(range ?? "")"
    }
}
