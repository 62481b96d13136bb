import ArgumentParser
import Foundation
import Reports

/// Where else results go: what CI services read.
struct ExportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write JUnit XML.", valueName: "file"))
    var junit: String?

    @Flag(
        help: "Append the report to $GITHUB_STEP_SUMMARY and print annotations; both only where GitHub Actions run it."
    )
    var github = false

    @Option(help: ArgumentHelp("Write two files for github-action-benchmark into a folder.", valueName: "dir"))
    var benchmarkJson: String?

    @Option(help: ArgumentHelp("Write Bencher Metric Format.", valueName: "file"))
    var bencher: String?

    /// Writes what was asked for.
    ///
    /// - Parameters:
    ///   - report: what is written.
    ///   - inputs: files that the command reads; none of them is written over.
    /// - Throws: `HarnessError` when a file cannot be written, or is one of the inputs.
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
