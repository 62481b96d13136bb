import ArgumentParser
import CommandSupport
import Composition
import Evaluation
import Foundation
import Harness
import Reports
import Results

struct GateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate",
        abstract: "Check a run against its targets and committed baselines, for CI.",
        discussion: """
            For example:

              spinebench gate Reports/runs/ci
              spinebench gate Reports/runs/ci --baseline Reports/baseline/fast.json --junit gate.xml --github
              spinebench gate Reports/runs/ci --baseline none

            Without --baseline, every file in Reports/baseline is used; 'spinebench baseline update' creates them. Samples are \
            paired with those of the baseline, and rows are judged as by 'spinebench compare'. Latency and memory gate \
            only when the baseline was measured on a similar machine and has at least two runs, which show how much \
            runs differ; where that exceeds the tolerance, the row is marked and does not gate. On hosted machines compare \
            two builds on the same one instead: 'spinebench compare --against-binary'.

            Exit codes: 0 all targets met and no regression, 1 a target missed or a regression, 2 invalid usage, no baseline or another \
            dataset, 3 not enough data to decide, 4 something is missing on this machine.
            """
    )

    enum Targets: String, ExpressibleByArgument, CaseIterable { case standard, none }

    @Argument(help: .value("run", "Folder of the run."))
    var path: String

    @Option(name: .customLong("baseline"), help: .value("file", "Baseline file (repeatable); 'none' disables."))
    var baselines: [String] = []

    @Option(help: "Whether the run's targets also gate: standard or none.")
    var targets: Targets = .standard

    @Option(
        name: .customLong("gate"),
        help: .value("gates", "Tolerances, for example latency=5%,p95=10%,title-read=2.")
    )
    var accepted: String = ""

    @Option(name: .customLong("dataset"), help: .value("dir", "Current folder of the run's dataset (repeatable)."))
    var datasets: [String] = []

    @OptionGroup(title: "For CI")
    var exports: ExportOptions

    func run() throws {
        let tolerances = try ComparisonTolerances.parse(accepted)
        let files = try baselineFiles()
        let stored = try RunContents.scored(path, datasets: datasets)
        let comparison =
            try files.isEmpty
            ? nil
            : ComparisonReport(
                stored,
                baselines: files.map(Baseline.load),
                tool: ProgramVersion.tool,
                tolerances: tolerances
            )
        let result = GateResult(run: stored.result, usesTargets: targets == .standard, comparison: comparison)
        if let comparison { try ComparisonReports(comparison, datasets: stored.datasets).write(to: path) }
        try exports.write(result.checks, over: files + stored.datasets.flatMap(\.files) + OutputFile.files(ofRun: path))
        print(text(result))
        throw ExitCode(result.exitCode)
    }

    private func baselineFiles() throws -> [String] {
        if baselines == ["none"] { return [] }
        if !baselines.isEmpty { return baselines }
        let folder = BaselineCommand.folder
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let names = files.filter { $0.hasSuffix(".json") }.sorted()
        guard !names.isEmpty else {
            throw HarnessError.configuration(
                "no baseline found in \(folder). Create one from a few accepted runs: spinebench baseline "
                    + "update RUN RUN RUN --name NAME; or check targets only: --baseline none"
            )
        }
        return names.map { "\(folder)/\($0)" }
    }

    private func text(_ result: GateResult) -> String {
        let tables = result.comparison?.comparisons.map(ComparisonSummary.table) ?? []
        let notes = result.comparison?.notes ?? []
        let report = result.comparison == nil ? RunReports.Name.markdown : ComparisonReports.Name.markdown
        return """
            \(Console.coloured(result.word, result.verdict.colour))  \(result.sentence)

            \((tables + notes).map { $0 + "\n\n" }.joined())Report: \(path)/\(report)
            Next:   \(next(result))
            """
    }

    private func next(_ result: GateResult) -> String {
        switch result.verdict {
        case .pass:
            "merge it; to make an improvement the new baseline: spinebench baseline update \(path) … --name NAME"
        case .fail where result.comparison?.verdict == .fail:
            "see which samples flipped: \(path)/\(ComparisonReports.Name.page)"
        case .fail: "see which targets are missed: \(path)/\(RunReports.Name.markdown)"
        case .inconclusive where result.run.isPartial:
            "finish the run and check it again: spinebench run --resume \(path)"
        case .inconclusive: "see what was not decided, and why: \(path)/\(RunReports.Name.markdown)"
        case nil: "specify the gating variants: spinebench run --gate NAME"
        }
    }
}

struct BaselineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline",
        abstract: "Manage baselines for later runs.",
        subcommands: [BaselineUpdate.self]
    )

    static let folder = "Reports/baseline"
}

struct BaselineUpdate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Write runs as a baseline, and print the changes.",
        discussion: """
            For example:

              spinebench baseline update Reports/runs/1 Reports/runs/2 Reports/runs/3 --name fast
              spinebench baseline update Reports/runs/1 --name fast --dry-run

            All runs must be of the same build over the same dataset, on one machine. Accuracy comes from the first run, latencies \
            from all of them, and their differences are the noise that a later run has to exceed. With one run, latency \
            and memory cannot gate; two runs give a rough noise estimate; five are recommended.

            Review the printed changes and commit Reports/baseline/NAME.json.
            """
    )

    @Argument(help: .value("run", "Folders of runs."))
    var runs: [String]

    @Option(
        parsing: .upToNextOption,
        help: .value("run", "Runs of the same readers on other hosts, or with other precisions or threads.")
    )
    var kinds: [String] = []

    @Option(help: "The baseline's name: letters, digits, '-', '_' and '.'.")
    var name: String

    @Option(help: .value("dir", "Folder of the baselines."))
    var folder = BaselineCommand.folder

    @Flag(help: "Print the changes without writing them.")
    var dryRun = false

    func validate() throws {
        guard !name.isEmpty, !name.hasPrefix("."),
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        else { throw ValidationError("invalid --name \"\(name)\": expected letters, digits, '-', '_' and '.'") }
    }

    func run() throws {
        let path = "\(folder)/\(name).json"
        let file = try OutputFile(path, option: "--folder and --name:", over: runs.flatMap(OutputFile.files(ofRun:)))
        let new = try Baseline(name: name, runs: runs.map { try .scored($0) }, kinds: kinds.map { try .scored($0) })
        let old = FileManager.default.fileExists(atPath: path) ? try Baseline.load(path) : nil
        print(new.diff(from: old))
        if dryRun { return print("Nothing was written. Next: the same without --dry-run") }
        try file.write(new.bytes)
        print("Written: \(path)\nNext:    review the changes above, and commit the file")
    }
}
