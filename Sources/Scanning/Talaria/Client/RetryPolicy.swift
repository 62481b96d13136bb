/// Policy of retries: how often a request is made again, and after which waits (S2-28, K-9).
public struct RetryPolicy: Sendable, Equatable {
    /// The wait before each further attempt; as many attempts as waits.
    public var delays: [Duration]
    /// The longest wait that a server may ask for before the request is given up.
    public var longestWait: Duration = .seconds(30)

    /// The seed's: 1, 2 and 4 seconds.
    public static let seed = RetryPolicy(delays: [.seconds(1), .seconds(2), .seconds(4)])
    /// Upstream's code: 2 and 4 seconds, three attempts in all.
    public static let upstream = RetryPolicy(delays: [.seconds(2), .seconds(4)])
    /// Upstream's documents: 2, 4 and 8 seconds.
    public static let documented = RetryPolicy(delays: [.seconds(2), .seconds(4), .seconds(8)])
    /// One attempt.
    public static let never = RetryPolicy(delays: [])

    /// The wait before the attempt that follows `failures` failed ones; nil when there is to be none.
    ///
    /// - Parameters:
    ///   - failures: Attempts that failed so far, from 1.
    ///   - minimum: What the server asked for, with `Retry-After`, `retryAfterMs` or `retry:`.
    /// - Returns: The policy's wait or the server's, whichever is longer.
    public func delay(afterFailures failures: Int, minimum: Duration? = nil) -> Duration? {
        guard failures >= 1, failures <= delays.count else { return nil }
        let delay = max(delays[failures - 1], minimum ?? .zero)
        return delay <= max(longestWait, delays[failures - 1]) ? delay : nil
    }
}
