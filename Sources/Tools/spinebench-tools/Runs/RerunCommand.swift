import ArgumentParser
import Basics
import CommandSupport
import Documents
import Evaluation
import Foundation
import Harness
import Reports
import SpineDatasets
import Systems

struct RerunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerun",
        abstract: "Repeat a run from its report, and check whether the figures agree.",
        discussion: """
            Two figures agree when they differ by at most √(h₁² + h₂²), h being the distance to the near end of each \
            one's 95 % interval. Exit codes: 0 agreement, 1 a figure differs, 2 invalid usage, or another dataset or \
            model, 3 nothing to judge. Manual: Docs/MEASURING.md#plan-and-repeat.
            """
    )

    @Argument(help: .value("run", "Folder of a run, or its report.json."))
    var path: String

    @Option(name: .customLong("dataset"), help: .value("dir", "Dataset folder, if it was moved (repeatable)."))
    var datasets: [String] = []

    @Option(help: .value("dir", "New output folder. (default: Reports/runs/<UTC time>)"))
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
                "\(path) read \(configuration.datasets.count) datasets: specify as many --dataset"
            )
        }
        let places = datasets.isEmpty ? configuration.datasets.map(\.path) : datasets
        let refused = try Self.differences(then, places)
        if !refused.isEmpty, !anyway {
            throw HarnessError.configuration(
                "\(refused.joined(separator: "; ")): specify --dataset DIR, restore the models, or use --anyway"
            )
        }
        let folder = out ?? "Reports/runs/\(RunClock.folderName())"
        let arguments = ["run", "--like", report, "--out", folder] + places.flatMap { ["--dataset", $0] }
        let process = try Process.run(URL(filePath: Companion.mainProgram), arguments: arguments)
        process.waitUntilExit()
        let status = process.terminationStatus
        guard process.terminationReason == .exit, [0, 1, 3].contains(status) else {
            throw ExitCode(process.terminationReason == .exit ? status : 128 + status)
        }
        let agreement = Agreement(then, try Self.result("\(folder)/\(RunFolder.Name.report)"))
        print("\n\(agreement.table.terminal(width: Console.width))\n\n\(agreement.sentence)\nRun:    \(folder)")
        throw ExitCode(agreement.verdict.exitCode)
    }

    private static func result(_ path: String) throws -> RunResult {
        try RunResult(report: InputFile.bytes(path), path)
    }

    /// Prints the differences of this machine from that of a run; returns those that change what is measured.
    private static func differences(_ then: RunResult, _ places: [String]) throws -> [String] {
        var facts = [
            ("program", then.configuration.tool, ProgramVersion.tool),
            (
                "build", then.configuration.codeDigest ?? "unknown",
                (try? SHA256.hex(ofFile: Companion.mainProgram)).map { "sha256:\($0)" } ?? "unknown"
            ), ("machine", then.host.fingerprint, HostDescription.current().fingerprint),
        ]
        let isOfMachine = facts.count
        for (reference, place) in zip(then.configuration.datasets, places) {
            facts.append(("dataset \(reference.name)", reference.digest, try DatasetLoader().labelled(place).digest))
        }
        for variant in then.configuration.variants {
            let composed = try ComposedVariant(variant)
            try composed.settings.check(variant.name)
            let models = try composed.record().models
            for name in Set(variant.models.keys).union(models.keys).sorted() {
                facts.append(
                    ("model \(name) of \(variant.name)", variant.models[name] ?? "none", models[name] ?? "none")
                )
            }
        }
        let found = facts.filter { $0.1 != $0.2 }
        print(
            found.isEmpty
                ? "Program, models, machine and datasets are those of the run."
                : "Different here:\n" + found.map { "  \($0): \($1), here \($2)" }.joined(separator: "\n")
        )
        return facts[isOfMachine...].filter { $0.1 != $0.2 }.map { "\($0.0) differs" }
    }
}

/// Figures of a run and of its repetition.
struct Agreement {
    let table: Table
    /// nil when no figure has an interval in both runs.
    let verdict: Verdict?
    let sentence: String

    init(_ then: RunResult, _ now: RunResult) {
        func key(_ figure: ChartedFigure) -> String { "\(figure.bench) \(figure.measure)" }
        let isSameMachine = then.host.fingerprint == now.host.fingerprint
        let new = Dictionary(now.measurements.flatMap(ChartedFigure.of).map { (key($0), $0) }) { first, _ in first }
        let rows = then.measurements.flatMap(ChartedFigure.of).map { old -> (cells: [String], agrees: Bool?) in
            guard let new = new[key(old)] else { return ([key(old), Self.text(old), "–", "not measured here"], nil) }
            let isOfMachine = ["ms", "MB"].contains(old.unit) && !isSameMachine
            let agrees = isOfMachine ? nil : Self.agree(old, new)
            let reason = isOfMachine ? "another machine" : "no interval"
            let status = agrees.map { $0 ? "agrees" : "differs" } ?? "\(reason): not judged"
            return ([key(old), Self.text(old), Self.text(new), status], agrees)
        }
        table = Table(
            columns: ["figure", .number("then"), .number("now"), "within the intervals"],
            rows: rows.map(\.cells)
        )
        verdict = Verdict.overall(rows.compactMap { $0.agrees.map { $0 ? .pass : .fail } })
        let judged = NumberText.count(rows.count { $0.agrees != nil }, "judged figure")
        let differing = rows.filter { $0.agrees == false }.map { $0.cells[0] }
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
