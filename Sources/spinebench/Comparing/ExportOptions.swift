import ArgumentParser
import BenchmarkHarness
import Foundation

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
    func write(_ report: CheckReport) throws {
        if let junit { try Self.write(JUnitXML.bytes(report), junit) }
        if let bencher { try Self.write(ChartJSON.bencher(report), bencher) }
        if let benchmarkJson {
            for (name, bytes) in try ChartJSON.benchmarkAction(report).sorted(by: { $0.key < $1.key }) {
                try Self.write(bytes, "\(benchmarkJson)/\(name)")
            }
        }
        guard github else { return }
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
            let old = FileManager.default.contents(atPath: path) ?? Data()
            try Self.write(Array(old) + GitHubActions.summary(report, used: old.count), path)
        }
        if environment["GITHUB_ACTIONS"] == "true" { print(GitHubActions.annotations(report), terminator: "") }
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(bytes).write(to: url, options: .atomic)
        } catch {
            throw HarnessError.runFolder(path: path, problem: "cannot be written: \(error.localizedDescription)")
        }
    }
}
