public import Foundation
import LibraryStore
import Raster
public import ScanningPolicies
import TextRecognition

/// Takes a camera's frames, and has those scanned that are worth it (S0-C01).
///
/// ``FrameTriage`` decides which frames are read.
public actor ScanningCoordinator {
    /// What became of a frame (S0-C04).
    public enum FrameResult: Sendable, Equatable {
        case skipFrame(FrameTriage.Skip)
        /// It was read, and a draft is in the library; what is left to do is ``ScanSession``'s `finish`.
        case success(PhotoScan)
        /// It shows shelves, and these spines came into sight with it; likewise.
        case spines([PhotoScan])
    }

    private let session: ScanSession
    private let gate: PresenceGate?
    private var triage: FrameTriage
    private let thermalState: @Sendable () -> ThermalState
    private let trace: TraceRecorder?
    private let monitor: PerformanceMonitor?
    private var recent = RecentSpines<String>()
    /// Whether a picture was sent of the spine that is in sight.
    private var sight = SpineInSight()
    private var tracker = ShelfTracker()

    /// What became of all frames so far.
    public var counts: FrameTriage.Counts { triage.counts }
    /// Spines that were read on frames of shelves, and those among them that were known.
    public var spines: (read: Int, known: Int) { tracker.counts }
    /// Whether its owner has paused scanning.
    public var isPaused: Bool { triage.isPaused }

    /// Without a gate every frame is read; an adaptive reader watches itself, and needs no monitor.
    public init(
        session: ScanSession,
        gate: PresenceGate? = PresenceGate.isOnByDefault ? PresenceGate() : nil,
        thermalPolicy: ThermalPolicy = .seedCode,
        thermalState: @escaping @Sendable () -> ThermalState = { .nominal },
        trace: TraceRecorder? = nil,
        monitor: PerformanceMonitor? = nil
    ) {
        self.session = session
        self.gate = gate
        triage = FrameTriage(thermalPolicy: thermalPolicy)
        self.thermalState = thermalState
        self.trace = trace
        self.monitor = monitor
    }

    /// Reads nothing until ``resume()``.
    public func pause() { triage.isPaused = true }

    /// Reads again.
    public func resume() { triage.isPaused = false }

    /// Reads a frame, unless there is reason not to.
    ///
    /// - Throws: when the engine or the library fails.
    public func process(
        _ frame: Frame,
        milestone: @escaping @Sendable (Milestone) -> Void = { _ in }
    ) async throws -> FrameResult {
        await trace?.sampleIfDue()
        if session.readsFirst, let adaptive = session.reader?.adaptive {
            let (isLoaded, interval) = try await adaptive.prepare()
            (triage.isReaderUnloaded, triage.minimumInterval) = (!isLoaded, interval)
        }
        if let reason = reasonToSkip(frame) { return .skipFrame(reason) }
        if session.readsShelf(on: frame), let result = try await followShelf(frame, milestone) { return result }
        var scan = try await session.look(at: frame, milestone: milestone)
        await trace?.noteReading(of: scan)
        if let reading = scan.timings.reading, let tier = scan.path.first {
            await monitor?.record(tier.rawValue, latency: reading)
        }
        if let reason = reasonToForget(scan, at: frame.time) {
            triage.noteNoNews()
            return .skipFrame(reason)
        }
        try session.keepDraft(of: &scan, milestone)
        return .success(scan)
    }

    /// Reads what came into sight on a frame of shelves; nil where it shows one spine at most, as did all before.
    private func followShelf(
        _ frame: Frame,
        _ milestone: @Sendable (Milestone) -> Void
    ) async throws -> FrameResult? {
        func nothing(_ reason: FrameTriage.Skip) -> FrameResult {
            triage.noteNoNews()
            return .skipFrame(reason)
        }
        let image = frame.image
        guard let columns = tracker.columns(toReadOf: image) else { return nothing(.sameSpine) }
        guard let part = image.cropped(x: columns.lowerBound, y: 0, width: columns.count, height: image.height) else {
            return nothing(.noText)
        }
        let reading = try await session.spines(on: part)
        guard reading.spines.count > 1 || tracker.counts.read > 0 else { return nil }
        let found = reading.spines.map { $0.moved(right: columns.lowerBound) }
        let new = try tracker.take(found, from: columns, width: image.width, at: frame.time) { try session.isSure($0) }
        guard !new.isEmpty else { return nothing(found.isEmpty ? .noText : .sameSpine) }
        let scans = try new.map { spine in
            var scan = session.scan(of: spine, on: "frame \(frame.number)", after: reading.timings.total)
            scan.frame = frame.number
            milestone(.text(scan.lines))
            try session.keepDraft(of: &scan, milestone)
            return scan
        }
        await trace?.noteReading(of: scans[0])
        return .spines(scans)
    }

    /// The same text within a minute is the same spine; of a picture that is sent unread, a spine has to go before the next.
    private func reasonToForget(_ scan: PhotoScan, at time: Duration) -> FrameTriage.Skip? {
        guard session.readsFirst else {
            return sight.take() ? nil : .sameSpine
        }
        guard !scan.lines.isEmpty else { return .noText }
        let isKnown = recent.take(scan.lines.map(\.text).joined(separator: " "), at: time) { known, text in
            TitleSimilarity.of(text, in: [known]) > 0.8
        }
        return isKnown ? .sameSpine : nil
    }

    private func reasonToSkip(_ frame: Frame) -> FrameTriage.Skip? {
        let skip = triage.decide(
            at: frame.time,
            state: thermalState(),
            shutterClosedFor: session.shutterClosedFor,
            hasSpine: gate.map { gate in { gate.examine(frame.image).isSpine } }
        )
        if skip == .noSpine { sight.noteNone(at: frame.time) }
        return skip
    }

    /// Works on a camera's frames until it stops; each scan is finished in a child task while the next frames are read.
    ///
    /// All scans are finished, or cancelled with the caller's task, when this returns (K-11).
    ///
    /// - Throws: the first error of a frame or a scan; the others are cancelled then.
    public func run<C: Clock>(
        _ source: FrameSource<C>,
        decided: @escaping @Sendable (FrameResult) -> Void = { _ in },
        milestone: @escaping @Sendable (UUID, Milestone) -> Void = { _, _ in },
        finished: @escaping @Sendable (PhotoScan) -> Void = { _ in }
    ) async throws where C.Duration == Duration {
        let (session, trace) = (session, trace)
        try await withThrowingDiscardingTaskGroup { group in
            while let frame = try await source.nextFrame() {
                let id = frame.id
                let began = trace?.elapsed()
                let result = try await process(frame) { milestone(id, $0) }
                decided(result)
                let scans =
                    switch result {
                    case .skipFrame: [PhotoScan]()
                    case .success(let scan): [scan]
                    case .spines(let scans): scans
                    }
                guard !scans.isEmpty else { continue }
                await source.noteUse()
                group.addTask(priority: .userInitiated) {
                    // Of several spines in their order, which is that of the shelf.
                    for scan in scans {
                        let scan = try await session.finish(scan, frame: frame) { milestone(id, $0) }
                        if let trace, let began { await trace.note(scan, latency: trace.elapsed() - began) }
                        finished(scan)
                    }
                }
            }
        }
    }
}

extension ShelfSpine {
    /// The same spine on a picture that has so many more columns at its left.
    fileprivate func moved(right columns: Int) -> ShelfSpine {
        func move(_ point: Point) -> Point { Point(x: point.x + Double(columns), y: point.y) }
        var moved = self
        moved.outline = outline.mapped(move)
        for index in moved.reading.lines.indices {
            moved.reading.lines[index].quad = moved.reading.lines[index].quad.mapped(move)
        }
        return moved
    }
}
