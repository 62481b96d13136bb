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
        case skipFrame(FrameTriage.Skip)
        /// A spine is scanned, by its best reading, which may be of an earlier frame: a draft is in the library, and
        /// ``ScanSession``'s `finish` completes it. A scan with the `id` of an earlier one is of the same spine, read
        /// better.
        case success(PhotoScan)
        /// Several spines are; likewise.
        case spines([PhotoScan])

        /// Scans that are still to be finished.
        var scans: [PhotoScan] {
            switch self {
            case .skipFrame: []
            case .success(let scan): [scan]
            case .spines(let scans): scans
            }
        }
    }

    private let session: ScanSession
    private let gate: PresenceGate?
    private var triage: FrameTriage
    private let thermalState: @Sendable () -> ThermalState
    private let monitor: PerformanceMonitor?
    private var follower = SpineFollower<PhotoScan>(likeness: PhotoScan.likeness)
    private var way = CameraWay()
    private var tracker = ShelfTracker()

    /// Counts of the results of all frames so far.
    public var counts: FrameTriage.Counts { triage.counts }
    /// Spines that were read on frames of shelves, and those among them that were known.
    public var spines: (read: Int, known: Int) { tracker.counts }
    /// Whether its owner has paused scanning.
    public var isPaused: Bool { triage.isPaused }

    /// Creates a coordinator; without a gate every frame is read, and an adaptive reader needs no monitor.
    public init(
        session: ScanSession,
        gate: PresenceGate? = PresenceGate.isOnByDefault ? PresenceGate() : nil,
        thermalPolicy: ThermalPolicy = .seedCode,
        thermalState: @escaping @Sendable () -> ThermalState = { .nominal },
        monitor: PerformanceMonitor? = nil
    ) {
        self.session = session
        self.gate = gate
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
            shutterClosedFor: session.shutterClosedFor,
            hasSpine: gate.map { gate in { gate.examine(frame.image).isSpine } },
            isSteady: { isSteady(frame) || isOfShelves }
        )
        if let skip {
            let left = skip == .noSpine ? follower.noteNoSpine(at: frame.time) : nil
            return try result(of: left.map { [$0] } ?? [], else: skip, milestone)
        }
        if isOfShelves {
            if let result = try await followShelf(frame, milestone) { return result }
            // A single spine, which is read as any other.
            guard follower.isWorthReading else { return nothing(.moving) }
        }
        let scan = try await session.look(at: frame, milestone: milestone)
        guard session.readsFirst else {
            let place = way.place(of: nil, aimed: frame.aimed, in: frame.image)
            guard follower.takeUnread(scan, at: place, time: frame.time) else { return nothing(.sameSpine) }
            return .success(scan)
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
        let aimed = frame.aimed
        let found = follower.take(
            read,
            weight: scan.lines.weight,
            isSure: read.sureBook != nil,
            at: way.place(of: scan.lines.centre, aimed: aimed, in: frame.image),
            time: frame.time
        )
        triage.countDuplicate(isText: true)
        return try result(of: found, else: .sameSpine, milestone)
    }

    /// Ends the view of the spine in sight, as the camera stops: scans it, if it was not scanned before.
    ///
    /// - Throws: when the library fails.
    func endView() throws -> FrameResult {
        try result(of: follower.leave().map { [$0] } ?? [], else: .noSpine) { _ in }
    }

    private func isSteady(_ frame: Frame) -> Bool {
        follower.noteFrame(at: frame.time, moved: way.follow(frame.image, at: frame.time))
        return session.readsFirst ? follower.isWorthReading : follower.isSteady
    }

    private func nothing(_ reason: FrameTriage.Skip) -> FrameResult {
        triage.countDuplicate(isText: reason == .sameSpine)
        return .skipFrame(reason)
    }

    /// Stores the drafts of the found spines; `reason` if there are none.
    private func result(
        of found: [SpineFollower<PhotoScan>.Scan],
        else reason: FrameTriage.Skip,
        _ milestone: @Sendable (Milestone) -> Void
    ) throws -> FrameResult {
        let scans = try found.map { found in
            var scan = found.reading
            if let earlier = found.earlier { scan.id = earlier.id } else { triage.noteNews() }
            try session.keepDraft(of: &scan, milestone)
            return scan
        }
        guard let first = scans.first else { return .skipFrame(reason) }
        return scans.count > 1 ? .spines(scans) : .success(first)
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
        return .spines(scans)
    }

    /// Works on a camera's frames until it stops; each scan is finished in a child task while the next frames are read.
    ///
    /// All scans are finished, or cancelled with the caller's task, when this returns (K-11).
    ///
    /// - Throws: the first error of a frame or a scan; the others are cancelled then.
    public func run<C: Clock>(
        _ source: FrameSource<C>,
        finished: @escaping @Sendable (PhotoScan) -> Void = { _ in }
    ) async throws where C.Duration == Duration {
        let session = session
        try await withThrowingDiscardingTaskGroup { group in
            var last: Frame?
            while true {
                let next = try await source.nextFrame()
                // A stopped camera ends with the spine in view.
                let scans = if let next { try await process(next).scans } else { try endView().scans }
                if !scans.isEmpty, let frame = next ?? last {
                    await source.noteUse()
                    group.addTask(priority: .userInitiated) {
                        // Several spines are in the order of the shelf.
                        for scan in scans {
                            finished(try await session.finish(scan, frame: frame))
                        }
                    }
                }
                guard let next else { return }
                last = next
            }
        }
    }
}

extension PhotoScan {
    fileprivate var reading: SpineReading {
        SpineReading(lines: lines, orientation: orientation, timings: StageTimings())
    }

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
