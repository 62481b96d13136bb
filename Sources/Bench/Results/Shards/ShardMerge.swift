import Basics
import Foundation
package import Harness
import SpineDatasets

/// A run that is put together from its shards: their readings and events in one folder, which every other command reads.
///
/// Memory grows by some sixteen bytes a reading, however long a reading's line is.
package struct ShardMerge {
    /// The shards that are merged.
    package let set: ShardSet
    package let shards: MergedShards
    /// The configuration of the run, with the places of the datasets that were named.
    package let configuration: RunConfiguration
    private let lines: ShardLines
    /// Beginnings of attempts in each shard's file, with the index of the machine.
    private let machines: [[(place: Int, machine: Int)]]
    /// Readings of each measurement.
    private let planned: [String: Int]

    /// Number of readings.
    package var readings: Int { lines.count }

    /// Checks that the shards make a run: every reading of every sample once, each in its own shard.
    ///
    /// - Parameters:
    ///   - set: one folder for each shard.
    ///   - datasets: their folders, in the configuration's order; empty for the folders that were read.
    /// - Throws: ``HarnessError`` in one line that names the shard's folder and the fault.
    package init(_ set: ShardSet, datasets: [String] = []) throws {
        self.set = set
        var configuration = set.configuration
        if !datasets.isEmpty {
            guard datasets.count == configuration.datasets.count else {
                throw HarnessError.configuration(
                    "the shards read \(configuration.datasets.count) datasets, and --dataset names \(datasets.count)"
                )
            }
            for (index, folder) in datasets.enumerated() { configuration.datasets[index].path = folder }
        }
        for (dataset, digest) in zip(configuration.datasets, set.entries[0].record.digests.labels)
        where try PictureDigests.ofLabels(in: dataset.path) != digest {
            throw HarnessError.configuration(
                "\(dataset.path) has other labels than the shards were read over; name the folder of those with --dataset"
            )
        }
        self.configuration = configuration
        let attempts = set.entries.flatMap(\.record.attempts)
        let machines = Set(attempts.map(\.machineName)).sorted()
        var check = ShardCheck(
            try RunLabels(configuration, shards: set.entries.count),
            configuration,
            readings: set.entries.reduce(0) { $0 + ($1.record.records ?? 0) }
        )
        for entry in set.entries { try check.add(entry, machines: machines) }
        check.sort()
        (lines, self.machines) = (check.lines, check.machines)
        planned = Dictionary(first: zip(configuration.measurements.map(\.id), check.counts))
        shards = MergedShards(
            machines: machines,
            parts: Self.parts(set.entries),
            superseded: set.superseded.map(Self.name)
        )
    }

    private static func name(of folder: String) -> String { URL(filePath: folder).lastPathComponent }

    private static func parts(_ entries: [ShardSet.Entry]) -> [MergedShards.Part] {
        func date(_ text: String?) -> Date? { text.flatMap { try? Date($0, strategy: .iso8601) } }
        var parts = entries.map { entry in
            let (start, end) = (date(entry.record.attempts.first?.startedAt), date(entry.record.finishedAt))
            return MergedShards.Part(
                shard: entry.record.shard,
                folder: name(of: entry.folder),
                samples: entry.samples,
                readings: entry.record.records ?? 0,
                attempts: entry.record.attempts,
                finishedAt: entry.record.finishedAt ?? "",
                seconds: start.flatMap { start in end.map { $0.timeIntervalSince(start) } } ?? 0
            )
        }
        guard parts.count >= 3, let middle = parts.map(\.seconds).middle, middle > 0 else { return parts }
        for index in parts.indices { parts[index].isStraggler = parts[index].seconds > 1.5 * middle }
        return parts
    }

    // MARK: Writing

    /// Writes `config.json`, `samples.jsonl` and `events.jsonl`, in an order that does not depend on how the run was divided.
    ///
    /// - Throws: ``HarnessError`` when a shard changed meanwhile, or the disk does not take the files.
    package func write(to folder: String) throws {
        RunFolder.ignoreFileSizeSignal()
        try writeSamples("\(folder)/\(RunFolder.Name.samples)")
        try RunFolder.write(try events(), RunFolder.Name.events, folder)
        try RunFolder.write(configuration, shards, to: folder)
    }

    /// Readings by measurement, repetition and place, as a run in one piece has them.
    private func writeSamples(_ path: String) throws {
        func fault(_ error: any Error) -> HarnessError { .unwritable(path: path, problem: error.systemReason) }
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw HarnessError.unwritable(path: path, problem: String(cString: strerror(errno))) }
        defer { try? file.close() }
        var buffer = Data()
        let files = set.entries.map { "\($0.folder)/\(RunFolder.Name.samples)" }
        try lines.read(files) { shard, place, line in
            if shards.machines.count > 1 {
                let machine = machines[shard].last { $0.place <= place }?.machine ?? 0
                buffer += Data("{\"machine\":\(machine),".utf8) + line.dropFirst()
            } else {
                buffer += line
            }
            buffer.append(0x0A)
            guard buffer.count > 1 << 20 else { return }
            do { try file.write(contentsOf: buffer) } catch { throw fault(error) }
            buffer.removeAll(keepingCapacity: true)
        }
        do { try file.write(contentsOf: buffer) } catch { throw fault(error) }
    }

    /// Events: starts by time, then what belongs to each measurement shard by shard, then ends by time.
    private func events() throws -> Data {
        let ids = configuration.measurements.map(\.id)
        let ranks = Dictionary(first: zip(ids, 2...))
        var ordered: [(rank: Int, time: String, event: RunEvent)] = []
        for entry in set.entries {
            for var event in RunFolder.events(in: entry.folder) {
                // A shard's own numbers of readings are not those of the run.
                if event.planned != nil { event.planned = planned }
                let rank =
                    switch event.kind {
                    case .runStarted, .runResumed: 0
                    case .runFinished: ids.count + 2
                    default: event.measurement.flatMap { ranks[$0] } ?? 1
                    }
                ordered.append((rank, rank == 0 || rank == ids.count + 2 ? event.time : "", event))
            }
        }
        let places = ordered.indices.sorted { a, b in
            (ordered[a].rank, ordered[a].time, a) < (ordered[b].rank, ordered[b].time, b)
        }
        return try places.reduce(into: Data()) { $0 += try JSONLine.encode(ordered[$1].event) }
    }
}
