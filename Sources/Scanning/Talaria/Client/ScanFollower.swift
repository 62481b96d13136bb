import Foundation

/// Follows one job: its stream as long as that works, else by asking, and then fetches what the stream left out.
actor ScanFollower {
    private let client: TalariaClient
    private let accepted: ScanAccepted
    private let stream: URL?
    private let onEvent: @Sendable (ScanEvent) async -> Void
    private var books: BookList
    private var completion: ScanCompletion?
    private var parser: SSEParser
    private var eventCount = 0
    private var malformedEvents = 0
    private var reconnects = 0
    /// When something last came; nil while the consumer is busy with an event, for whose time the server is not blamed.
    private var lastActivity: Duration?

    init(
        client: TalariaClient,
        accepted: ScanAccepted,
        onEvent: @escaping @Sendable (ScanEvent) async -> Void
    ) throws(TalariaError) {
        self.client = client
        self.accepted = accepted
        self.onEvent = onEvent
        stream = if let stream = accepted.stream { try client.resolve(stream) } else { nil }
        books = BookList(window: client.configuration.duplicateWindow)
        parser = SSEParser(maximumEventBytes: client.configuration.maximumEventBytes)
    }

    func run() async throws -> ScanOutcome {
        if let stream { try await followStream(stream) }
        if completion == nil { try await poll() }
        var fetched = false
        if lacksBooks { fetched = try await fetchResults() }
        var last = completion ?? ScanCompletion(jobID: accepted.jobID)
        last.books = books.books
        await onEvent(.completed(last))
        return ScanOutcome(
            jobID: accepted.jobID,
            token: accepted.token,
            books: books.books,
            summary: last.summary,
            duration: last.duration,
            reconnects: reconnects,
            malformedEvents: malformedEvents,
            fetchedResults: fetched
        )
    }

    // MARK: - Stream

    /// End of a connection to the stream.
    private enum StreamEnd {
        /// The job has ended, or there will be no more events: ask instead.
        case over
        /// The connection broke; the server may have asked for a wait.
        case dropped(any Error, minimumWait: Duration?)
    }

    /// Reads the stream, and opens it anew where it breaks; returns when it is over or does not work.
    private func followStream(_ url: URL) async throws {
        var failures = 0
        while true {
            let before = eventCount
            let (error, wait): (any Error, Duration?)
            switch try await readWatched(url) {
            case .over: return
            case .dropped(let reason, let minimum): (error, wait) = (reason, minimum)
            }
            try Task.checkCancellation()
            failures = eventCount > before ? 1 : failures + 1
            let minimum = [wait, parser.retry].compactMap { $0 }.max()
            guard let delay = client.configuration.retry.delay(afterFailures: failures, minimum: minimum) else {
                // Nothing has come since the last few attempts: a question may yet be answered.
                if case TalariaError.wrongPin = error { throw error }
                return
            }
            try await client.time.sleep(delay)
            reconnects += 1
            parser = SSEParser(
                lastEventID: parser.lastEventID,
                maximumEventBytes: client.configuration.maximumEventBytes
            )
        }
    }

    /// Reads the stream until it ends, or until nothing came for two heartbeats.
    private func readWatched(_ url: URL) async throws -> StreamEnd {
        lastActivity = client.time.now()
        return try await withThrowingTaskGroup(of: StreamEnd.self) { group in
            group.addTask { try await self.read(url) }
            group.addTask { try await self.watch() }
            defer { group.cancelAll() }
            guard let end = try await group.next() else { return .over }
            return end
        }
    }

    private func watch() async throws -> StreamEnd {
        let patience = client.configuration.heartbeat * 2
        while true {
            let idle = client.time.now() - (lastActivity ?? client.time.now())
            guard idle < patience else {
                return .dropped(
                    TalariaError.timedOut(operation: "the stream of \(accepted.jobID)", after: idle),
                    minimumWait: nil
                )
            }
            try await client.time.sleep(patience - idle)
        }
    }

    private func read(_ url: URL) async throws -> StreamEnd {
        var headers: [(name: String, value: String)] = [("Accept", "text/event-stream"), ("Cache-Control", "no-store")]
        headers += client.authorization(accepted.token)
        if !parser.lastEventID.isEmpty { headers.append(("Last-Event-ID", parser.lastEventID)) }
        let call = Call(
            endpoint: .stream,
            method: .get,
            url: url,
            headers: headers,
            contentClass: .id,
            timeout: client.configuration.streamCeiling
        )
        do {
            return try await client.exchange(call) { try await read($0, of: call) }
        } catch let error as TalariaError {
            switch error {
            case .unreachable, .timedOut: return .dropped(error, minimumWait: nil)
            case .rateLimited(let state): return .dropped(error, minimumWait: state.remaining)
            case .refused(_, let problem) where error.isRetryable:
                return .dropped(error, minimumWait: problem.retryAfterMs.map { .milliseconds($0) })
            // Not a stream that can be read; the job may be well all the same.
            case .eventTooLarge, .malformed, .responseTooLarge: return .over
            default: throw error
            }
        }
    }

    private func read(_ response: TransportResponse, of call: Call) async throws -> StreamEnd {
        lastActivity = client.time.now()
        guard response.status == 200 else {
            // By the standard, no content means: do not come back.
            if response.status == 204 { return .over }
            var body: [UInt8] = []
            for try await chunk in response.body where body.count < 65_536 { body += chunk }
            try client.check(response, body, of: call)
            return .over
        }
        let type = response.header("Content-Type")?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard type?.lowercased() == "text/event-stream" else {
            throw TalariaError.malformed(
                operation: call.name,
                reason: "the answer is \(type ?? "of no type"), no stream"
            )
        }
        var received = 0
        for try await chunk in response.body {
            received += chunk.count
            guard received <= client.configuration.maximumStreamBytes else {
                throw TalariaError.responseTooLarge(
                    operation: call.name,
                    limit: client.configuration.maximumStreamBytes
                )
            }
            for event in try parser.push(chunk) {
                lastActivity = nil
                try await take(event)
                if completion != nil { return .over }
            }
            lastActivity = client.time.now()
        }
        return .dropped(
            TalariaError.unreachable(host: call.host, reason: "the stream ended before the job did"),
            minimumWait: nil
        )
    }

    private func take(_ event: ServerSentEvent) async throws {
        let decoded: ScanEvent
        do {
            decoded = try ScanEvent(name: event.name, data: Data(event.data))
        } catch {
            malformedEvents += 1
            return
        }
        eventCount += 1
        switch decoded {
        case .result(let result):
            if books.take(result.book, at: client.time.now()) { await onEvent(decoded) }
        case .completed(let end): finish(end)
        case .failed(let problem), .timeout(let problem):
            await onEvent(decoded)
            throw TalariaError.scanFailed(jobID: accepted.jobID, problem)
        case .canceled:
            await onEvent(decoded)
            throw TalariaError.scanCanceled(jobID: accepted.jobID)
        default: await onEvent(decoded)
        }
    }

    private func finish(_ end: ScanCompletion) {
        for book in end.books ?? [] { _ = books.take(book, at: client.time.now()) }
        completion = end
    }

    // MARK: - Questions

    /// Asks until the job has ended: for servers without streams (v3.9), and where a stream does not work.
    private func poll() async throws {
        var failures = 0
        var last: ScanState?
        for _ in 0..<Self.maximumQuestions {
            var wait = client.configuration.pollInterval
            do {
                let state = try await client.perform(
                    client.jobCall(.status, .get, accepted.jobID, token: accepted.token),
                    as: ScanState.self,
                    retry: .never
                )
                guard state.jobID.lowercased() == accepted.jobID.lowercased() else {
                    throw TalariaError.malformed(
                        operation: "scan \(accepted.jobID)",
                        reason: "the answer is of another job"
                    )
                }
                failures = 0
                if state != last { await tell(state) }
                last = state
                switch state.status {
                case .completed:
                    return finish(ScanCompletion(jobID: accepted.jobID, resultsLocation: state.resultsLocation))
                case .failed:
                    throw TalariaError.scanFailed(jobID: accepted.jobID, state.problem ?? ProblemDetails())
                case .canceled: throw TalariaError.scanCanceled(jobID: accepted.jobID)
                case .queued, .processing, .unknown: break
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
        throw TalariaError.timedOut(
            operation: "scan \(accepted.jobID)",
            after: client.configuration.pollInterval * Self.maximumQuestions
        )
    }

    /// Limits of upstream's client: so many questions, and so many in a row that fail.
    private static let maximumQuestions = 75
    private static let maximumFailures = 4

    private func tell(_ state: ScanState) async {
        var progress = ScanProgress(jobID: state.jobID, progress: state.progress, status: state.status.name)
        progress.message = state.stage?.rawValue
        (progress.processedCount, progress.totalCount) = (state.processedCount, state.totalCount)
        await onEvent(.progress(progress))
    }

    // MARK: - Results

    /// Whether the end came without its books; an empty list is the answer only where nothing was found.
    private var lacksBooks: Bool {
        guard let inline = completion?.books else { return true }
        let expected = completion?.summary?.unique ?? completion?.summary?.processed ?? books.books.count
        return inline.isEmpty && expected > 0
    }

    /// Fetches the books; what the stream brought stands in for them only where it is known to be all.
    private func fetchResults() async throws -> Bool {
        do {
            let results = try await client.results(
                of: accepted.jobID,
                token: accepted.token,
                location: completion?.resultsLocation
            )
            for book in results.books { _ = books.take(book, at: client.time.now()) }
            return true
        } catch let error as TalariaError {
            // Of a shelf, two copies of a book count as two.
            let summary = completion?.summary
            let unique = books.books.contains { $0.place != nil } ? summary?.detected : summary?.unique
            guard let expected = unique ?? summary?.processed, books.books.count >= expected
            else { throw error }
            return false
        }
    }
}
