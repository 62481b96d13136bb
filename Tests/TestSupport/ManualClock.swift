import Synchronization

/// Clock that stops until a test moves it.
public final class ManualClock: Clock, Sendable {
    /// A time on the clock.
    public struct Instant: InstantProtocol {
        /// Time since the clock was made.
        public var offset: Duration

        /// Returns the time that is `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the time from here to `other`.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Returns whether `a` is before `b`.
        public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let duration: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextID = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var requested: [Duration] = []
        var watchers: [(duration: Duration?, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// A clock at zero.
    public init() {}

    /// The time.
    public var now: Instant { state.withLock { $0.now } }

    /// The clock does not round.
    public var minimumResolution: Duration { .zero }

    /// Requested durations of all sleeps, in the order in which they began.
    public var requestedSleeps: [Duration] { state.withLock { $0.requested } }

    /// Requested durations of the current sleeps.
    public var sleepers: [Duration] { state.withLock { $0.sleepers.map(\.duration) } }

    /// Sleeps until the clock has been moved to `deadline` or beyond.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock {
            $0.nextID += 1
            return $0.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                fallAsleep(id, deadline, continuation)
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func fallAsleep(_ id: Int, _ deadline: Instant, _ continuation: CheckedContinuation<Void, any Error>) {
        enum Course {
            case cancelled, past
            case asleep([CheckedContinuation<Void, Never>])
        }
        let course = state.withLock { state -> Course in
            if state.cancelled.remove(id) != nil { return .cancelled }
            let duration = state.now.duration(to: deadline)
            state.requested.append(duration)
            guard duration > .zero else { return .past }
            state.sleepers.append(
                Sleeper(id: id, deadline: deadline, duration: duration, continuation: continuation)
            )
            let isMet = { (watched: Duration?) in watched == nil || watched == duration }
            defer { state.watchers.removeAll { isMet($0.duration) } }
            return .asleep(state.watchers.filter { isMet($0.duration) }.map(\.continuation))
        }
        switch course {
        case .cancelled: continuation.resume(throwing: CancellationError())
        case .past: continuation.resume()
        case .asleep(let watchers): for watcher in watchers { watcher.resume() }
        }
    }

    /// Moves the clock, and wakes the sleepers until then in turn.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            defer { state.sleepers.removeAll { $0.deadline <= now } }
            return state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Waits until a task sleeps with a requested duration of exactly `duration` (nil: any), however much of it
    /// remains.
    public func sleeper(of duration: Duration? = nil) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isThere = state.withLock { state in
                if state.sleepers.contains(where: { duration == nil || $0.duration == duration }) { return true }
                state.watchers.append((duration, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Waits until a task sleeps for exactly `duration`, and moves the clock by it.
    public func advance(whenSomebodySleeps duration: Duration) async {
        await sleeper(of: duration)
        advance(by: duration)
    }
}
