import ArgumentParser
import Basics
import CommandSupport
import Composition
import Foundation
import Harness
import Reports
import Results
import SpineDatasets

struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge shard results into one run.",
        discussion: """
            For example:

              spinebench run --dataset Datasets/spines-1 --shard 1/2 --out shards/1
              spinebench run --dataset Datasets/spines-1 --shard 2/2 --out shards/2
              spinebench merge shards/1 shards/2 --out merged
              spinebench gate merged

            The result is the folder of a run: 'report', 'gate', 'compare' and 'watch' read it. Its readings are those of the \
            shards, in the order of a run in one piece. Of several folders of one shard the one that was finished last counts. \
            Shards of another configuration, program, model or dataset are refused, and so is a shard that is missing, \
            unfinished, cut off or changed. The error names its folder.

            accuracy.json and accuracy.csv have the same bytes as those of a run in one piece that read the same texts. Latency \
            is reported per machine when there are several; a latency target then does not gate.

            The folder gets its name when it is complete; until then it is DIR.part. With more than \
            \(Self.mostReported) readings only accuracy.json and accuracy.csv are written, in little memory.

            Exit codes: 0 merged, 2 the shards do not make a run, 4 the disk is full.
            """
    )

    /// Reports of more readings would not fit into the memory of a small machine.
    static let mostReported = 200_000

    @Argument(help: .value("dir", "Folders of shards, in any order."))
    var folders: [String]

    @Option(
        name: .customLong("dataset"),
        help: .value("dir", "The dataset's folder, if it was moved; repeatable.")
    )
    var datasets: [String] = []

    @Option(help: .value("dir", "The folder of the run: a new folder."))
    var out: String

    func run() async throws {
        let path = try PartFolder.path(out)
        guard (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty ?? true else {
            throw HarnessError.configuration("--out \(out): is not empty; name a new folder, lest something be lost")
        }
        let (folders, datasets) = (folders, datasets)
        let start = ContinuousClock.now
        let (text, readings) = try await OwnThread.run {
            let merge = try ShardMerge(try ShardSet(folders), datasets: datasets)
            return (try Self.write(merge, to: path), merge.readings)
        }
        print(text)
        Console.standardError(
            "\(NumberText.count(readings, "reading")) in \(NumberText.span(seconds: start.duration(to: .now).milliseconds / 1_000)), "
                + "\(NumberText.megabytes(Double(ProcessMemory.current()?.resident?.peak ?? 0))) at most"
        )
    }

    private static func write(_ merge: ShardMerge, to path: String) throws -> String {
        let folder = try PartFolder(at: path)
        do {
            // An earlier merge may have been killed.
            try folder.clear()
            try merge.write(to: folder.part)
            let text = try report(merge.readings, in: folder)
            try folder.publish([RunFolder.Name.configuration, RunFolder.Name.samples, RunFolder.Name.events])
            return text
        } catch {
            folder.discard()
            throw error
        }
    }

    private static func report(_ readings: Int, in folder: PartFolder) throws -> String {
        let reason: String
        if readings > mostReported {
            reason = "\(NumberText.count(readings, "reading")) are too many for the other reports on a small machine"
        } else {
            do {
                var contents = try RunContents.scored(folder.part)
                contents.name = URL(filePath: folder.path).lastPathComponent
                try RunReports(contents).write(to: folder.part)
                return RunSummary(result: contents.result, folder: folder.path, run: folder.path).shown
            } catch let error as DatasetError {
                // Labels are enough to count.
                reason = "the dataset cannot be read (\(error))"
            }
        }
        let run = try StreamedRun(folder.part)
        try RunFolder.write(RunReports.accuracy(run.configuration, run.results), to: folder.part)
        return """
            Accuracy: \(folder.path)/\(RunReports.Name.accuracy)
            Report:   not written: \(reason)
            Next:     spinebench report \(folder.path)
            """
    }
}
