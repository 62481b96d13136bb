import Foundation
import Harness
import SpineDatasets

/// Places of the lines of all shards' `samples.jsonl`, in the order of the run in one piece: sixteen bytes a line.
struct ShardLines: Sendable {
    private struct Line: Sendable {
        /// Measurement, repetition and place in it.
        var key: UInt64
        /// Index of the shard, and bytes in front of the line.
        var place: UInt64
    }

    private var lines: [Line] = []

    /// Room for so many lines.
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
    ///
    /// - Throws: ``HarnessError/runFolder(path:problem:)`` when a file became shorter; what `body` throws.
    func read(_ files: [String], _ body: (_ shard: Int, _ place: Int, ArraySlice<UInt8>) throws -> Void) throws {
        let size = max(1 << 12, min(1 << 18, (32 << 20) / max(1, files.count)))
        var windows = files.map { FileWindow(path: $0, size: size) }
        for line in lines {
            let (shard, place) = (Int(line.place >> 44), Int(line.place & (1 << 44 - 1)))
            try body(shard, place, try windows[shard].line(at: place))
        }
    }
}

/// Part of a file in memory.
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
