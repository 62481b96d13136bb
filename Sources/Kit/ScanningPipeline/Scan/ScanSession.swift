import Basics
public import BookCatalogue
public import Foundation
public import ScanningPolicies
import Synchronization
import Talaria

/// Turns the picture of a spine into a book in the library, by a ``ScanStrategy``.
///
/// A value: the library, the ledger and the back end's client hold all that outlives a call, except the cleanups that
/// ``finish()`` waits for. Any number of scans may run at the same time. A scan enters the library's queue before
/// anything is sent, and leaves it when the answer is in the library: a process killed at any moment loses nothing,
/// and the next ``drain(progress:)`` duplicates nothing.
public struct ScanSession: Sendable {
    /// The fixed settings of a session.
    public struct Settings: Sendable {
        /// Time after which `vision-fallback` no longer waits for the back end (S2-50).
        public var slowThreshold = Duration.seconds(1)
        /// Maximum wait for an answer before the scan stays in the queue.
        public var patience = Duration.seconds(10)
        /// Maximum wait for an answer to a photo of shelves, if it is longer than ``patience``.
        public var shelfTimeout = Duration.seconds(60)
        /// Time after which the deletion of a picture on the back end is abandoned; no scan waits for that (S2-36).
        public var cleanupLimit = Duration.seconds(5)
        /// Preparation of pictures for upload.
        public var preparation = PhotoPreparation()
        /// Receiver of lines such as `[STAT:vi_latency] 41.2ms`; nil for none (S0-C06).
        public var log: (@Sendable (String) -> Void)?

        /// Creates settings with the app's thresholds.
        public init() {}

        func patience(forShelf isShelf: Bool) -> Duration { isShelf ? max(patience, shelfTimeout) : patience }
    }

    /// The device's own catalogue.
    public typealias Matcher = SpinePipeline.Matcher

    /// Strategy of the session.
    public let strategy: ScanStrategy
    /// Settings of the session.
    public let settings: Settings
    let reader: LocalReader?
    let matcher: Matcher?
    let backEnd: (any BackEnd)?
    let store: LibraryStore
    let ledger: EgressLedger
    let cleanups = Cleanups()
    let deviceID: UUID
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    /// Creates a session from its parts; the ledger is the one in which the back end's client records its requests.
    ///
    /// - Throws: ``ScanningError`` when a part that the strategy needs is missing.
    public init(
        strategy: ScanStrategy,
        reader: LocalReader?,
        matcher: Matcher?,
        backEnd: (any BackEnd)?,
        store: LibraryStore,
        ledger: EgressLedger,
        deviceID: UUID,
        settings: Settings = Settings(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(ScanningError) {
        if strategy.needsBackEnd && backEnd == nil { throw .noBackEnd(strategy) }
        if strategy.needsReader && reader == nil { throw .noReader(strategy) }
        (self.strategy, self.settings, self.matcher) = (strategy, settings, matcher)
        self.reader = strategy.needsReader ? reader : nil
        self.backEnd = strategy.needsBackEnd ? backEnd : nil
        (self.store, self.ledger, self.deviceID) = (store, ledger, deviceID)
        (self.clock, self.now) = (clock, now)
    }

    /// Scans the picture of one spine, all tiers of the strategy, one after the other.
    ///
    /// - Throws: when the picture, the engine, the catalogue or the library fails, and `CancellationError`. A missing
    ///   answer of the back end is not an error: the scan is queued.
    /// - Returns: the state and result of the scan.
    public func scan(
        photo bytes: [UInt8],
        name: String,
        id: UUID = UUID(),
        milestone: Milestone.Handler = { _ in }
    ) async throws -> PhotoScan {
        var scans = [PhotoScan(id: id, name: name, strategy: strategy, picture: SHA256.hex(of: bytes))]
        try await run(steps(forShelf: false), of: &scans, on: .file(bytes), milestone)
        return scans[0]
    }

    /// Whether a photo of shelves becomes all of its books: by the reader on the device, if that is asked first, or
    /// by the back end.
    public var readsShelves: Bool { reader?.shelf != nil || !readsFirst }

    /// Scans a photo of shelves: each of its spines becomes a scan.
    ///
    /// The first reader of the device reads the photo, and the back end receives texts alone. A strategy that sends
    /// pictures sends the photo, once, and uses the books of the answer; `vision-fallback` reads it here when that
    /// fails or names no book.
    ///
    /// `found` is called with each spine's finished scan.
    ///
    /// - Precondition: ``readsShelves``.
    /// - Throws: as ``scan(photo:name:id:milestone:)``.
    /// - Returns: the spines with text, row by row from the top; the result for the picture of one spine if there are
    ///   fewer than two; one waiting scan if the photo waits.
    public func scan(
        shelf bytes: [UInt8],
        name: String,
        found: (PhotoScan) -> Void = { _ in },
        milestone: Milestone.Handler = { _ in }
    ) async throws -> [PhotoScan] {
        guard readsShelves else { throw ScanningError.noReader(strategy) }
        var scans = [PhotoScan(id: UUID(), name: name, strategy: strategy, picture: SHA256.hex(of: bytes))]
        try await run(steps(forShelf: true), of: &scans, on: .file(bytes), isShelf: true, milestone, found: found)
        return scans
    }

    /// Names the book of a frame, the rest of its scan.
    ///
    /// - Throws: as ``scan(photo:name:id:milestone:)``.
    public func finish(
        _ scan: PhotoScan,
        frame: Frame,
        milestone: Milestone.Handler = { _ in }
    ) async throws -> PhotoScan {
        var scans = [scan]
        // A strategy that reads first has read the frame.
        try await run(steps(forShelf: false).drop { $0 == .read }, of: &scans, on: .pixels(frame.aimed), milestone)
        return scans[0]
    }

    /// Waits until the back end has deleted the pictures whose books are in the library, but no longer than
    /// ``Settings/cleanupLimit``: to be called before the network or the process ends.
    @discardableResult public func finish() async -> CleanupReport {
        var report = CleanupReport()
        for task in cleanups.tasks.withLock({ tasks in
            defer { tasks = [] }
            return tasks
        }) {
            if await task.value { report.done += 1 } else { report.failed += 1 }
        }
        return report
    }

    /// Begins to have a picture deleted on the back end, and returns at once; the traffic counts for the caller's scan.
    func start(_ cleanUp: @escaping @Sendable () async throws -> Void) {
        let task = Task { [limit = settings.cleanupLimit, clock] in
            (try? await within(limit, "cleanup", on: clock, cleanUp)) != nil
        }
        cleanups.tasks.withLock { $0.append(task) }
    }
}

/// The results of a session's cleanups.
public struct CleanupReport: Sendable, Equatable {
    /// Number of cleanups after which the server has deleted its data.
    public var done = 0
    /// Number of cleanups that failed or timed out; the server deletes the data by itself, only later.
    public var failed = 0
}

/// The requests to delete a picture's job that were begun; true is the result of one that was answered.
final class Cleanups: Sendable {
    let tasks = Mutex<[Task<Bool, Never>]>([])
}
