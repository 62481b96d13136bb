/// That the server takes no requests for a while (S2-37): the app closes its shutter and counts down.
public struct RateLimitState: Sendable, Equatable {
    /// The route that is limited.
    public var endpoint: Transfer.Endpoint
    /// Time that is left.
    public var remaining: Duration
    /// Requests that the server takes in its window; nil where it does not say.
    public var limit: Int?
}
