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
    public var requestTimeout: Duration
    /// Longest time for an upload to be accepted.
    public var uploadTimeout: Duration
    /// The time between the server's heartbeats; after two that did not come the stream is dropped (S2-34).
    public var heartbeat: Duration
    /// Longest time for which a scan is followed (S2-27).
    public var streamCeiling: Duration
    /// The time between questions to a server without streams.
    public var pollInterval: Duration
    /// Streams that may be open at once.
    public var maximumStreams: Int
    /// Time within which the same book counts as one.
    public var duplicateWindow: Duration
    /// The largest answer, decompressed.
    public var maximumResponseBytes: Int
    /// The longest stream, decompressed.
    public var maximumStreamBytes: Int
    /// The largest event of a stream.
    public var maximumEventBytes: Int
    /// Failures in a row after which the server is left alone, and for how long.
    public var breaker: CircuitBreaker.Configuration

    /// A client of this server, with the seed's patience unless said otherwise.
    public init(
        baseURL: URL,
        deviceID: UUID,
        retry: RetryPolicy = .seed,
        requestTimeout: Duration = .seconds(30),
        uploadTimeout: Duration = .seconds(120),
        heartbeat: Duration = .seconds(30),
        streamCeiling: Duration = .seconds(300),
        pollInterval: Duration = .seconds(2),
        maximumStreams: Int = 5,
        duplicateWindow: Duration = .seconds(60),
        maximumResponseBytes: Int = 8 << 20,
        maximumStreamBytes: Int = 64 << 20,
        maximumEventBytes: Int = 4 << 20,
        breaker: CircuitBreaker.Configuration = CircuitBreaker.Configuration()
    ) {
        self.baseURL = baseURL
        self.deviceID = deviceID
        self.retry = retry
        self.requestTimeout = requestTimeout
        self.uploadTimeout = uploadTimeout
        self.heartbeat = heartbeat
        self.streamCeiling = streamCeiling
        self.pollInterval = pollInterval
        self.maximumStreams = maximumStreams
        self.duplicateWindow = duplicateWindow
        self.maximumResponseBytes = maximumResponseBytes
        self.maximumStreamBytes = maximumStreamBytes
        self.maximumEventBytes = maximumEventBytes
        self.breaker = breaker
    }
}
