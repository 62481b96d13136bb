import ArgumentParser
import Basics
import CommandSupport
import Foundation
import Harness
import Judging
import Reports

/// `spinebench report`.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes the reports of a run again, or of several runs as one.",
        discussion: """
            For example:

              spinebench report Reports/runs/20260301T120000Z
              spinebench report Reports/runs/A Reports/runs/B/report.json --out Reports/both

            A run is named by its folder or its report.json. Its readings are scored anew when its datasets are where they were \
            and unchanged; else the figures are those that were reported, and pictures are left out. Measurements that have \
            the same name in two runs get their run's name in front. Latencies of different machines stand side by side and are \
            never pooled.

            Exit codes: 0 written, 2 no run there or runs that do not go together.
            """
    )

    @Argument(help: ArgumentHelp("Folders of runs, or their report.json.", valueName: "run"))
    var runs: [String]

    @Option(help: ArgumentHelp("Where to write. (default: the run's folder; needed for several)", valueName: "dir"))
    var out: String?

    func validate() throws {
        if runs.count > 1 && out == nil {
            throw ValidationError("Say where the report of several runs goes: --out DIR.")
        }
    }

    func run() throws {
        let contents = try RunContents.merged(runs.map(RunContents.load))
        for warning in contents.warnings { Console.standardError("warning: \(warning)") }
        let folder =
            out ?? (runs[0].hasSuffix(".json") ? URL(filePath: runs[0]).deletingLastPathComponent().path : runs[0])
        // A run's own folder takes its own report, and no other's.
        if out != nil, let target = FileIdentity(folder) {
            let own = runs.map { $0.hasSuffix(".json") ? URL(filePath: $0).deletingLastPathComponent().path : $0 }
            let isOwn = own.contains { FileIdentity($0) == target }
            let isRun = FileManager.default.fileExists(atPath: "\(folder)/config.json")
            guard !(isOwn && runs.count > 1), !isRun || isOwn else {
                throw HarnessError.configuration(
                    "--out \(folder) is the folder of a run, whose own report would be lost; name another folder"
                )
            }
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw HarnessError.runFolder(path: folder, problem: "cannot be made: \(error.systemReason)")
        }
        try RunReports(contents).write(to: folder)
        print(RunSummary(result: contents.result, folder: folder).text)
    }
}
