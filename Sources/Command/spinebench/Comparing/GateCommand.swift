import ArgumentParser
import CommandSupport
import Evaluation
import Foundation
import Harness
import Reports
import Systems

struct GateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate",
        abstract: "Check a run against its targets and committed baselines, for CI.",
        discussion: """
            Examples:

              spinebench gate Reports/runs/ci --junit gate.xml --github
              spinebench gate Reports/runs/ci --baseline none

            Manual: Docs/COMPARING.md#baselines, of accepted losses: Docs/COMPARING.md#accepted-losses. Exit codes: \
            Docs/MEASURING.md#exit-codes.
            """
    )

    @Argument(help: .value("run", "Folder of the run."))
    var path: String

    @OptionGroup var options: GateOptions

    @OptionGroup(title: "For CI")
    var exports: ExportOptions

    func run() throws {
        let files = try options.baselineFiles()
        let losses = try options.losses()
        let stored = try RunContents.scored(path, datasets: options.datasets)
        let result = try GateResult(
            stored,
            baselines: files.map(Baseline.load),
            usesTargets: options.targets == .standard,
            tolerances: .parse(options.tolerances),
            acceptance: Acceptance(losses, today: options.today ?? String(stored.result.startedAt.prefix(10))),
            tool: ProgramVersion.tool
        )
        try result.comparison.map { try ComparisonReports($0, datasets: stored.datasets).write(to: path) }
        try RunFolder.write(result.files(), to: path)
        let inputs = files + [options.acceptedPath].compactMap(\.self) + stored.datasets.flatMap(\.files)
        try exports.write(result.checks, over: inputs + OutputFile.files(ofRun: path))
        print(text(result))
        throw ExitCode(result.verdict.exitCode)
    }

    private func text(_ result: GateResult) -> String {
        let tables = result.comparison?.comparisons.map(ComparisonSummary.table) ?? []
        let absent = options.baselines.isEmpty ? ["No baseline in \(GateOptions.folder): the targets decide."] : []
        let notes = (result.comparison?.notes ?? absent) + result.findings.texts
        return """
            \(Console.coloured(result.checks.word, result.verdict.colour))  \(result.checks.sentence)

            \((notes + tables).map { $0 + "\n\n" }.joined())Report: \(path)/\(GateResult.Name.markdown)
            Next:   \(next(result).typed)
            """
    }

    private func next(_ result: GateResult) -> String {
        switch result.verdict {
        case .pass:
            "merge it; to make an improvement the new baseline: spinebench baseline update \(path)"
        case .fail where result.findings.contains(where: \.fails):
            "remove or renew these entries of \(options.acceptedPath ?? "the accepted losses"), and gate again"
        case .fail where result.comparison?.verdict == .fail:
            "see which samples flipped: \(path)/\(ComparisonReports.Name.page); to accept it: spinebench baseline accept \(path)"
        case .inconclusive where result.run.isPartial:
            "finish the run and check it again: spinebench run --resume \(path)"
        case .fail, .inconclusive: "see what was missed or not decided, and why: \(path)/\(RunReports.Name.markdown)"
        case nil: "specify the gating variants: spinebench run --like \(path) --gate NAME"
        }
    }
}
