import ArgumentParser
import Basics
import CommandSupport
import Documents
import Evaluation
import Foundation
import Harness
import Reports
import Systems

struct ComparisonSummary {
    let report: ComparisonReport
    let folder: String

    var text: String {
        let tables = report.parts.filter(\.areSeveral).map(Self.table) + report.comparisons.map(Self.table)
        return """
            \(Console.coloured(report.word, report.verdict.colour))  \(report.sentence)

            \((tables + report.notes).joined(separator: "\n\n"))

            Report: \(folder)/\(ComparisonReports.Name.markdown)
            Next:   \(next)
            """
    }

    static func table(_ comparison: Comparison) -> String {
        ([comparison.table.terminal(width: Console.width)] + (comparison.causes ?? [])).joined(separator: "\n")
    }

    private static func table(_ sides: Sides) -> String {
        ([sides.ranks.terminal(width: Console.width)] + [sides.pareto?.sentence].compactMap(\.self))
            .joined(separator: "\n")
    }

    private var next: String {
        let open = report.comparisons.flatMap(\.open)
        switch report.verdict {
        case .fail
        where report.comparisons.contains(where: { $0.regressions.contains { $0.metric.family == .accuracy } }):
            return "check the spines that were lost: \(folder)/\(ComparisonReports.Name.page)"
        case .fail: return "compare the stages' time and memory in the 'spinebench run' reports of both"
        case .pass: return "paste \(folder)/\(ComparisonReports.Name.markdown) into the pull request"
        case .inconclusive where report.isPartial:
            return "repeat the comparison, or finish the stored run first: spinebench run --resume RUN"
        case .inconclusive where open.contains { $0.metric.family != .accuracy }:
            return "reduce the machine's load, increase --rounds, or raise the --gate tolerances"
        case .inconclusive: return "read more spines: remove --limit, or specify a larger dataset"
        case nil: return "specify the gating metrics, for example --gate latency=5%,title-read=2"
        }
    }
}

struct ExportOptions: ParsableArguments {
    @Option(help: .value("file", "Write JUnit XML."))
    var junit: String?

    @Flag(help: "Write a step summary and annotations, in GitHub Actions alone.")
    var github = false

    @Option(help: .value("dir", "Write files for github-action-benchmark."))
    var benchmarkJson: String?

    @Option(help: .value("file", "Write Bencher Metric Format."))
    var bencher: String?

    func validate() throws {
        if let junit, junit == bencher {
            throw ValidationError("--junit and --bencher specify the same file, \(junit).")
        }
    }

    /// Writes the requested files, none over a file of `inputs`, which the command reads.
    func write(_ report: CheckReport, over inputs: [String]) throws {
        func write(_ bytes: [UInt8], _ path: String, _ option: String) throws {
            try OutputFile(path, option: option, over: inputs).write(bytes)
        }
        if let junit { try write(JUnitXML.bytes(report), junit, "--junit") }
        if let bencher { try write(ChartJSON.bencher(report), bencher, "--bencher") }
        if let benchmarkJson {
            for (name, bytes) in try ChartJSON.benchmarkAction(report).sorted(by: { $0.key < $1.key }) {
                try write(bytes, "\(benchmarkJson)/\(name)", "--benchmark-json")
            }
        }
        guard github else { return }
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
            let old = FileManager.default.contents(atPath: path) ?? Data()
            try write(Array(old) + GitHubActions.summary(report, used: old.count), path, "GITHUB_STEP_SUMMARY")
        }
        if environment["GITHUB_ACTIONS"] == "true" { print(GitHubActions.annotations(report), terminator: "") }
    }
}
