import ArgumentParser
import Basics
import CommandSupport
import Evaluation
import Foundation
import Harness
import Reports
import Results
import SpineDatasets

struct ShardsCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shards",
        abstract: "Measure the overhead of sharding a run and of merging shards.",
        subcommands: [ShardMergeCheck.self, ShardOverheadCheck.self]
    )
}

struct ShardMergeCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Measure the time and memory of merging shards of made readings.",
        discussion: """
            Labels and readings are made (no picture is read): what a sample's text is hangs on its number, so that how many titles \
            are read is known beforehand, and the merged figure is held against it. Bars: 5 s up to 640,000 samples, and 60 s for \
            each million of more; 1 GB, counting the merged run included. What making them takes is not counted.
            """
    )

    @Option(help: "Samples in all.")
    var samples = 640_000

    @Option(help: "Shards.")
    var shards = 64

    func validate() throws {
        try require(
            (1...100_000_000).contains(samples) && (1...10_000).contains(shards),
            "Invalid --samples or --shards: expected --samples 1 to 100000000, and --shards 1 to 10000."
        )
    }

    func run() async throws {
        try await withTemporaryFolder("shards") { folder in
            let made = try MadeShards(samples: samples, shards: shards, in: folder.path)
            print("\(NumberText.count(samples, "sample")) in \(NumberText.count(shards, "shard")) made")
            let isPeakKnown = ProcessMemory.resetPeak()
            let start = ContinuousClock.now
            let path = "\(folder.path)/merged"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try ShardMerge(try ShardSet(made.folders)).write(to: path)
            let seconds = start.duration(to: .now) / .seconds(1)
            let run = try StreamedRun(path)
            let counted = start.duration(to: .now) / .seconds(1) - seconds
            let peak = Double(ProcessMemory.current()?.resident?.peak ?? 0) / 1e6
            let bar = samples <= 640_000 ? 5 : 60 * Double(samples) / 1e6
            print(
                "merged in \(NumberText.fixed(seconds, 2)) s (bar \(NumberText.fixed(bar, 0)) s), "
                    + "\(NumberText.fixed(Double(samples) / seconds, 0)) samples a second, \(NumberText.fixed(peak, 0)) MB at most "
                    + (isPeakKnown ? "(bar 1,000 MB)" : "(with what making them took)")
            )
            print("counted in \(NumberText.fixed(counted, 2)) s")
            var failures: [String] = []
            let read = run.results.first?.categories.first?.accuracy.titleRead
            print(
                "titles read: \(read?.successes ?? 0) of \(read?.trials ?? 0); made: \(made.titlesRead) of \(samples)"
            )
            if read?.successes != made.titlesRead || read?.trials != samples {
                failures.append("the merged count of titles differs from the made one")
            }
            if seconds > bar { failures.append("it took \(NumberText.fixed(seconds, 1)) s") }
            if isPeakKnown, peak > 1_000 { failures.append("it took \(NumberText.fixed(peak, 0)) MB") }
            try end(failures)
        }
    }
}

struct ShardOverheadCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overhead",
        abstract: "Measure the overhead of a shard by running a dataset unsharded and in shards.",
        discussion: """
            'spinebench', beside this program, reads the dataset unsharded, in shards one after the other, and in shards \
            two at a time, with one thread each. Overhead is the additional time of all shards over the unsharded run, \
            per additional shard; limit: 2 s. Throughput of two processes, as a share of twice that of one: limit 0.9, on a machine whose \
            cores are idle and equal. The merged accuracy must equal that of the unsharded run, byte for byte.
            """
    )

    @Option(help: "Dataset folder.", completion: .directory)
    var dataset = "Datasets/spines-1"

    @Option(help: "Variant that reads.")
    var variant = "fast,threads=1"

    @Option(help: "Total number of samples to read.")
    var limit = 120

    @Option(help: "Shards.")
    var shards = 4

    func validate() throws {
        try require(
            shards >= 2 && limit >= shards,
            "Invalid --shards or --limit: expected --shards 2 or more, and --limit at least --shards."
        )
    }

    func run() async throws {
        try await withTemporaryFolder("overhead") { folder in
            let path = folder.path
            // Once before, so that caches of networks are there for all.
            _ = try await seconds(["--devices", "none", "--out", "\(path)/warm"], limit: 2, accepting: [0, 1, 3])
            let whole = try await seconds(["--devices", "none", "--out", "\(path)/one"], accepting: [0, 1, 3])
            var divided = 0.0
            for shard in Shard.all(of: shards) {
                divided += try await seconds(["--shard", "\(shard)", "--out", "\(path)/a\(shard.number)"])
            }
            let overhead = (divided - whole) / Double(shards - 1)
            print(
                "unsharded \(NumberText.fixed(whole, 2)) s; \(shards) shards in turn \(NumberText.fixed(divided, 2)) s: "
                    + "\(NumberText.fixed(overhead, 2)) s for each shard more (bar 2 s)"
            )
            let start = ContinuousClock.now
            let halves = Shard.all(of: 2)
            try await withThrowingTaskGroup { group in
                for shard in halves {
                    group.addTask {
                        _ = try await seconds(["--shard", "\(shard)", "--out", "\(path)/b\(shard.number)"])
                    }
                }
                try await group.waitForAll()
            }
            let both = start.duration(to: .now) / .seconds(1)
            print(
                "two at once \(NumberText.fixed(both, 2)) s: \(NumberText.fixed(whole / both / 2, 2)) of twice as fast (bar 0.9)"
            )
            let target = "\(path)/merged"
            try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
            try ShardMerge(ShardSet(Shard.all(of: shards).map { "\(path)/a\($0.number)" })).write(to: target)
            let run = try StreamedRun(target)
            let merged = try RunReports.accuracy(run.configuration, run.results)[RunReports.Name.accuracy]
            let same =
                try merged == [UInt8](Data(contentsOf: URL(filePath: "\(path)/one/\(RunReports.Name.accuracy)")))
            print("merged accuracy \(same ? "is that of the piece, byte for byte" : "DIFFERS from that of the piece")")
            try end(
                (same ? [] : ["the merged accuracy differs"]) + (overhead <= 2 ? [] : ["a shard costs more than 2 s"])
            )
        }
    }

    /// Returns the duration of a run of the program, start and end included.
    private func seconds(
        _ more: [String],
        limit: Int? = nil,
        accepting codes: Set<Int32> = [0]
    ) async throws -> Double {
        let program = URL(filePath: Process.ownProgram).deletingLastPathComponent().appending(path: "spinebench").path
        let samples = [
            "--dataset", dataset, "--limit", "\(limit ?? self.limit)", "--repetitions", "1", "--warmup", "1",
        ]
        let arguments = ["run", "--variants", variant] + samples + more
        let start = ContinuousClock.now
        let process = try Process.start(program, arguments, errors: FileHandle.nullDevice)
        await process.hasEnded()
        guard codes.contains(process.terminationStatus) else {
            throw CheckFailure(
                "\(program) \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)"
            )
        }
        return start.duration(to: .now) / .seconds(1)
    }
}
