/// Decides of each frame that a camera takes whether it is read, the cheapest reason not to first.
///
/// Is scanning paused, is the reader unloaded, is the shutter closed, is the device too warm, is it too soon after
/// the last reading, does the camera move: in this order, so that nothing is examined that need not be (S0-C05).
public struct FrameTriage: Sendable, Equatable {
    /// Rule for processing frames on a warm device.
    public var thermalPolicy: ThermalPolicy
    /// The shortest time between the beginnings of two readings; nil for none.
    public var minimumInterval: Duration?
    /// Whether its owner has paused scanning.
    public var isPaused = false
    /// Whether the reader is unloaded.
    public var isReaderUnloaded = false
    /// Number of frames by outcome, zeros too (K-25).
    public private(set) var counts = FrameOutcome.none
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
    ///   - isShutterClosed: whether captures are useless: the back end accepts none, and the strategy has nothing else.
    ///   - isSteady: whether the camera rests; called last.
    /// - Returns: the reason for an unread frame; nil for one to read, which counts as ``FrameOutcome/scanned`` until
    ///   ``note(_:)``.
    public mutating func decide(
        at time: Duration,
        state: @autoclosure () -> ThermalState,
        isShutterClosed: Bool = false,
        isSteady: () -> Bool = { true }
    ) -> FrameOutcome? {
        let (count, sinceLast) = (counts.values.reduce(1, +), lastRead.map { time - $0 })
        let outcome: FrameOutcome? =
            if isPaused {
                .paused
            } else if isReaderUnloaded {
                .noReader
            } else if isShutterClosed {
                .shutterClosed
            } else if !thermalPolicy.processes(state: state(), frameCount: count, sinceLast: sinceLast) {
                .thermal
            } else if let minimumInterval, let sinceLast, sinceLast < minimumInterval {
                .tooSoon
            } else if !isSteady() {
                .moving
            } else {
                nil
            }
        counts[outcome ?? .scanned, default: 0] += 1
        if outcome == nil { lastRead = time }
        return outcome
    }

    /// Notes that the last frame that was read had nothing new: too little text, or a known spine.
    public mutating func note(_ outcome: FrameOutcome) { change(.scanned, to: outcome) }

    /// Notes that a frame of a known spine is scanned after all.
    public mutating func noteChange() { change(.sameSpine, to: .scanned) }

    private mutating func change(_ outcome: FrameOutcome, to other: FrameOutcome) {
        counts[outcome, default: 0] -= 1
        counts[other, default: 0] += 1
    }
}
