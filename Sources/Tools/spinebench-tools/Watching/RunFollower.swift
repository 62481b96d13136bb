import Foundation
import Harness

struct RunFollower: Sendable {
    private(set) var state: WatchState
    let name: String
    private let path: String
    private let configuration: RunConfiguration
    private let battery: WatchState.Battery
    private var events: LineTail
    private var records: LineTail
    private var lastNews: Date

    init(_ path: String, battery: @escaping WatchState.Battery = { _, _ in nil }) throws {
        self.path = path
        self.battery = battery
        configuration = try RunFolder.configuration(in: path)
        name = URL(filePath: path).standardizedFileURL.lastPathComponent
        state = WatchState(configuration, battery: battery)
        events = LineTail("\(path)/\(RunFolder.Name.events)")
        records = LineTail("\(path)/\(RunFolder.Name.samples)")
        lastNews = .distantPast
        lastNews = lastChange
    }

    mutating func poll(now: Date) -> Bool {
        let (newEvents, newRecords) = (events.lines(), records.lines())
        if events.wasReplaced || records.wasReplaced {
            // Another run in the same folder: from the beginning.
            state = WatchState(configuration, battery: battery)
            events = LineTail(events.path)
            records = LineTail(records.path)
            return poll(now: now)
        }
        for line in newEvents { state.apply(eventLine: line) }
        for line in newRecords { state.apply(recordLine: line) }
        let hasNews = !newEvents.isEmpty || !newRecords.isEmpty
        // Content from before the first poll is as old as the files.
        if hasNews { lastNews = lastChange }
        return hasNews
    }

    /// Returns the current snapshot; `columns`: maximum number of points of a series.
    func snapshot(now: Date, columns: Int = 120) -> WatchSnapshot {
        WatchSnapshot(
            state,
            name: name,
            now: now,
            silentSeconds: max(0, now.timeIntervalSince(lastNews)),
            isBeingWritten: RunFolder.isBeingWritten(path),
            columns: columns
        )
    }

    private var lastChange: Date {
        let dates = [RunFolder.Name.configuration, RunFolder.Name.events, RunFolder.Name.samples].compactMap { name in
            (try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)"))?[.modificationDate] as? Date
        }
        return dates.max() ?? .distantPast
    }
}

/// The whole lines that are appended to a file; a last line without its end is read when it is complete.
struct LineTail: Sendable {
    let path: String
    /// Behind the last line that was taken.
    private(set) var offset: UInt64 = 0
    /// Whether the file is shorter than the part read: it was replaced, and the earlier content no longer holds.
    private(set) var wasReplaced = false
    private let chunkBytes: Int

    init(_ path: String, chunkBytes: Int = 1 << 20) {
        self.path = path
        self.chunkBytes = chunkBytes
    }

    /// Returns the lines since the last call, without their ends; empty without a file.
    mutating func lines() -> [Data] {
        guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? handle.close() }
        guard let size = try? handle.seekToEnd() else { return [] }
        if size < offset {
            wasReplaced = true
            return []
        }
        var lines: [Data] = []
        do {
            try handle.seek(toOffset: offset)
            var rest = Data()
            while let chunk = try handle.read(upToCount: chunkBytes), !chunk.isEmpty {
                rest += chunk
                guard let end = rest.lastIndex(of: 0x0A) else { continue }
                let whole = rest[rest.startIndex...end]
                offset += UInt64(whole.count)
                lines += whole.split(separator: 0x0A).map { Data($0) }
                rest = Data(rest[rest.index(after: end)...])
            }
        } catch {
            // The part read is valid; the rest follows with the next call.
        }
        return lines
    }
}
