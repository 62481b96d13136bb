import Foundation
import Harness

/// Follows the folder of a run: what is there first, then what comes.
struct RunFollower: Sendable {
    private(set) var state: WatchState
    /// The folder's name.
    let name: String
    private let path: String
    private let configuration: RunConfiguration
    private let battery: WatchState.Battery
    private var events: LineTail
    private var records: LineTail
    private var lastNews: Date

    /// - Parameters:
    ///   - path: of the run's folder.
    ///   - battery: for a mean reading.
    /// - Throws: `HarnessError.runFolder` when there is no run.
    init(_ path: String, battery: @escaping WatchState.Battery = { _ in nil }) throws {
        self.path = path
        self.battery = battery
        configuration = try RunFolder.contents(path).configuration
        name = URL(filePath: path).standardizedFileURL.lastPathComponent
        state = WatchState(configuration, battery: battery)
        events = LineTail("\(path)/\(RunFolder.Name.events)")
        records = LineTail("\(path)/\(RunFolder.Name.samples)")
        lastNews = .distantPast
        lastNews = lastChange
    }

    /// Reads what has come.
    ///
    /// - Parameter now: the time of day.
    /// - Returns: whether anything has.
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
        // What was there before somebody watched is as old as the files.
        if hasNews { lastNews = lastChange }
        return hasNews
    }

    /// What there is to show.
    ///
    /// - Parameters:
    ///   - now: the time of day.
    ///   - columns: the most points of a series.
    /// - Returns: by what was read so far.
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

    /// When one of the files was last written to.
    private var lastChange: Date {
        let dates = [RunFolder.Name.configuration, RunFolder.Name.events, RunFolder.Name.samples].compactMap { name in
            (try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)"))?[.modificationDate] as? Date
        }
        return dates.max() ?? .distantPast
    }
}
