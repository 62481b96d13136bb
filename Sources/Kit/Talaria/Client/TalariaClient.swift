import Foundation
import Synchronization

/// Talks to a Talaria server; every request throws `TalariaError`, or `CancellationError`.
public final class TalariaClient: Sendable {
    /// Configuration of the client.
    public let configuration: ClientConfiguration
    let transport: any HTTPTransport
    let time: ClientTime
    let streams: StreamGate
    let breaker: Mutex<CircuitBreaker>
    let limits = Mutex(RateLimits())
    let onTransfer: @Sendable (Transfer) -> Void

    /// Creates a client of the server that `configuration` names.
    public init(
        configuration: ClientConfiguration,
        transport: any HTTPTransport,
        clock: some Clock<Duration> = ContinuousClock(),
        onTransfer: @escaping @Sendable (Transfer) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.transport = transport
        time = ClientTime(clock)
        streams = StreamGate(limit: configuration.maximumStreams)
        breaker = Mutex(CircuitBreaker(configuration: configuration.breaker))
        self.onTransfer = onTransfer
    }

    /// Limit that blocks uploads of scans now; nil without one.
    public var rateLimit: RateLimitState? { rateLimit(of: .upload) }

    /// Returns the limit of a route; nil without one.
    package func rateLimit(of endpoint: Transfer.Endpoint) -> RateLimitState? {
        let now = time.now()
        return limits.withLock { $0.state(of: endpoint, at: now) }
    }

    /// Returns the book of a spine's text: `POST /v3/jobs/enrich`.
    ///
    /// - Returns: The book; its `enrichmentStatus` is `notFound` if the server knows none.
    public func enrich(_ request: EnrichRequest) async throws -> BookMetadata {
        let headers = [("Content-Type", "application/json"), ("Accept", "application/json")]
        let body = [UInt8](try WireJSON.encode(request))
        let call = Call(.enrich, .post, route("v3/jobs/enrich"), headers: headers, body: body)
        return try await perform(call, as: BookMetadata.self)
    }

    /// Books that answer a search: `GET /v3/books/search`.
    public func searchBooks(_ query: String, limit: Int = 10) async throws -> [BookMetadata] {
        let url = route("v3/books/search", query: ["q": query, "limit": String(limit)])
        let call = Call(.search, .get, url, headers: [("Accept", "application/json")])
        return try await perform(call, as: ScanResults.self).results
    }

    /// Returns the status of a job: `GET /v3/jobs/scans/{id}`.
    package func status(of jobID: String, token: String?, retry: RetryPolicy? = nil) async throws -> ScanState {
        try await perform(jobCall(.status, .get, jobID, token: token), as: ScanState.self, retry: retry)
    }

    /// Deletes the server's data of a job: `DELETE /v3/jobs/scans/{id}/cleanup`.
    ///
    /// Call it after the results have arrived, and not before (K-29). Nothing left to remove is a success. The server
    /// deletes the data by itself, only later: the request is sent once, and waits for 5 s at most.
    package func cleanup(_ jobID: String, token: String?) async throws {
        var call = jobCall(.cleanup, .delete, jobID, "/cleanup", token: token)
        call.timeout = min(configuration.requestTimeout, .seconds(5))
        do {
            try await perform(call, retry: .never)
        } catch TalariaError.refused(_, let problem) where problem.status == 404 || problem.status == 410 {}
    }
}
