/// Leaves a server alone that fails again and again: a value that decides, for a client that acts.
public struct CircuitBreaker: Sendable, Equatable {
    /// When the circuit opens, and for how long.
    public struct Configuration: Sendable, Equatable {
        /// Failures in a row that open the circuit.
        public var failures: Int
        /// Time for which it stays open before one request may try.
        public var pause: Duration

        /// A circuit that opens after `failures` failures for `pause`.
        public init(failures: Int = 8, pause: Duration = .seconds(30)) {
            self.failures = failures
            self.pause = pause
        }
    }

    /// Where the circuit stands; times are the client's, since it began.
    public enum State: Sendable, Equatable {
        /// Requests pass; so many failed in a row.
        case closed(failures: Int)
        /// None passes until then.
        case open(until: Duration)
        /// One request is out to try, since then.
        case halfOpen(since: Duration)
    }

    /// When the circuit opens, and for how long.
    public let configuration: Configuration
    /// Where it stands.
    public private(set) var state = State.closed(failures: 0)

    /// A closed circuit.
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
