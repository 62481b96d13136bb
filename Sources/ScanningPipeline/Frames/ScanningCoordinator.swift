public import Foundation
import TextRecognition

/// Takes a camera's frames, and has those scanned that are worth it (S0-C01).
///
/// Before a frame is read, it is asked whether there is reason not to, the cheapest first: is scanning paused, is the
/// shutter closed, is the device too warm, is there no spine in sight.
public actor ScanningCoordinator {
    /// Why a frame was not read.
    public enum Skip: Sendable, Equatable {
        /// Its owner has paused scanning.
        case paused
        /// The back end takes nothing for so long yet, and the variant has nothing else (S2-37).
        case shutterClosed(Duration)
        /// It is this frame's turn to be left out, as the device is warm.
        case thermal
        /// The device is too hot for any frame.
        case tooHot
        /// There is no spine in sight.
        case noSpine
        /// There is nothing to read.
        case noText
        /// It is the spine of a scan before.
        case sameSpine
    }

    /// What became of a frame (S0-C04).
    public enum FrameResult: Sendable, Equatable {
        case skipFrame(Skip)
        /// It was read, and a draft is in the library; what is left to do is ``ScanSession``'s `finish`.
        case success(PhotoScan)
    }

    /// What became of all frames so far.
    public struct Counts: Sendable, Equatable {
        /// All that arrived (K-25).
        public var arrived = 0
        public var paused = 0
        public var shutterClosed = 0
        /// Left out as the device was warm or hot.
        public var thermal = 0
        public var noSpine = 0
        /// Read, and nothing new.
        public var noNews = 0
        /// Given to the reader.
        public var read = 0
    }

    private let session: ScanSession
    private let gate: PresenceGate?
    private let thermalPolicy: ThermalPolicy
    private let thermalState: @Sendable () -> ThermalState
    private var lastRead: Duration?
    /// What was scanned lately, and when: a camera sees the same spine many times.
    private var recent: [(text: [String], time: Duration)] = []
    /// Whether a picture was sent of the spine that is in sight.
    private var isSent = false
    public private(set) var counts = Counts()
    /// Whether its owner has paused scanning.
    public private(set) var isPaused = false

    /// - Parameters:
    ///   - session: what reads and resolves.
    ///   - gate: looks for a spine first; nil reads every frame.
    ///   - thermalPolicy: which frames are worked on when the device is warm.
    ///   - thermalState: how warm it is now.
    public init(
        session: ScanSession,
        gate: PresenceGate? = PresenceGate(),
        thermalPolicy: ThermalPolicy = .seedCode,
        thermalState: @escaping @Sendable () -> ThermalState = { .nominal }
    ) {
        self.session = session
        self.gate = gate
        self.thermalPolicy = thermalPolicy
        self.thermalState = thermalState
    }

    /// Reads nothing until ``resume()``.
    public func pause() { isPaused = true }

    /// Reads again.
    public func resume() { isPaused = false }

    /// Reads a frame, unless there is reason not to.
    ///
    /// - Parameters:
    ///   - frame: of a camera.
    ///   - milestone: called when something is done.
    /// - Throws: when the engine or the library fails.
    public func process(
        _ frame: Frame,
        milestone: @escaping @Sendable (Milestone) -> Void = { _ in }
    ) async throws -> FrameResult {
        if let reason = reasonToSkip(frame) { return .skipFrame(reason) }
        counts.read += 1
        lastRead = frame.time
        var scan = try await session.look(at: frame, milestone: milestone)
        if let reason = reasonToForget(scan, at: frame.time) {
            counts.noNews += 1
            return .skipFrame(reason)
        }
        try session.keepDraft(of: &scan, milestone)
        return .success(scan)
    }

    /// The same text within a minute is the same spine; of a picture that is sent unread, a spine has to go before the next.
    private func reasonToForget(_ scan: PhotoScan, at time: Duration) -> Skip? {
        guard session.readsFirst else {
            defer { isSent = true }
            return isSent ? .sameSpine : nil
        }
        guard !scan.lines.isEmpty else { return .noText }
        recent.removeAll { time - $0.time > .seconds(60) }
        let text = scan.lines.map(\.text)
        let isKnown = recent.contains { known in
            TitleSimilarity.of(text.joined(separator: " "), in: [known.text.joined(separator: " ")]) > 0.8
        }
        recent.append((text, time))
        return isKnown ? .sameSpine : nil
    }

    private func reasonToSkip(_ frame: Frame) -> Skip? {
        counts.arrived += 1
        if isPaused {
            counts.paused += 1
            return .paused
        }
        if let wait = session.shutterClosedFor {
            counts.shutterClosed += 1
            return .shutterClosed(wait)
        }
        let decision = thermalPolicy.decision(
            state: thermalState(),
            frameCount: counts.arrived,
            sinceLast: lastRead.map { frame.time - $0 }
        )
        if decision != .process {
            counts.thermal += 1
            return decision == .skip ? .thermal : .tooHot
        }
        if let gate, !gate.examine(frame.image).isSpine {
            counts.noSpine += 1
            isSent = false
            return .noSpine
        }
        return nil
    }

    /// Works on a camera's frames until it stops; each scan is finished in a child task while the next frames are read.
    ///
    /// All scans are finished, or cancelled with the caller's task, when this returns (K-11).
    ///
    /// - Parameters:
    ///   - source: a camera that runs.
    ///   - milestone: called when something is done, with the scan that it is of.
    ///   - finished: called with every scan that has come to its end.
    /// - Throws: the first error of a frame or a scan; the others are cancelled then.
    public func run<C: Clock>(
        _ source: FrameSource<C>,
        milestone: @escaping @Sendable (UUID, Milestone) -> Void = { _, _ in },
        finished: @escaping @Sendable (PhotoScan) -> Void = { _ in }
    ) async throws where C.Duration == Duration {
        let session = session
        try await withThrowingDiscardingTaskGroup { group in
            while let frame = try await source.nextFrame() {
                let id = frame.id
                let result = try await process(frame) { milestone(id, $0) }
                guard case .success(let scan) = result else { continue }
                await source.noteUse()
                group.addTask(priority: .userInitiated) {
                    finished(try await session.finish(scan, frame: frame) { milestone(id, $0) })
                }
            }
        }
    }
}
