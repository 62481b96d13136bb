import Foundation
import Harness
import SpineDatasets

/// Places of the lines of a shard's `samples.jsonl`, in the order of the run in one piece.
struct ShardLines: Sendable {
    struct Line: Sendable {
        /// Measurement, repetition and place in it: see ``key(measurement:repetition:position:)``.
        var key: UInt64
        /// Bytes in front of the line.
        var place: UInt64
    }

    let path: String
    private(set) var lines: [Line] = []
    /// Readings of each measurement, by its number.
    private(set) var counts: [Int]
    /// Beginnings of attempts in the file, each with the index of its machine.
    private(set) var machines: [(place: UInt64, machine: Int)] = []
    private var isSorted = true

    var count: Int { lines.count }

    init(_ path: String, measurements: Int, capacity: Int) {
        self.path = path
        counts = [Int](repeating: 0, count: measurements)
        lines.reserveCapacity(capacity)
    }

    /// Sorts readings as a run in one piece takes them; nil for numbers that no run has.
    static func key(measurement: Int, repetition: Int, position: Int) -> UInt64? {
        guard (0..<1 << 12).contains(measurement), (0..<1 << 20).contains(repetition),
            (0..<1 << 32).contains(position)
        else { return nil }
        return UInt64(measurement) << 52 | UInt64(repetition) << 32 | UInt64(position)
    }

    mutating func add(_ line: Line, measurement: Int) {
        if let last = lines.last, last.key > line.key { isSorted = false }
        lines.append(line)
        counts[measurement] += 1
    }

    mutating func beginAttempt(on machine: Int, at place: Int) { machines.append((UInt64(place), machine)) }

    /// An attempt that was resumed may have left readings behind later ones.
    mutating func sort() { if !isSorted { lines.sort { ($0.key, $0.place) < ($1.key, $1.place) } } }

    func machine(at place: UInt64) -> Int { machines.last { $0.place <= place }?.machine ?? 0 }
}

/// Reads the lines of a shard one after the other, in memory that does not grow with the file.
struct ShardCursor {
    private let file: ShardLines
    private let window: Int
    private var index = 0
    private var buffer: [UInt8] = []
    /// Bytes in front of the buffer.
    private var start: UInt64 = 0

    init(_ file: ShardLines, window: Int) { (self.file, self.window) = (file, window) }

    /// Key of the next line; nil at the end.
    var key: UInt64? { index < file.lines.count ? file.lines[index].key : nil }

    /// The next line without its end, and the machine that read it.
    ///
    /// - Throws: ``HarnessError/runFolder(path:problem:)`` when the file is shorter than it was.
    mutating func next() throws -> (machine: Int, line: ArraySlice<UInt8>) {
        let place = file.lines[index].place
        index += 1
        if let line = line(at: place) { return (file.machine(at: place), line) }
        var size = window
        while size <= 2 * LineFile.maximumLine {
            try fill(from: place, size)
            if let line = line(at: place) { return (file.machine(at: place), line) }
            size *= 4
        }
        // The last line may have no end.
        guard !buffer.isEmpty else {
            throw HarnessError.runFolder(path: file.path, problem: "was cut off while it was merged")
        }
        return (file.machine(at: place), buffer[...])
    }

    /// Nil where the buffer does not hold all of it.
    private func line(at place: UInt64) -> ArraySlice<UInt8>? {
        guard place >= start, place < start + UInt64(buffer.count) else { return nil }
        let first = Int(place - start)
        return buffer[first...].firstIndex(of: 0x0A).map { buffer[first..<$0] }
    }

    /// Opened each time: there may be more shards than a process may open files.
    private mutating func fill(from place: UInt64, _ size: Int) throws {
        let handle = try FileHandle(forReadingFrom: URL(filePath: file.path))
        defer { try? handle.close() }
        try handle.seek(toOffset: place)
        buffer = Array(try handle.read(upToCount: size) ?? Data())
        start = place
    }
}

/// Shards by the key of their next line: a binary heap.
struct KeyQueue {
    private var heap: [(key: UInt64, shard: Int)] = []

    /// The shard with the lowest key; of equal ones the first.
    var first: Int? { heap.first?.shard }

    mutating func add(_ key: UInt64, _ shard: Int) {
        heap.append((key, shard))
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Gives the first shard its next key; without one the shard leaves.
    mutating func replaceFirst(with key: UInt64?) {
        if let key { heap[0].key = key } else { heap.swapAt(0, heap.count - 1) }
        if key == nil { heap.removeLast() }
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
