import Foundation

/// Follows one job: its stream as long as that works, else by polling, and then fetches the results missing from the
/// stream.
actor ScanFollower {
    private let client: TalariaClient
    private let accepted: ScanAccepted
    private let stream: URL?
    private let onEvent: @Sendable (ScanEvent) async -> Void
    private var books: BookList
    private var completion: ScanCompletion?
    private var malformedEvents = 0
    private var reconnects = 0

    init(
        client: TalariaClient,
        accepted: ScanAccepted,
        onEvent: @escaping @Sendable (ScanEvent) async -> Void
    ) throws(TalariaError) {
        (self.client, self.accepted, self.onEvent) = (client, accepted, onEvent)
        stream = if let stream = accepted.stream { try client.resolve(stream) } else { nil }
        books = BookList(window: client.configuration.duplicateWindow)
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

    /// Reads the stream to its end, or until it does not work: a question may yet be answered then.
    private func followStream(_ url: URL) async throws {
        let settings = client.configuration
        let source = EventSource(
            url,
            headers: client.authorization(accepted.token) + client.ownHeaders,
            operation: "the stream of \(accepted.jobID)",
            over: client.transport,
            note: TransferNote(endpoint: .stream, contentClass: .id, onTransfer: client.onTransfer),
            configuration: EventSource.Configuration(
                retry: settings.retry,
                heartbeat: settings.heartbeat,
                maximumStreamBytes: settings.maximumStreamBytes,
                maximumEventBytes: settings.maximumEventBytes
            ),
            clock: client.time.clock
        )
        _ = try await source.run { try await self.take($0) }
        reconnects = await source.reconnects
    }

    private func take(_ event: ServerSentEvent) async throws -> EventSource.Use {
        let decoded: ScanEvent
        do {
            decoded = try ScanEvent(name: event.name, data: Data(event.data))
        } catch {
            malformedEvents += 1
            return .passedOver
        }
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
        return completion == nil ? .taken : .last
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
                        reason: "the answer belongs to another job"
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

    /// Limits of upstream's client: polls in all, and consecutive failed ones.
    private static let maximumQuestions = 75
    private static let maximumFailures = 4

    private func tell(_ state: ScanState) async {
        var progress = ScanProgress(jobID: state.jobID, progress: state.progress, status: state.status.name)
        progress.message = state.stage?.rawValue
        (progress.processedCount, progress.totalCount) = (state.processedCount, state.totalCount)
        await onEvent(.progress(progress))
    }

    // MARK: - Results

    /// Whether the end arrived without its books; an empty list is the answer only if nothing was found.
    private var lacksBooks: Bool {
        guard let inline = completion?.books else { return true }
        let expected = completion?.summary?.unique ?? completion?.summary?.processed ?? books.books.count
        return inline.isEmpty && expected > 0
    }

    /// Fetches the books; those of the stream replace them only if they are known to be complete.
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
            // Two copies of a book on a shelf count as two.
            let summary = completion?.summary
            let unique = books.books.contains { $0.place != nil } ? summary?.detected : summary?.unique
            guard let expected = unique ?? summary?.processed, books.books.count >= expected
            else { throw error }
            return false
        }
    }
}
