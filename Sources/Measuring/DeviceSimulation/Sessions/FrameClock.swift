/// When the frames of a camera are due, counted as `FrameSource` counts them: one that nobody took in time is dropped for the
/// newest.
struct FrameClock {
    private let framesPerSecond: Int
    private var began = 0
    /// The number of the frame that is taken next.
    private(set) var next = 0
    /// Frames that were due and that nobody took.
    private(set) var dropped = 0

    init(framesPerSecond: Int) { self.framesPerSecond = framesPerSecond }

    /// When the next frame is due, in the session's time.
    var nextDue: Int { began + due(next) }

    /// Drops all that are due but the newest.
    mutating func skip(to time: Int) {
        let newest = newest(at: time)
        guard newest > next else { return }
        dropped += newest - next
        next = newest
    }

    /// Takes the next frame.
    ///
    /// - Returns: its time since the camera began, pauses left out.
    mutating func take() -> Int {
        defer { next += 1 }
        return due(next)
    }

    /// Starts again after a pause: the next frame is due now.
    mutating func resume(at time: Int) { began = time - due(next) }

    /// Drops what was due before the end and not taken.
    mutating func end(at time: Int) {
        let newest = newest(at: time - 1)
        if newest >= next { dropped += newest - next + 1 }
    }

    private func due(_ number: Int) -> Int { number * VirtualTime.second / framesPerSecond }

    /// The last one that is due: the largest whose rounded down time is not above `time`.
    private func newest(at time: Int) -> Int {
        ((time - began + 1) * framesPerSecond - 1) / VirtualTime.second
    }
}
