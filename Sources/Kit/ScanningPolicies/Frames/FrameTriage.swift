/// Decides of each frame that a camera takes whether it is read, the cheapest reason not to first.
///
/// Is scanning paused, is the reader unloaded, is the shutter closed, is the device too warm, is it too soon after
/// the last reading, is there no spine in sight, does the camera move: in this order, so that nothing is examined
/// that need not be (S0-C05). A value without a clock: the coordinator and the simulation of a session ask the same
/// one.
public struct FrameTriage: Sendable, Equatable {
    /// The reason for an unread frame.
    public enum Skip: Sendable, Equatable {
        case paused
        /// The reader is unloaded, as the device is too hot or short of memory, or the reader too slow.
        case noReader
        /// The back end takes nothing for so long yet, and the strategy has nothing else (S2-37).
        case shutterClosed(Duration)
        /// The frame is skipped, as the device is warm.
        case thermal
        case tooHot
        /// The last reading was so short a time ago that its quality allows no other yet.
        case tooSoon
        case noSpine
        /// The camera moves, so that nothing on the frame can be read with certainty.
        case moving
        /// The frame was read, and has too little text to identify a book.
        case noText
        /// The frame was read, and is of a spine that was scanned before, or that is read once more before it is.
        case sameSpine
    }

    /// Counts of all frames so far.
    public struct Counts: Sendable, Equatable, Codable {
        /// Number of all frames (K-25).
        public var arrived = 0
        /// Number of frames while the owner had paused scanning.
        public var paused = 0
        /// Number of frames while the reader was unloaded.
        public var noReader = 0
        /// Number of frames while the back end accepted none.
        public var shutterClosed = 0
        /// Skipped as the device was warm or hot.
        public var thermal = 0
        /// Skipped as the last reading was too recent.
        public var tooSoon = 0
        /// Number of frames that the presence gate examined.
        public var examined = 0
        /// Number of frames without a spine in view.
        public var noSpine = 0
        /// Number of frames with a spine in view, while the camera moved.
        public var moving = 0
        /// Read, and nothing new.
        public var noNews = 0
        /// Number of these frames with enough text to identify a book.
        public var sameSpine = 0
        /// Given to the reader.
        public var read = 0
    }

    /// Rule for processing frames on a warm device.
    public var thermalPolicy: ThermalPolicy
    /// The shortest time between the beginnings of two readings; nil for none.
    public var minimumInterval: Duration?
    /// Whether its owner has paused scanning.
    public var isPaused = false
    /// Whether the reader is unloaded.
    public var isReaderUnloaded = false
    /// Counts of all frames so far.
    public private(set) var counts = Counts()
    private var lastRead: Duration?

    /// Creates a triage without any frame.
    public init(thermalPolicy: ThermalPolicy, minimumInterval: Duration? = nil) {
        (self.thermalPolicy, self.minimumInterval) = (thermalPolicy, minimumInterval)
    }

    /// Decides on a frame, and counts it.
    ///
    /// - Parameters:
    ///   - time: of the frame, since the camera began; not before the last one.
    ///   - state: of the device's heat; read only when nothing cheaper decides.
    ///   - shutterClosedFor: time during which captures are useless; nil if they are useful.
    ///   - hasSpine: the presence gate; called only when all else allows the frame. nil reads without it.
    ///   - isSteady: whether the camera rests; called last.
    /// - Returns: the reason for an unread frame; nil for one to read.
    public mutating func decide(
        at time: Duration,
        state: @autoclosure () -> ThermalState,
        shutterClosedFor: Duration? = nil,
        hasSpine: (() -> Bool)?,
        isSteady: () -> Bool = { true }
    ) -> Skip? {
        counts.arrived += 1
        if isPaused { return skip(.paused, \.paused) }
        if isReaderUnloaded { return skip(.noReader, \.noReader) }
        if let shutterClosedFor { return skip(.shutterClosed(shutterClosedFor), \.shutterClosed) }
        let sinceLast = lastRead.map { time - $0 }
        let decision = thermalPolicy.decision(state: state(), frameCount: counts.arrived, sinceLast: sinceLast)
        if decision != .process { return skip(decision == .skip ? .thermal : .tooHot, \.thermal) }
        if let minimumInterval, let sinceLast, sinceLast < minimumInterval { return skip(.tooSoon, \.tooSoon) }
        if let hasSpine {
            counts.examined += 1
            if !hasSpine() { return skip(.noSpine, \.noSpine) }
        }
        if !isSteady() { return skip(.moving, \.moving) }
        counts.read += 1
        lastRead = time
        return nil
    }

    private mutating func skip(_ reason: Skip, _ count: WritableKeyPath<Counts, Int>) -> Skip {
        counts[keyPath: count] += 1
        return reason
    }

    /// Records that the last frame read had nothing new, according to present knowledge.
    public mutating func countDuplicate(isText: Bool) {
        counts.noNews += 1
        if isText { counts.sameSpine += 1 }
    }

    /// Notes that one of the frames that had nothing new is scanned after all.
    public mutating func noteNews() {
        counts.noNews -= 1
        counts.sameSpine -= 1
    }
}
