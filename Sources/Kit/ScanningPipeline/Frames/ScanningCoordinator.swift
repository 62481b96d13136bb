import Basics
import BookCatalogue
import Imaging
public import ScanningPolicies
import TextRecognition

/// Takes a camera's frames, and has those scanned that are worth it (S0-C01).
///
/// ``FrameTriage`` decides which frames are read.
public actor ScanningCoordinator {
    /// The result of a frame (S0-C04).
    public enum FrameResult: Sendable, Equatable {
        case skipFrame(FrameOutcome)
        /// Spines are scanned, each by its best reading, which may be of an earlier frame: a draft is in the library, and
        /// ``ScanSession``'s `finish` completes it. A scan with the `id` of an earlier one is of the same spine, read
        /// better.
        case success([PhotoScan])

        /// Scans that are still to be finished.
        var scans: [PhotoScan] { if case .success(let scans) = self { scans } else { [] } }
    }

    nonisolated let session: ScanSession
    private var triage: FrameTriage
    private let thermalState: @Sendable () -> ThermalState
    private let monitor: PerformanceMonitor?
    private var follower = SpineFollower<PhotoScan>(likeness: PhotoScan.likeness)
    private var path = CameraPath()
    private var tracker = ShelfTracker()

    /// Counts of the results of all frames so far.
    public var counts: [FrameOutcome: Int] { triage.counts }
    /// Spines that were read on frames of shelves, and those among them that were known.
    public var spines: (read: Int, known: Int) { tracker.counts }

    /// Creates a coordinator; an adaptive reader needs no monitor.
    public init(
        session: ScanSession,
        thermalPolicy: ThermalPolicy = .seedCode,
        thermalState: @escaping @Sendable () -> ThermalState = { .nominal },
        monitor: PerformanceMonitor? = nil
    ) {
        self.session = session
        triage = FrameTriage(thermalPolicy: thermalPolicy)
        self.thermalState = thermalState
        self.monitor = monitor
    }

    /// Reads nothing until ``resume()``.
    public func pause() { triage.isPaused = true }

    /// Reads again.
    public func resume() { triage.isPaused = false }

    /// Reads a frame, unless it is skipped.
    ///
    /// - Throws: when the engine or the library fails.
    public func process(
        _ frame: Frame,
        milestone: @escaping @Sendable (Milestone) -> Void = { _ in }
    ) async throws -> FrameResult {
        if session.readsFirst, let adaptive = session.reader?.adaptive {
            let (isLoaded, interval) = try await adaptive.prepare(thermalState())
            (triage.isReaderUnloaded, triage.minimumInterval) = (!isLoaded, interval)
        }
        let isOfShelves = session.readsShelf(on: frame)
        let skip = triage.decide(
            at: frame.time,
            state: thermalState(),
            isShutterClosed: session.shutterClosedFor != nil,
            isSteady: { isSteady(frame) || isOfShelves }
        )
        if let skip { return .skipFrame(skip) }
        if isOfShelves {
            if let result = try await followShelf(frame, milestone) { return result }
            // A single spine, which is read as any other.
            guard follower.isWorthReading else {
                triage.note(.noText)
                return .skipFrame(.moving)
            }
        }
        let scan = try await session.look(at: frame, milestone: milestone)
        guard session.readsFirst else {
            let place = path.place(of: nil, aimed: frame.aimed, in: frame.image)
            guard follower.takeUnread(scan, at: place, time: frame.time) else { return nothing(.sameSpine) }
            return .success([scan])
        }
        if let reading = scan.timings.reading, let tier = scan.path.first {
            await monitor?.record(tier.rawValue, latency: reading)
        }
        var read = scan
        read.sureBook = try session.sureBook(of: scan.lines)
        // A draft needs the text that a book on a photo of shelves needs.
        guard read.sureBook != nil || NamingPolicy.isEnough(scan.lines.map(\.text), on: .shelf) else {
            return nothing(.noText)
        }
        let found = follower.take(
            read,
            weight: scan.lines.weight,
            isSure: read.sureBook != nil,
            at: path.place(of: scan.lines.centre, aimed: frame.aimed, in: frame.image),
            time: frame.time
        )
        triage.note(.sameSpine)
        let scans = try drafts(of: found, milestone)
        return scans.isEmpty ? .skipFrame(.sameSpine) : .success(scans)
    }

    /// Ends the view of the spine in sight, as the camera stops: scans it, if it was not scanned before.
    ///
    /// - Throws: when the library fails.
    func endView() throws -> [PhotoScan] { try drafts(of: follower.leave().map { [$0] } ?? []) { _ in } }

    private func isSteady(_ frame: Frame) -> Bool {
        follower.noteFrame(at: frame.time, moved: path.advance(to: frame.image, at: frame.time))
        return session.readsFirst ? follower.isWorthReading : follower.isSteady
    }

    private func nothing(_ outcome: FrameOutcome) -> FrameResult {
        triage.note(outcome)
        return .skipFrame(outcome)
    }

    /// Stores the drafts of the found spines.
    private func drafts(
        of found: [SpineFollower<PhotoScan>.Scan],
        _ milestone: @Sendable (Milestone) -> Void
    ) throws -> [PhotoScan] {
        try found.map { found in
            var scan = found.reading
            if let earlier = found.earlier { scan.id = earlier.id } else { triage.noteChange() }
            try session.keepDraft(of: &scan, milestone)
            return scan
        }
    }

    /// Reads the newly visible part of a frame of shelves; nil for one spine at most, as in all frames before.
    private func followShelf(_ frame: Frame, _ milestone: @Sendable (Milestone) -> Void) async throws -> FrameResult? {
        let image = frame.image
        guard let columns = tracker.columns(toReadOf: image) else {
            return tracker.counts.read > 0 ? nothing(.sameSpine) : nil
        }
        guard let part = image.cropped(x: columns.lowerBound, y: 0, width: columns.count, height: image.height) else {
            return nothing(.noText)
        }
        let reading = try await session.spines(on: part)
        guard reading.spines.count > 1 || tracker.counts.read > 0 else { return nil }
        let found = reading.spines.map { $0.moved(right: columns.lowerBound) }
        let new = try tracker.take(found, from: columns, width: image.width, at: frame.time) {
            try session.sureBook(of: $0.reading.lines) != nil
        }
        guard !new.isEmpty else { return nothing(found.isEmpty ? .noText : .sameSpine) }
        let scans = try new.map { spine in
            var scan = session.scan(of: spine, on: "frame \(frame.number)", after: reading.timings.total)
            scan.frame = frame.number
            milestone(.text(scan.lines))
            try session.keepDraft(of: &scan, milestone)
            return scan
        }
        return .success(scans)
    }
}

