import ArgumentParser
import Basics
import CommandSupport
import Documents
import Foundation
import Harness
import Reports
import SpineDatasets
import Systems

struct SliceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slice",
        abstract: "Show where a run misses titles: by category, script, length, size, contrast and blur.",
        discussion: "Manual: Docs/MEASURING.md#where-titles-are-missed."
    )

    @Argument(help: .value("run", "Folder of the run."))
    var path: String

    @Option(name: .customLong("dataset"), help: .value("dir", "Dataset folder, if it was moved (repeatable)."))
    var datasets: [String] = []

    @Flag(help: "Print JSON instead of Markdown.")
    var json = false

    func run() throws {
        let contents = try datasets.isEmpty ? RunContents.load(path) : .scored(path, datasets: datasets)
        for warning in contents.warnings { Console.error("\(warning); specify its folder with --dataset") }
        let measurements = contents.result.measurements.filter { $0.slices != nil }
        guard !measurements.isEmpty else {
            let reason = contents.warnings.isEmpty ? "no labelled title was scored" : "its report.json has none"
            throw HarnessError.runFolder(path: path, problem: "has no slices: \(reason)")
        }
        let tables = SliceTables(measurements)
        if json {
            StandardOutput.write(try JSONFile.bytes(Dictionary(measurements.map { ($0.id, $0.slices) }) { $1 }))
        } else {
            print(tables.document.markdown(), terminator: "")
        }
        if !contents.warnings.isEmpty { throw ExitStatus.wrongInput.exitCode }
    }
}
