import Foundation

/// Follows one job: its stream as long as that works, else by polling, and then fetches the results missing from the
/// stream.
///
/// A stream that breaks is reopened and goes on after the last event. As the standard requires, an answer of 204 forbids
/// a reconnect, `Last-Event-ID` contains the last identity that came, and the server's `retry:` is waited for; unlike a
/// browser, the follower gives up after its policy's number of consecutive attempts without an event.
///
/// Source: WHATWG HTML, section 9.2, "Server-sent events".
actor ScanFollower {
    private let client: TalariaClient
    private let stream: URL?
    private let onEvent: @Sendable (ScanEvent) async -> Void
    private var books: RemoteBooks
    private var completion: ScanCompletion?
    private var outcome: ScanOutcome
    private var parser: SSEParser
    /// Events that were understood: the stream works.
    private var understoodEvents = 0
    /// Time of the stream's last activity; nil while the consumer processes an event, as the server is not responsible
    /// for that time.
    private var lastActivity: Duration?

    init(
        client: TalariaClient,
        accepted: ScanAccepted,
        onEvent: @escaping @Sendable (ScanEvent) async -> Void
    ) throws(TalariaError) {
        (self.client, self.onEvent) = (client, onEvent)
        stream = if let stream = accepted.stream { try client.resolve(stream) } else { nil }
        books = RemoteBooks(window: client.configuration.duplicateWindow)
        outcome = ScanOutcome(jobID: accepted.jobID, token: accepted.token)
        parser = SSEParser(maximumEventBytes: client.configuration.maximumEventBytes)
    }

    func run() async throws -> ScanOutcome {
        if let stream { try await followStream(stream) }
        if completion == nil { try await poll() }
        if lacksBooks { try await fetchResults() }
        var last = completion ?? ScanCompletion(jobID: outcome.jobID)
        last.books = books.books
        await onEvent(.completed(last))
        (outcome.books, outcome.summary) = (books.books, last.summary)
        return outcome
    }

    // MARK: - Stream

    /// Reads the stream to its end, or until it does not work: a question may yet be answered then.
    private func followStream(_ url: URL) async throws {
        let retry = client.configuration.retry
        var (failures, wantedWait) = (0, Duration.zero)
        while true {
            let before = understoodEvents
            var minimum = Duration.zero
            do {
                return try await readWatched(url)
            } catch let error as TalariaError {
                switch error {
                case .malformed, .responseTooLarge, .eventTooLarge: return
                case .unreachable, .timedOut: break
                case .refused where !error.isRetryable: throw error
                case .rateLimited, .refused: minimum = error.minimumWait ?? .zero
                default: throw error
                }
            }
            try Task.checkCancellation()
            failures = understoodEvents > before ? 1 : failures + 1
            wantedWait = parser.retry.map { min($0, retry.longestWait) } ?? wantedWait
            guard let delay = retry.delay(afterFailures: failures, minimum: max(minimum, wantedWait)) else { return }
            try await client.time.sleep(delay)
            outcome.reconnects += 1
            parser = SSEParser(
                lastEventID: parser.lastEventID,
                maximumEventBytes: client.configuration.maximumEventBytes
            )
        }
    }

    /// Reads until the connection ends, or until two heartbeats are missing.
    private func readWatched(_ url: URL) async throws {
        lastActivity = client.time.now()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.read(url) }
            group.addTask { try await self.watch() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func watch() async throws {
        let patience = client.configuration.heartbeat * 2
        while true {
            let now = client.time.now()
            let idle = now - (lastActivity ?? now)
            guard idle < patience else {
                throw TalariaError.timedOut(operation: "the stream of \(outcome.jobID)", after: idle)
            }
            try await client.time.sleep(patience - idle)
        }
    }

    private func read(_ url: URL) async throws {
        var call = Call(.stream, .get, url, headers: client.authorization(outcome.token))
        call.request.headers += [("Accept", "text/event-stream"), ("Cache-Control", "no-store")]
        if !parser.lastEventID.isEmpty { call.request.headers.append(("Last-Event-ID", parser.lastEventID)) }
        try await client.exchange(call) { try await self.read($0, call) }
    }

    private func read(_ response: TransportResponse, _ call: Call) async throws {
        lastActivity = client.time.now()
        if response.status == 204 { return }
        guard response.status == 200 else {
            try response.check(try await client.body(of: response, call), call)
            throw TalariaError.malformed(
                operation: call.name,
                reason: "the answer is \(response.status), not a stream"
            )
        }
        guard response.mediaType?.lowercased() == "text/event-stream" else {
            let type = response.mediaType ?? "of no type"
            throw TalariaError.malformed(operation: call.name, reason: "the answer is \(type), not a stream")
        }
        let limit = client.configuration.maximumStreamBytes
        var received = 0
        for try await chunk in response.body {
            received += chunk.count
            guard received <= limit else { throw TalariaError.responseTooLarge(operation: call.name, limit: limit) }
            for event in try parser.push(chunk) {
                lastActivity = nil
                try await process(event)
                if completion != nil { return }
            }
            lastActivity = client.time.now()
        }
        throw TalariaError.unreachable(host: call.host, reason: "the stream ended before its last event")
    }

    private func process(_ event: ServerSentEvent) async throws {
        guard let decoded = try? ScanEvent(name: event.name, data: Data(event.data)) else {
            outcome.malformedEvents += 1
            return
        }
        understoodEvents += 1
        switch decoded {
        case .result(let result): if !books.add(result.book, at: client.time.now()) { return }
        case .completed(let end): return finish(end)
        default: break
        }
        await onEvent(decoded)
        switch decoded {
        case .failed(let problem), .timeout(let problem):
            throw TalariaError.scanFailed(jobID: outcome.jobID, problem)
        case .canceled: throw TalariaError.scanCanceled(jobID: outcome.jobID)
        default: break
        }
    }

    private func finish(_ end: ScanCompletion) {
        for book in end.books ?? [] { _ = books.add(book, at: client.time.now()) }
        completion = end
    }

    // MARK: - Questions

    /// Limits of upstream's client: polls in all, and consecutive failed ones.
    private static let maximumQuestions = 75
    private static let maximumFailures = 4

    /// Asks until the job has ended: for servers without streams (v3.9), and where a stream does not work.
    private func poll() async throws {
        let (job, interval) = (outcome.jobID, client.configuration.pollInterval)
        var failures = 0
        var last: ScanState?
        for _ in 0..<Self.maximumQuestions {
            var wait = interval
            do {
                let state = try await client.status(of: job, token: outcome.token, retry: .never)
                guard state.jobID.lowercased() == job.lowercased() else {
                    throw TalariaError.malformed(operation: "scan \(job)", reason: "the answer belongs to another job")
                }
                failures = 0
                if state != last { await onEvent(.progress(ScanProgress(state))) }
                last = state
                switch state.status {
                case .completed: return finish(ScanCompletion(jobID: job, resultsLocation: state.resultsLocation))
                case .failed: throw TalariaError.scanFailed(jobID: job, state.problem ?? ProblemDetails())
                case .canceled: throw TalariaError.scanCanceled(jobID: job)
                default: break
                }
            } catch let error as TalariaError where error.isRetryable {
                if case .scanFailed = error { throw error }
                failures += 1
                guard failures <= Self.maximumFailures else { throw error }
                wait = min(wait * (1 << (failures - 1)), max(wait, .seconds(4)))
                if case .rateLimited(let state) = error { wait = max(wait, state.remaining) }
            }
            try await client.time.sleep(wait)
        }
        throw TalariaError.timedOut(operation: "scan \(job)", after: interval * Self.maximumQuestions)
    }

    // MARK: - Results

    /// Whether the end arrived without its books; an empty list is the answer only if nothing was found.
    private var lacksBooks: Bool {
        guard let inline = completion?.books else { return true }
        let expected = completion?.summary?.unique ?? completion?.summary?.processed ?? books.books.count
        return inline.isEmpty && expected > 0
    }

    /// Fetches the books; those of the stream replace them only if they are known to be complete.
    private func fetchResults() async throws {
        do {
            let location = completion?.resultsLocation
            let results = try await client.results(of: outcome.jobID, token: outcome.token, location: location)
            for book in results.results { _ = books.add(book, at: client.time.now()) }
            outcome.fetchedResults = true
        } catch let error as TalariaError {
            // Two copies of a book on a shelf count as two.
            let summary = completion?.summary
            let unique = books.books.contains { $0.place != nil } ? summary?.detected : summary?.unique
            guard let expected = unique ?? summary?.processed, books.books.count >= expected else { throw error }
        }
    }
}

extension ScanProgress {
    fileprivate init(_ state: ScanState) {
        self.init(
            jobID: state.jobID,
            progress: state.progress,
            status: state.status.rawValue,
            message: state.stage
        )
        (processedCount, totalCount) = (state.processedCount, state.totalCount)
    }
}
