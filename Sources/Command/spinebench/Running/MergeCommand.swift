import ArgumentParser
import Basics
import CommandSupport
import Composition
import Foundation
import Harness
import Reports
import SpineDatasets

struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge the parts of a run.",
        discussion: """
            For example:

              spinebench run --dataset Datasets/spines-1 --part 1/2 --out parts/1
              spinebench run --dataset Datasets/spines-1 --part 2/2 --out parts/2
              spinebench merge parts/1 parts/2 --out merged
              spinebench gate merged

            The result is the folder of a run: 'report', 'gate', 'compare' and 'watch' read it. Its readings are those of the \
            parts, in the order of a run in one piece. Parts of another configuration, program, model or dataset are refused, and so \
            is a part that is missing, unfinished, incomplete or named twice. The error names its folder.

            Latency is reported per machine when there are several; a latency target then does not gate.

            The folder gets its name when it is complete; until then it is DIR.part.

            Exit codes: 0 merged, 2 the parts do not make a run, 4 the disk is full.
            """
    )

    @Argument(help: .value("dir", "Folders of parts, in any order."))
    var folders: [String]

    @Option(
        name: .customLong("dataset"),
        help: .value("dir", "The dataset's folder, if it was moved; repeatable.")
    )
    var datasets: [String] = []

    @Option(help: .value("dir", "The folder of the run: a new folder."))
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
