import ArgumentParser
import Basics
import CommandSupport
import Composition
import DeviceSimulation
import Evaluation
import Foundation
import Harness
import Reports
import Results

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Rewrite the reports of a run, or combine several runs in one report.",
        discussion: """
            For example:

              spinebench report Reports/runs/20260301T120000Z
              spinebench report Reports/runs/A Reports/runs/B/report.json --out Reports/both
              spinebench report Reports/runs/A --recording Reports/runs/phone

            A run is specified by its folder or its report.json. Its readings are rescored when its datasets are in place \
            and unchanged; otherwise the reported figures are used, without pictures. Measurements with \
            the same name in two runs are prefixed with their run's name. Latencies of different machines are shown side by side and \
            never pooled.

            --recording puts readings on a phone in the place of the device model: 'spinebench score' makes a run of them, \
            whose variant has the name of a variant of this run, over the same dataset. The tables show the recorded latencies, \
            labelled as measured on device or as reported, with the modelled ones beside them. Name all recordings at once.

            Exit codes: 0 written, 2 run not found or runs that cannot be combined.
            """
    )

    @Argument(help: .value("run", "Folders of runs, or their report.json."))
    var runs: [String]

    @Option(help: .value("dir", "Output folder. (default: the run's folder; required for several runs)"))
    var out: String?

    @Option(
        name: .customLong("recording"),
        help: .value("dir", "Readings on a phone, as 'score' wrote them; they replace its model (repeatable).")
    )
    var recordings: [String] = []

    func validate() throws {
        if runs.count > 1 && !recordings.isEmpty {
            throw ValidationError("--recording belongs to one run: report the runs one by one first.")
        }
        if runs.count > 1 && out == nil {
            throw ValidationError("A report of several runs requires --out DIR.")
        }
    }

    func run() async throws {
        var contents = try RunContents.merged(runs.map(RunContents.load))
        for warning in contents.warnings { Console.standardError("warning: \(warning)") }
        let own = runs.map { $0.hasSuffix(".json") ? URL(filePath: $0).deletingLastPathComponent().path : $0 }
        let folder = out ?? own[0]
        // A run's own folder takes its own report, and no other's.
        if out != nil, let target = FileIdentity(folder) {
            let isOwn = own.contains { FileIdentity($0) == target }
            let isRun = FileManager.default.fileExists(atPath: "\(folder)/config.json")
            guard !(isOwn && runs.count > 1), !isRun || isOwn else {
                throw HarnessError.configuration(
                    "--out \(folder) is the folder of a run, whose report would be overwritten; specify another folder"
                )
            }
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw HarnessError.runFolder(path: folder, problem: "cannot be made: \(error.systemReason)")
        }
        if !recordings.isEmpty {
            contents = try await DeviceStage(ofRun: own[0]).assessed(contents, in: folder, recordings: recordings)
        }
        try RunReports(contents).write(to: folder)
        print(RunSummary(result: contents.result, folder: folder, run: own.count == 1 ? own[0] : nil).shown)
    }
}

extension RunSummary {
    /// Text for this terminal.
    var shown: String { text(width: Console.width) { Console.coloured($0, result.verdict.colour) } }
}
