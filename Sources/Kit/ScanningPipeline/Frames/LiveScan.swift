import Basics
import BookCatalogue
import Foundation
public import ScanningPolicies
import Synchronization

/// A scan of a camera's frames from its start to its end, with its results.
public actor LiveScan<C: Clock> where C.Duration == Duration {
    private struct Found {
        /// The last word on each scan.
        var scans: [UUID: PhotoScan.Status] = [:]
        var books: Set<String> = []
        var firstBook: C.Instant?

        func count(_ status: PhotoScan.Status) -> Int { scans.values.count { $0 == status } }
    }

    private let coordinator: ScanningCoordinator
    private let source: FrameSource<C>
    private let clock: C
    /// Time after which the owner wakes a paused camera.
    private let touch: Duration
    private let found = Mutex(Found())
    private var began: C.Instant?
    private var pauses = 0

    /// Creates a scan of a camera that has not started.
    public init(
        _ coordinator: ScanningCoordinator,
        of source: FrameSource<C>,
        clock: C,
        touch: Duration = .seconds(2)
    ) {
        self.coordinator = coordinator
        self.source = source
        self.clock = clock
        self.touch = touch
    }

    /// Scans until the camera's last frame, and wakes a paused camera.
    ///
    /// - Parameter finished: called with every finished scan.
    /// - Throws: the first error of a frame or a scan, and `CancellationError`; earlier results are in the library.
    public func run(finished: @escaping @Sendable (PhotoScan) -> Void = { _ in }) async throws {
        began = clock.now
        while true {
            await source.start()
            try await coordinator.run(
                source,
                finished: { [self] scan in
                    note(scan)
                    finished(scan)
                }
            )
            guard await source.state == .paused else { return }
            pauses += 1
            try await clock.sleep(until: clock.now.advanced(by: touch), tolerance: nil)
        }
    }

    private nonisolated func note(_ scan: PhotoScan) {
        found.withLock { found in
            found.scans[scan.id] = scan.status
            guard let book = scan.book else { return }
            found.firstBook = found.firstBook ?? clock.now
            found.books.insert(book.isbn?.digits ?? "\(book.title)|\(book.authors.joined(separator: "|"))")
        }
    }

    /// Results so far.
    public var figures: LiveFigures {
        get async {
            let (counts, spines, dropped) = (await coordinator.counts, await coordinator.spines, await source.dropped)
            let (now, found) = (clock.now, found.withLock { $0 })
            func seconds(_ instant: C.Instant) -> Double { began.map { $0.duration(to: instant) / .seconds(1) } ?? 0 }
            var figures = LiveFigures(seconds: seconds(now), counts: counts, dropped: dropped)
            (figures.pauses, figures.books) = (pauses, found.books.count)
            (figures.drafts, figures.queued) = (found.count(.draft), found.count(.queued))
            figures.secondsToFirstBook = found.firstBook.map(seconds)
            if spines.read > 0 {
                figures.spinesRead = spines.read
                figures.spinesKnown = spines.known
            }
            return figures
        }
    }
}

/// Clock that advances only by sleeps or explicit calls: frames follow each other without waiting.
public final class StepClock: Clock, Sendable {
    /// Time since the clock was made.
    public struct Instant: InstantProtocol {
        fileprivate var offset: Duration

        /// Returns the time that is `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the time from here to `other`.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Returns whether `a` is before `b`.
        public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private let time = Mutex(Instant(offset: .zero))

    /// Creates a clock at zero.
    public init() {}

    /// The time.
    public var now: Instant { time.withLock { $0 } }
    /// Minimum resolution; times are not rounded.
    public var minimumResolution: Duration { .zero }

    /// Moves the clock to `deadline`, if that is still to come, and returns at once.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        time.withLock { $0 = max($0, deadline) }
    }

    /// Moves the clock on: work that took so long.
    public func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}
