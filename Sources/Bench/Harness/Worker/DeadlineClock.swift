import Dispatch

/// The clock of a run's limits: the machine's, or one that a test moves.
package struct DeadlineClock: Sendable {
    /// The time.
    let now: @Sendable () -> ContinuousClock.Instant
    /// Waits for a signal until a time; false when that came first.
    ///
    /// It may return true without a signal.
    let wait: @Sendable (DispatchSemaphore, _ deadline: ContinuousClock.Instant) -> Bool

    /// The machine's clock.
    package static let machine = DeadlineClock(
        now: { .now },
        wait: { signal, deadline in
            let left = max(0, ContinuousClock.now.duration(to: deadline).milliseconds)
            return signal.wait(timeout: .now() + .microseconds(Int(left * 1_000))) == .success
        }
    )
}
