/// A clock that runs faster than time, so that waits of seconds take milliseconds.
struct ScaledClock: Clock {
    struct Instant: InstantProtocol {
        /// Offset since the clock was made.
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private let speed: Int
    private let start = ContinuousClock.now

    /// - Parameter speed: seconds of this clock in a second.
    init(speed: Int) { self.speed = speed }

    var now: Instant { Instant(offset: start.duration(to: .now) * speed) }
    var minimumResolution: Duration { .nanoseconds(1) * speed }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(
            until: start + deadline.offset / speed,
            tolerance: tolerance.map { $0 / speed }
        )
    }
}
