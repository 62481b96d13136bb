import Basics
import Foundation
package import Harness
import SpineDatasets

/// A run that is put together from its shards in one folder; memory grows by some sixteen bytes a reading.
package struct ShardMerge {
    package let set: ShardSet
    package let shards: MergedShards
    /// The configuration of the run, with the places of the datasets that were named.
    package let configuration: RunConfiguration
    private let lines: ShardLines
    /// Beginnings of attempts in each shard's file, with the index of the machine.
    private let machines: [[(place: Int, machine: Int)]]
    private let planned: [String: Int]

    package var readings: Int { lines.count }

    /// Checks that the shards make a run: every reading of every sample once, each in its own shard.
    ///
    /// `datasets` are their folders, in the configuration's order; empty for the folders that were read.
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

    /// Writes the run's files, in an order that does not depend on how the run was divided.
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

/// Places of the lines of all shards' `samples.jsonl`, in the order of the run in one piece: sixteen bytes a line.
struct ShardLines: Sendable {
    private struct Line: Sendable {
        /// Measurement, repetition and place in it.
        var key: UInt64
        /// Index of the shard, and bytes in front of the line.
        var place: UInt64
    }

    private var lines: [Line] = []

    init(capacity: Int) { lines.reserveCapacity(capacity) }

    var count: Int { lines.count }

    /// Adds a line; returns false for numbers that no run has.
    mutating func add(shard: Int, place: Int, measurement: Int, repetition: Int, position: Int) -> Bool {
        guard (0..<1 << 12).contains(measurement), (0..<1 << 20).contains(repetition),
            (0..<1 << 32).contains(position), shard < 1 << 20, place < 1 << 44
        else { return false }
        let key = UInt64(measurement) << 52 | UInt64(repetition) << 32 | UInt64(position)
        lines.append(Line(key: key, place: UInt64(shard) << 44 | UInt64(place)))
        return true
    }

    /// Sorts the lines; those of each shard mostly are in order already.
    mutating func sort() { lines.sort { ($0.key, $0.place) < ($1.key, $1.place) } }

    /// Calls `body` with each line's shard, its place in the shard's file, and the line without its end.
    ///
    /// Of each of the shards' `files`, some kilobytes are in memory.
    func read(_ files: [String], _ body: (_ shard: Int, _ place: Int, ArraySlice<UInt8>) throws -> Void) throws {
        let size = max(1 << 12, min(1 << 18, (32 << 20) / max(1, files.count)))
        var windows = files.map { FileWindow(path: $0, size: size) }
        for line in lines {
            let (shard, place) = (Int(line.place >> 44), Int(line.place & (1 << 44 - 1)))
            try body(shard, place, try windows[shard].line(at: place))
        }
    }
}

private struct FileWindow {
    let path: String
    let size: Int
    private var bytes: [UInt8] = []
    /// Bytes in front of the part.
    private var start = 0

    init(path: String, size: Int) { (self.path, self.size) = (path, size) }

    /// The line that begins at a place, without its end.
    mutating func line(at place: Int) throws -> ArraySlice<UInt8> {
        var size = size
        while true {
            let first = place - start
            if bytes.indices.contains(first), let end = bytes[first...].firstIndex(of: 0x0A) {
                return bytes[first..<end]
            }
            guard size <= 4 * LineFile.maximumLine else {
                throw HarnessError.runFolder(path: path, problem: "was cut off while it was merged")
            }
            // Opened each time: there may be more shards than files that a process may open.
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            try file.seek(toOffset: UInt64(place))
            (bytes, start) = (Array(try file.read(upToCount: size) ?? Data()), place)
            size *= 4
        }
    }
}
