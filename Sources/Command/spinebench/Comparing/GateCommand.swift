import ArgumentParser
import Evaluation
import Foundation
import Harness
import Judging
import Reports

/// `spinebench gate`.
struct GateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate",
        abstract: "Judges a run by its targets and by committed baselines, for CI.",
        discussion: """
            For example:

              spinebench gate Reports/runs/ci
              spinebench gate Reports/runs/ci --baseline Reports/baseline/fast.json --junit gate.xml --github
              spinebench gate Reports/runs/ci --baseline none

            Without --baseline, every file in Reports/baseline is used; 'spinebench baseline update' makes them. Samples are \
            paired with those of the baseline, and rows are judged as by 'spinebench compare'. Latency and memory gate \
            only when the baseline was taken on a machine like this one, and of two runs at least, which say how far \
            runs differ; where that exceeds what is accepted, the row says so and does not gate. On hosted machines compare \
            two builds on the same one instead: 'spinebench compare --against-binary'.

            Exit codes: 0 all met and nothing worse, 1 a target missed or a regression, 2 wrong usage, no baseline or another \
            dataset, 3 not enough to decide, 4 something is missing on this machine.
            """
    )

    /// Which absolute targets decide.
    enum Targets: String, ExpressibleByArgument, CaseIterable {
        case standard
        case none
    }

    @Argument(help: ArgumentHelp("The run's folder.", valueName: "run"))
    var path: String

    @Option(
        name: .customLong("baseline"),
        help: ArgumentHelp("A baseline; may be repeated; none for none.", valueName: "file")
    )
    var baselines: [String] = []

    @Option(help: "Whether the run's targets decide too: standard or none.")
    var targets: Targets = .standard

    @Option(
        name: .customLong("gate"),
        help: ArgumentHelp("What is accepted: latency=5%,p95=10%,title-read=2.", valueName: "gates")
    )
    var accepted: String = ""

    @Option(
        name: .customLong("dataset"),
        help: ArgumentHelp("Where the run's dataset lies now; may be repeated.", valueName: "dir")
    )
    var datasets: [String] = []

    @OptionGroup(title: "For CI")
    var exports: ExportOptions

    func run() throws {
        let tolerances = try ComparisonTolerances.parse(accepted)
        let files = try baselineFiles()
        let stored = try RunContents.scored(path, datasets: datasets)
        var comparison: ComparisonReport?
        if !files.isEmpty {
            comparison = try ComparisonReport(
                stored,
                baselines: files.map(Baseline.load),
                tool: RunOptions.tool,
                tolerances: tolerances
            )
        }
        let result = GateResult(run: stored.result, usesTargets: targets == .standard, comparison: comparison)
        if let comparison { try ComparisonReports(comparison, datasets: stored.datasets).write(to: path) }
        try exports.write(result.checks, over: files + stored.datasets.flatMap(\.files) + RunFiles.all(of: path))
        print(text(result))
        throw ExitCode(result.exitCode)
    }

    private func baselineFiles() throws -> [String] {
        if baselines == ["none"] { return [] }
        if !baselines.isEmpty { return baselines }
        let folder = BaselineCommand.folder
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.hasSuffix(".json")
        }
        guard !names.isEmpty else {
            throw HarnessError.configuration(
                "there is no baseline in \(folder). Make one of a few runs that are as good as wanted: spinebench baseline "
                    + "update RUN RUN RUN --name NAME; or judge by targets alone: --baseline none"
            )
        }
        return names.sorted().map { "\(folder)/\($0)" }
    }

    private func text(_ result: GateResult) -> String {
        let colour: Console.Colour =
            switch result.verdict {
            case .pass: .green
            case .fail: .red
            case .inconclusive, nil: .yellow
            }
        let tables = result.comparison?.comparisons.map(ComparisonSummary.table) ?? []
        let notes = result.comparison?.notes ?? []
        let report =
            result.comparison == nil
            ? "\(path)/\(RunReports.Name.markdown)" : "\(path)/\(ComparisonReports.Name.markdown)"
        return """
            \(Console.coloured(result.word, colour))  \(result.sentence)

            \((tables + notes).map { $0 + "\n\n" }.joined())Report: \(report)
            Next:   \(next(result))
            """
    }

    private func next(_ result: GateResult) -> String {
        switch result.verdict {
        case .pass: "merge it; if it is better for good, take it over: spinebench baseline update \(path) … --name NAME"
        case .fail where result.comparison?.verdict == .fail:
            "see which samples flipped: \(path)/\(ComparisonReports.Name.page)"
        case .fail: "see which targets are missed: \(path)/\(RunReports.Name.markdown)"
        case .inconclusive where result.run.isPartial: "read the rest, and judge that: spinebench run --resume \(path)"
        case .inconclusive: "see what was not decided, and why: \(path)/\(RunReports.Name.markdown)"
        case nil: "name the variants whose targets decide: spinebench run --gate NAME"
        }
    }
}
