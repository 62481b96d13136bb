import ArgumentParser
import Basics
import CommandSupport
import Evaluation
import Foundation
import Harness
import Reports
import Systems

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Rewrite the reports of a run.",
        discussion: """
            Examples:

              spinebench report Reports/runs/A
              spinebench report Reports/runs/A --recording Reports/runs/phone

            Rescores the readings when the datasets are in place and unchanged. Manual: \
            Docs/MEASURING.md#read-the-report, of recordings: \
            Docs/DEVICES.md#recordings-of-a-phone-in-the-place-of-the-model.
            """
    )

    @Argument(help: .value("run", "Folder of a run, or its report.json."))
    var path: String

    @Option(help: .value("dir", "Output folder. (default: the run's folder)"))
    var out: String?

    @Option(
        name: .customLong("recording"),
        help: .value("dir", "Run of 'score' with a phone's readings, which replace its model (repeatable).")
    )
    var recordings: [String] = []

    func run() async throws {
        var contents = try RunContents.load(path)
        for warning in contents.warnings { Console.standardError("warning: \(warning)") }
        let own = path.hasSuffix(".json") ? URL(filePath: path).deletingLastPathComponent().path : path
        let folder = out ?? own
        // A run's own folder takes its own report, and no other's.
        if let target = FileIdentity(folder), target != FileIdentity(own),
            FileManager.default.fileExists(atPath: "\(folder)/config.json")
        {
            throw HarnessError.configuration(
                "--out \(folder) is the folder of a run, whose report would be overwritten; specify another folder"
            )
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw HarnessError.runFolder(path: folder, problem: "cannot be made: \(error.systemReason)")
        }
        if !recordings.isEmpty {
            contents = try await DeviceStage(ofRun: own).assessed(contents, in: folder, recordings: recordings)
        }
        try RunReports(contents).write(to: folder)
        print(RunSummary(result: contents.result, folder: folder, run: own).shown)
    }
}

extension RunSummary {
    /// Text for this terminal.
    var shown: String { text(width: Console.width) { Console.coloured($0, result.verdict.colour) }.typed }
}
