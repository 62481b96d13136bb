/// A temporary refusal of requests by the server (S2-37): the app closes its shutter and counts down.
public struct RateLimitState: Sendable, Equatable {
    /// The route that is limited.
    public var endpoint: Transfer.Endpoint
    /// Time that is left.
    public var remaining: Duration
    /// Number of requests in the server's window; nil if it does not report it.
    public var limit: Int?
}
