package import Foundation

/// A stream of server-sent events: opened, watched, opened anew where it breaks, and taken up after the last event that came.
///
/// Nothing here knows what the events mean. As the standard has it, an answer of 204 means not to come back, `Last-Event-ID`
/// names the last identity that came, and the server's `retry:` is waited for; unlike a browser, it gives up after as many
/// attempts in a row without an event as its policy has waits.
///
/// Source: WHATWG HTML, section 9.2, "Server-sent events".
package actor EventSource {
    /// Patience and bounds of a stream.
    package struct Configuration: Sendable, Equatable {
        /// Waits before the stream is opened anew, and the longest one that the server may ask for.
        package var retry: RetryPolicy
        /// Time between the server's heartbeats; after two that did not come the connection is dropped (S2-34).
        package var heartbeat: Duration
        /// The longest connection, in bytes after decompression.
        package var maximumStreamBytes: Int
        /// The largest event, in bytes.
        package var maximumEventBytes: Int

        /// The patience of upstream's library, with limits: 5 s at first, 30 s at most (S4-07).
        package init(
            retry: RetryPolicy = .eventSource,
            heartbeat: Duration = .seconds(30),
            maximumStreamBytes: Int = 64 << 20,
            maximumEventBytes: Int = 4 << 20
        ) {
            (self.retry, self.heartbeat) = (retry, heartbeat)
            (self.maximumStreamBytes, self.maximumEventBytes) = (maximumStreamBytes, maximumEventBytes)
        }
    }

    /// Use that was made of an event.
    package enum Use: Sendable {
        /// It was understood: the stream works, and attempts are counted from the beginning again.
        case taken
        /// It means nothing to whoever listens.
        case passedOver
        /// It is the last one that is wanted.
        case last
    }

    /// End of the stream.
    package enum End: Sendable {
        /// The last event came.
        case finished
        /// The server has no more events, and wants nobody to come back.
        case closed
        /// What came is no stream, or one beyond the bounds.
        case unreadable(TalariaError)
        /// It broke, and was opened anew as often as the policy has it.
        case lost(TalariaError)
    }

    /// Times that the stream was opened anew.
    package private(set) var reconnects = 0
    /// The last identity that came; "" for none.
    package var lastEventID: String { parser.lastEventID }

    private let request: TransportRequest
    private let operation: String
    private let transport: any HTTPTransport
    private let note: TransferNote
    private let configuration: Configuration
    private let time: ClientTime
    private var parser: SSEParser
    /// Wait that the server last asked for with `retry:`.
    private var wantedWait: Duration?
    private var taken = 0
    /// When something last came; nil while the consumer is busy with an event, for whose time the server is not blamed.
    private var lastActivity: Duration?

    /// A stream that is not open yet.
    ///
    /// - Parameters:
    ///   - url: its address.
    ///   - headers: such as a token; those of streams are added.
    ///   - operation: what it is called in messages.
    ///   - transport: carries the requests.
    ///   - note: what each request is noted as.
    ///   - configuration: patience and bounds.
    ///   - clock: of waits and of the watch for silence.
    package init(
        _ url: URL,
        headers: [(name: String, value: String)] = [],
        operation: String,
        over transport: any HTTPTransport,
        note: TransferNote,
        configuration: Configuration = Configuration(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let own = [("Accept", "text/event-stream"), ("Cache-Control", "no-store")]
        request = TransportRequest(method: .get, url: url, headers: own + headers)
        (self.operation, self.transport, self.note, self.configuration) = (operation, transport, note, configuration)
        time = ClientTime(clock)
        parser = SSEParser(maximumEventBytes: configuration.maximumEventBytes)
    }

    /// Reads the stream to its end, in the caller's task; to be called once.
    ///
    /// - Parameter onEvent: told of every event in turn; the stream waits for it.
    /// - Returns: how it ended.
    /// - Throws: what `onEvent` throws; `TalariaError` for a refusal that another try will not mend, and for a server that is
    ///   not trusted; `CancellationError`.
    package func run(_ onEvent: @escaping @Sendable (ServerSentEvent) async throws -> Use) async throws -> End {
        var failures = 0
        while true {
            let before = taken
            let (error, wait): (TalariaError, Duration?)
            switch try await readWatched(onEvent) {
            case .over(let end): return end
            case .stopped(let error): throw error
            case .dropped(let reason, let minimum): (error, wait) = (reason, minimum)
            }
            try Task.checkCancellation()
            failures = taken > before ? 1 : failures + 1
            wantedWait = parser.retry.map { min($0, configuration.retry.longestWait) } ?? wantedWait
            let minimum = [wait, wantedWait].compactMap { $0 }.max()
            guard let delay = configuration.retry.delay(afterFailures: failures, minimum: minimum) else {
                return .lost(error)
            }
            try await time.sleep(delay)
            reconnects += 1
            parser = SSEParser(
                lastEventID: parser.lastEventID,
                maximumEventBytes: configuration.maximumEventBytes
            )
        }
    }

    /// End of a connection.
    private enum Connection {
        case over(End)
        /// It broke; the server may have asked for a wait.
        case dropped(TalariaError, minimumWait: Duration?)
        /// Whoever listens has had enough.
        case stopped(any Error)
    }

    /// Reads until the connection ends, or until nothing came for two heartbeats.
    private func readWatched(
        _ onEvent: @escaping @Sendable (ServerSentEvent) async throws -> Use
    ) async throws -> Connection {
        lastActivity = time.now()
        return try await withThrowingTaskGroup(of: Connection.self) { group in
            group.addTask { try await self.read(onEvent) }
            group.addTask { try await self.watch() }
            defer { group.cancelAll() }
            guard let end = try await group.next() else { return .over(.closed) }
            return end
        }
    }

    private func watch() async throws -> Connection {
        let patience = configuration.heartbeat * 2
        while true {
            let idle = time.now() - (lastActivity ?? time.now())
            guard idle < patience else {
                return .dropped(.timedOut(operation: operation, after: idle), minimumWait: nil)
            }
            try await time.sleep(patience - idle)
        }
    }

    private func read(
        _ onEvent: @escaping @Sendable (ServerSentEvent) async throws -> Use
    ) async throws -> Connection {
        var request = request
        if !parser.lastEventID.isEmpty { request.headers.append(("Last-Event-ID", parser.lastEventID)) }
        do {
            return try await transport.exchange(request, note) { try await read($0, onEvent) }
        } catch let error as TalariaError {
            switch error {
            case .unreachable, .timedOut: return .dropped(error, minimumWait: nil)
            case .rateLimited(let state): return .dropped(error, minimumWait: state.remaining)
            case .refused(_, let problem) where error.isRetryable:
                return .dropped(error, minimumWait: problem.retryAfterMs.map { .milliseconds($0) })
            case .eventTooLarge, .malformed, .responseTooLarge: return .over(.unreadable(error))
            default: throw error
            }
        }
    }

    private func read(
        _ response: TransportResponse,
        _ onEvent: @Sendable (ServerSentEvent) async throws -> Use
    ) async throws -> Connection {
        lastActivity = time.now()
        let name = "\(request.method.rawValue) \(request.url.path())"
        guard response.status == 200 else {
            if response.status == 204 { return .over(.closed) }
            var body: [UInt8] = []
            for try await chunk in response.body where body.count < 65_536 { body += chunk }
            try response.check(body, operation: name, endpoint: note.endpoint)
            throw TalariaError.malformed(operation: name, reason: "the answer is \(response.status), not a stream")
        }
        let type = response.header("Content-Type")?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard type?.lowercased() == "text/event-stream" else {
            throw TalariaError.malformed(operation: name, reason: "the answer is \(type ?? "of no type"), not a stream")
        }
        var received = 0
        for try await chunk in response.body {
            received += chunk.count
            guard received <= configuration.maximumStreamBytes else {
                throw TalariaError.responseTooLarge(operation: name, limit: configuration.maximumStreamBytes)
            }
            for event in try parser.push(chunk) {
                lastActivity = nil
                do {
                    switch try await onEvent(event) {
                    case .taken: taken += 1
                    case .passedOver: break
                    case .last: return .over(.finished)
                    }
                } catch {
                    return .stopped(error)
                }
            }
            lastActivity = time.now()
        }
        let host = request.url.host() ?? request.url.absoluteString
        return .dropped(.unreachable(host: host, reason: "the stream ended before its last event"), minimumWait: nil)
    }
}
