/// Times at which a camera's frames are due: one that was not taken in time is dropped for the newest.
///
/// In whole nanoseconds, a value without a clock.
package struct FramePacer: Sendable, Equatable {
    private let framesPerSecond: Int
    private let count: Int
    private var began = 0
    package private(set) var next = 0
    /// Number of due frames that were not taken.
    package private(set) var dropped = 0

    package init(framesPerSecond: Int, count: Int = .max) {
        (self.framesPerSecond, self.count) = (framesPerSecond, count)
    }

    package var isOver: Bool { next >= count }

    /// Time of the next frame, on the camera's clock.
    package var nextDue: Int { began + due(next) }

    /// Drops all due frames except the newest.
    package mutating func skip(to time: Int) {
        let newest = newest(at: time)
        guard newest > next else { return }
        dropped += newest - next
        next = newest
    }

    /// Takes the next frame.
    ///
    /// - Returns: its time since the camera began, without pauses.
    package mutating func take() -> Int {
        defer { next += 1 }
        return due(next)
    }

    /// Starts again after a pause: the next frame is due now.
    package mutating func resume(at time: Int) { began = time - due(next) }

    private func due(_ number: Int) -> Int { number * 1_000_000_000 / framesPerSecond }

    /// Returns the last one that is due: the largest whose rounded down time is not above `time`.
    private func newest(at time: Int) -> Int {
        min(((time - began + 1) * framesPerSecond - 1) / 1_000_000_000, count - 1)
    }
}
