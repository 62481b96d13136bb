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

            \((report.notes + tables).joined(separator: "\n\n"))

            Report: \(folder)/\(ComparisonReports.Name.markdown)
            Next:   \(Markdown.plain(report.next(folder)).typed)
            """
    }

    static func table(_ comparison: Comparison) -> String {
        ([comparison.table.terminal(width: Console.width)] + (comparison.causes ?? [])).joined(separator: "\n")
    }

    private static func table(_ sides: Sides) -> String {
        ([sides.ranks.terminal(width: Console.width)] + [sides.pareto?.sentence].compactMap(\.self))
            .joined(separator: "\n")
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
            try write(Array(old) + Array("\(report.markdown)\n".utf8), path, "GITHUB_STEP_SUMMARY")
        }
        if environment["GITHUB_ACTIONS"] == "true" { print(GitHubActions.annotations(report), terminator: "") }
    }
}
