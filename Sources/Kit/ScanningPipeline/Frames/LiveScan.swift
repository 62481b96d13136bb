import Basics
import BookCatalogue
import Foundation
public import ScanningPolicies
import Synchronization

/// A scan of a camera's frames from its start to its end, with its results.
public actor LiveScan<C: Clock> where C.Duration == Duration {
    private let coordinator: ScanningCoordinator
    private let source: FrameSource<C>
    private let clock: C
    private var began: C.Instant?
    private var pauses = 0
    /// The last word on each scan.
    private var scans: [UUID: PhotoScan.Status] = [:]
    private var books: Set<String> = []
    private var firstBook: C.Instant?

    /// Creates a scan of a camera that has not started.
    public init(_ coordinator: ScanningCoordinator, of source: FrameSource<C>, clock: C) {
        (self.coordinator, self.source, self.clock) = (coordinator, source, clock)
    }

    /// Scans until the camera's last frame, and wakes a paused camera; each scan is finished in a child task while the
    /// next frames are read.
    ///
    /// All scans are finished, or cancelled with the caller's task, when this returns (K-11).
    ///
    /// - Parameter finished: called with every finished scan.
    /// - Throws: the first error of a frame or a scan, and `CancellationError`; earlier results are in the library.
    public func run(finished: @escaping @Sendable (PhotoScan) -> Void = { _ in }) async throws {
        began = clock.now
        let session = coordinator.session
        try await withThrowingDiscardingTaskGroup { group in
            var last: Frame?
            await source.start()
            while true {
                let next = try await source.nextFrame()
                // A stopped camera ends with the spine in view.
                let scans =
                    if let next { try await coordinator.process(next).scans } else { try await coordinator.endView() }
                if !scans.isEmpty, let frame = next ?? last {
                    await source.noteUse()
                    group.addTask(priority: .userInitiated) {
                        // Several spines are in the order of the shelf.
                        for scan in scans {
                            let scan = try await session.finish(scan, frame: frame)
                            await self.note(scan)
                            finished(scan)
                        }
                    }
                }
                last = next ?? last
                if next != nil { continue }
                guard await source.state == .paused else { return }
                pauses += 1
                // The owner's touch wakes it.
                try await clock.sleep(until: clock.now.advanced(by: .seconds(2)), tolerance: nil)
                await source.start()
            }
        }
    }

    private func note(_ scan: PhotoScan) {
        scans[scan.id] = scan.status
        guard let book = scan.book else { return }
        firstBook = firstBook ?? clock.now
        books.insert(book.isbn?.digits ?? "\(book.title)|\(book.authors.joined(separator: "|"))")
    }

    /// Results so far.
    public var figures: LiveFigures {
        get async {
            let (counts, spines, dropped) = (await coordinator.counts, await coordinator.spines, await source.dropped)
            func seconds(_ instant: C.Instant) -> Double { began.map { $0.duration(to: instant) / .seconds(1) } ?? 0 }
            func count(_ status: PhotoScan.Status) -> Int { scans.values.count { $0 == status } }
            var figures = LiveFigures(seconds: seconds(clock.now), counts: counts, dropped: dropped)
            (figures.pauses, figures.books) = (pauses, books.count)
            (figures.drafts, figures.queued) = (count(.draft), count(.queued))
            figures.secondsToFirstBook = firstBook.map(seconds)
            if spines.read > 0 { (figures.spinesRead, figures.spinesKnown) = (spines.read, spines.known) }
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