extension PhotoScan {
    /// Returns the similarity of two scans, 0…1: of their books if both are sure, else of their texts.
    @Sendable fileprivate static func likeness(_ one: PhotoScan, _ other: PhotoScan) -> Double {
        if let first = one.sureBook, let second = other.sureBook { return BookIdentity.isSame(first, second) ? 1 : 0 }
        let texts = [one, other].map { $0.lines.map(\.text).joined(separator: " ") }
        let numbers = texts.map {
            FoldedText($0).words.filter { word in word.allSatisfy { (0x30...0x39).contains($0) } }
        }
        // The volumes of a work differ in nothing else.
        if !numbers[0].isEmpty, !numbers[1].isEmpty, Set(numbers[0]).isDisjoint(with: numbers[1]) { return 0 }
        return max(TitleSimilarity.of(texts[0], in: [texts[1]]), TitleSimilarity.of(texts[1], in: [texts[0]]))
    }
}

extension [RecognizedLine] {
    /// Weight of the lines: number of letters, weighted by confidence.
    fileprivate var weight: Double { reduce(0) { $0 + $1.confidence * Double($1.text.count { $0.isLetter }) } }

    /// Centre of most of the text; nil without any.
    fileprivate var centre: Point? {
        guard weight > 0 else { return nil }
        let parts = map { line in (share: [line].weight / weight, quad: line.quad.corners) }
        func mean(_ axis: (Point) -> Double) -> Double {
            parts.reduce(0) { $0 + $1.share * $1.quad.map(axis).reduce(0, +) / 4 }
        }
        return Point(x: mean(\.x), y: mean(\.y))
    }
}

extension ShelfSpine {
    /// Returns the same spine on a picture with additional columns at its left.
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
