import ArgumentParser
import Basics
import CommandSupport
import Foundation
import Harness
import Reports
import SpineDatasets
import Systems

struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge the parts of a run.",
        discussion: """
            Example:

              spinebench merge parts/1 parts/2 --out merged

            Manual: Docs/MANY-MACHINES.md.
            """
    )

    @Argument(help: .value("dir", "Folders of parts, in any order."))
    var folders: [String]

    @Option(
        name: .customLong("dataset"),
        help: .value("dir", "Dataset folder, if it was moved (repeatable).")
    )
    var datasets: [String] = []

    @Option(help: .value("dir", "New folder of the run."))
    var out: String

    func run() async throws {
        let url = URL(filePath: out, directoryHint: .notDirectory).standardizedFileURL
        let (path, files) = (url.path, FileManager.default)
        guard (try? files.contentsOfDirectory(atPath: path))?.isEmpty ?? !files.fileExists(atPath: path) else {
            throw HarnessError.configuration("--out \(out): is not empty; name a new folder, lest something be lost")
        }
        let (folders, datasets) = (folders, datasets)
        let result = try await OwnThread.run {
            let merge = try RunMerge(folders)
            let datasets = try RunContents.datasets(of: merge.configuration, readBy: folders[0], in: datasets)
            let unfinished = path + ".part"
            // An earlier merge may have been killed.
            try? files.removeItem(atPath: unfinished)
            do {
                try merge.write(over: datasets, to: unfinished)
                var contents = try RunContents(unfinished, RunFolder.contents(unfinished), datasets)
                contents.name = url.lastPathComponent
                try RunReports(contents).write(to: unfinished)
                if files.fileExists(atPath: path) { try files.removeItem(atPath: path) }
                try files.moveItem(atPath: unfinished, toPath: path)
                return contents.result
            } catch {
                try? files.removeItem(atPath: unfinished)
                throw error
            }
        }
        print(RunSummary(result: result, folder: out, run: out).shown)
    }
}
