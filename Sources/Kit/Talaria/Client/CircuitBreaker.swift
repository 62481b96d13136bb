/// Leaves a server alone that fails again and again: a value that decides, for a client that acts.
public struct CircuitBreaker: Sendable, Equatable {
    /// The threshold and the duration of an open circuit.
    public struct Configuration: Sendable, Equatable {
        /// Failures in a row that open the circuit.
        public var failures: Int
        /// Time for which it stays open before one request may try.
        public var pause: Duration

        /// Creates a configuration from the number of consecutive failures and the pause after them.
        public init(failures: Int = 8, pause: Duration = .seconds(30)) {
            (self.failures, self.pause) = (failures, pause)
        }
    }

    /// The state of the circuit; times are the client's, since it began.
    package enum State: Sendable, Equatable {
        /// Requests pass; `failures` is the number of consecutive failures.
        case closed(failures: Int)
        /// None passes until then.
        case open(until: Duration)
        /// One request is out to try, since then.
        case halfOpen(since: Duration)
    }

    package let configuration: Configuration
    package private(set) var state = State.closed(failures: 0)

    /// Creates a closed breaker.
    public init(configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// Asks to pass; nil when the request may, else how long it should wait.
    public mutating func permit(at now: Duration) -> Duration? {
        switch state {
        case .closed: return nil
        case .open(let until) where now < until: return until - now
        // A probe that never reported back, as its task was cancelled, does not keep the circuit closed for ever.
        case .halfOpen(let since) where now < since + configuration.pause: return since + configuration.pause - now
        case .open, .halfOpen:
            state = .halfOpen(since: now)
            return nil
        }
    }

    /// Notes that a request that was let pass got an answer.
    public mutating func succeeded() { state = .closed(failures: 0) }

    /// Notes that the server asked to be left alone until then.
    public mutating func open(until end: Duration) { state = .open(until: end) }

    /// Notes that a request that was let pass failed.
    public mutating func failed(at now: Duration) {
        switch state {
        case .closed(let failures) where failures + 1 < configuration.failures:
            state = .closed(failures: failures + 1)
        case .closed, .halfOpen: state = .open(until: now + configuration.pause)
        // A request that was let pass before the circuit opened: the pause is not made longer.
        case .open: break
        }
    }
}

/// Limits the number of open streams; the others wait in the order of their arrival.
actor StreamGate {
    private let limit: Int
    private var open = 0
    private var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    private var nextID = 0

    init(limit: Int) { self.limit = max(1, limit) }

    var counts: (open: Int, waiting: Int) { (open, waiting.count) }

    /// Runs the work as soon as a place is free.
    ///
    /// - Throws: The error of the work; `CancellationError` when the task is cancelled while it waits.
    func withPlace<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        try await enter()
        defer { leave() }
        return try await work()
    }

    private func enter() async throws {
        try Task.checkCancellation()
        guard open == limit else {
            open += 1
            return
        }
        let id = nextID
        nextID += 1
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                // Cancelled before it entered the queue: it would never be resumed.
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiting.append((id, continuation))
            }
        } onCancel: {
            Task { await self.forget(id) }
        }
    }

    /// Passes the place to the task that has waited longest.
    private func leave() {
        guard !waiting.isEmpty else {
            open -= 1
            return
        }
        waiting.removeFirst().continuation.resume()
    }

    private func forget(_ id: Int) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting.remove(at: index).continuation.resume(throwing: CancellationError())
    }
}
