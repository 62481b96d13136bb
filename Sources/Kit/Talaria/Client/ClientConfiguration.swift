public import Foundation

/// Configuration of a client: the server, the device, and its patience.
public struct ClientConfiguration: Sendable, Equatable {
    /// The server, for instance `https://talaria.example`; a path is put before every route.
    public var baseURL: URL
    /// The device's identity, sent with every request.
    public var deviceID: UUID
    /// Waits between attempts.
    public var retry: RetryPolicy
    /// Longest time for a request without a stream.
    public var requestTimeout = Duration.seconds(30)
    /// Longest time for an upload to be accepted.
    public var uploadTimeout = Duration.seconds(120)
    /// Time between the server's heartbeats; after two missing ones the stream is dropped (S2-34).
    public var heartbeat = Duration.seconds(30)
    /// Longest time for which a scan is followed (S2-27).
    public var streamCeiling = Duration.seconds(300)
    /// The time between questions to a server without streams.
    public var pollInterval = Duration.seconds(2)
    /// Streams that may be open at once.
    public var maximumStreams = 5
    /// Time within which the same book counts as one.
    public var duplicateWindow = Duration.seconds(60)
    /// The largest answer, decompressed.
    public var maximumResponseBytes = 8 << 20
    /// The longest stream, decompressed.
    public var maximumStreamBytes = 64 << 20
    /// The largest event of a stream.
    public var maximumEventBytes = 4 << 20
    /// Failures in a row after which the server is left alone, and for how long.
    public var breaker = CircuitBreaker.Configuration()

    /// Creates a client of this server, with the seed's patience.
    public init(baseURL: URL, deviceID: UUID, retry: RetryPolicy = .seed) {
        (self.baseURL, self.deviceID, self.retry) = (baseURL, deviceID, retry)
    }
}

/// Policy of retries: how often a request is made again, and after which waits (S2-28, K-9).
public struct RetryPolicy: Sendable, Equatable {
    /// Waits before the further attempts; their number is that of the attempts.
    public var delays: [Duration]
    /// Longest wait that a server may request before the request is given up.
    public var longestWait: Duration = .seconds(30)

    /// The seed's: 1, 2 and 4 seconds.
    public static let seed = RetryPolicy(delays: [.seconds(1), .seconds(2), .seconds(4)])
    /// Upstream's code: 2 and 4 seconds, three attempts in all.
    public static let upstream = RetryPolicy(delays: [.seconds(2), .seconds(4)])
    /// Upstream's documents: 2, 4 and 8 seconds.
    public static let documented = RetryPolicy(delays: [.seconds(2), .seconds(4), .seconds(8)])
    /// One attempt.
    public static let never = RetryPolicy(delays: [])

    /// Returns the wait before the attempt that follows `failures` failed ones; nil for no further attempt.
    ///
    /// - Parameters:
    ///   - failures: Attempts that failed so far, from 1.
    ///   - minimum: The server's request in `Retry-After`, `retryAfterMs` or `retry:`.
    /// - Returns: The policy's wait or the server's, whichever is longer.
    public func delay(afterFailures failures: Int, minimum: Duration? = nil) -> Duration? {
        guard failures >= 1, failures <= delays.count else { return nil }
        let delay = max(delays[failures - 1], minimum ?? .zero)
        return delay <= max(longestWait, delays[failures - 1]) ? delay : nil
    }
}

/// A clock as the client needs it: time since it began, and waiting.
public struct ClientTime: Sendable {
    /// The current instant.
    public let now: @Sendable () -> Duration
    let clock: any Clock<Duration>

    /// Creates the time of a clock.
    public init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        self.clock = clock
    }

    /// Waits, and throws when it is cancelled.
    public func sleep(_ duration: Duration) async throws { try await clock.sleep(for: duration) }
}

/// Runs the work, and cancels it when it takes longer than `limit`.
///
/// - Throws: The errors of the work; `TalariaError.timedOut` after a cancellation for its time.
public func within<Value: Sendable>(
    _ limit: Duration,
    _ operation: String,
    on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await clock.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() ?? nil else {
            throw TalariaError.timedOut(operation: operation, after: limit)
        }
        return value
    }
}
