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
        abstract: "Makes one run of the shards that 'run --shard' read.",
        discussion: """
            For example:

              spinebench run --dataset Datasets/spines-1 --shard 1/2 --out shards/1
              spinebench run --dataset Datasets/spines-1 --shard 2/2 --out shards/2
              spinebench merge shards/1 shards/2 --out merged

            Everything is counted anew from the shards' readings: each sample of the dataset once, by its id. Of several folders \
            of one shard the one that was finished last counts. Shards of another configuration, program, model or dataset are refused, \
            and so is a shard that is missing, unfinished, cut off or changed: in one line that names its folder.

            accuracy.json and accuracy.csv are the same bytes as those of a run in one piece that read the same texts. Latencies are \
            told of each machine: machines differ by more than most changes do, so their readings are never ranked together. \
            Nothing is judged: a target of latency is of one machine.

            Exit codes: 0 merged, 2 the shards do not make a run, 4 the disk is full.
            """
    )

    @Argument(help: .value("dir", "Folders of shards, in any order."))
    var folders: [String]

    @Option(
        name: .customLong("dataset"),
        help: .value("dir", "The dataset's folder, where it is not where it was read; may be repeated.")
    )
    var datasets: [String] = []

    @Option(help: .value("dir", "Where the report goes: a new folder."))
    var out: String

    func run() async throws {
        let target: OutputFolder
        do { target = try OutputFolder(URL(filePath: out)) } catch {
            throw HarnessError.configuration("--out \(error)")
        }
        do {
            let start = ContinuousClock.now
            let (folders, datasets) = (folders, datasets)
            let files = try await OwnThread.run {
                let merge = try ShardMerge(try ShardSet(folders), datasets: datasets)
                let reports = MergeReports(merge)
                return (try reports.files(), reports.document, merge.parts)
            }
            for (name, bytes) in files.0.sorted(by: { $0.key < $1.key }) {
                try RunFolder.write(Data(bytes), name, target.url.path)
            }
            print(files.1.sections.map { $0.terminal(width: Console.width) }.joined(separator: "\n\n"))
            let readings = files.2.reduce(0) { $0 + $1.readings }
            print(
                "\nReport: \(out)/\(RunReports.Name.markdown), and \(RunReports.Name.accuracy) to compare with a run in one piece"
            )
            Console.standardError(
                "\(NumberText.count(readings, "reading")) in \(NumberText.span(seconds: start.duration(to: .now).milliseconds / 1_000)), "
                    + "\(NumberText.megabytes(Double(ProcessMemory.current()?.peakBytes ?? 0))) at most"
            )
        } catch {
            target.discard()
            throw error
        }
    }
}
