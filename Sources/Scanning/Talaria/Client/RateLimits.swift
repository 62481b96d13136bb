/// Which routes are limited, and until when.
struct RateLimits {
    private var entries: [Transfer.Endpoint: (until: Duration, limit: Int?)] = [:]

    /// Notes that a route takes nothing until `until`; a limit that is known to last longer stays.
    mutating func note(_ endpoint: Transfer.Endpoint, until: Duration, limit: Int?) {
        entries[endpoint] = (max(until, entries[endpoint]?.until ?? until), limit ?? entries[endpoint]?.limit)
    }

    /// The limit of a route; nil when there is none any more.
    func state(of endpoint: Transfer.Endpoint, at now: Duration) -> RateLimitState? {
        guard let entry = entries[endpoint], entry.until > now else { return nil }
        return RateLimitState(endpoint: endpoint, remaining: entry.until - now, limit: entry.limit)
    }
}
