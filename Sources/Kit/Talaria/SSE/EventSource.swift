package import Foundation

/// A stream of server-sent events: opened, watched, reopened after a break, and resumed after the last event.
///
/// The meaning of the events is unknown here. As the standard requires, an answer of 204 forbids a reconnect,
/// `Last-Event-ID` contains the last identity that came, and the server's `retry:` is waited for; unlike a browser,
/// it gives up after its policy's number of consecutive attempts without an event.
///
/// Source: WHATWG HTML, section 9.2, "Server-sent events".
package actor EventSource {
    package struct Configuration: Sendable, Equatable {
        /// Waits before the stream is reopened, and the longest one that the server may request.
        package var retry: RetryPolicy
        /// Time between the server's heartbeats; after two missing ones the connection is dropped (S2-34).
        package var heartbeat: Duration
        package var maximumStreamBytes: Int
        package var maximumEventBytes: Int

        /// Creates the patience of upstream's library, with limits: 5 s at first, 30 s at most (S4-07).
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
        /// The event was understood: the stream works, and attempts are counted from the beginning again.
        case taken
        /// The event has no meaning for the listener.
        case passedOver
        /// The event is the last one that is needed.
        case last
    }

    package enum End: Sendable {
        case finished
        /// The server has no more events and does not expect a reconnect.
        case closed
        /// The response is not a stream, or exceeds the limits.
        case unreadable(TalariaError)
        /// The stream broke, and the policy's reconnects are used up.
        case lost(TalariaError)
    }

    package private(set) var reconnects = 0
    /// Last event identity received; "" for none.
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
    /// Time of the last activity; nil while the consumer processes an event, as the server is not responsible for
    /// that time.
    private var lastActivity: Duration?

    /// Creates a stream that is not open yet; `operation` names it in messages.
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
    /// - Parameter onEvent: called with every event in turn; the stream waits for it.
    /// - Returns: the reason for its end.
    /// - Throws: the errors of `onEvent`; `TalariaError` for a refusal that a retry cannot cure, and for an untrusted
    ///   server; `CancellationError`.
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
            parser = SSEParser(lastEventID: parser.lastEventID, maximumEventBytes: configuration.maximumEventBytes)
        }
    }

    private enum Connection {
        case over(End)
        /// The stream broke; the server may have requested a wait.
        case dropped(TalariaError, minimumWait: Duration?)
        case stopped(any Error)
    }

    /// Reads until the connection ends, or until two heartbeats are missing.
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
