import Foundation
import HTTPServer
import HTTPTypes
import Talaria

extension TalariaServer {
    /// Answers `GET /v3/jobs/scans/{id}/stream` with a job's events as server-sent events.
    func stream(_ request: Request) async throws -> Response {
        let rate = try await limiter.admit(client: DeviceID(of: request).text, .others)
        guard request.acceptsEvents else {
            throw Problem(.badRequest, .invalidAcceptHeader, "The header Accept must name text/event-stream.")
        }
        let job = try await job(request, proof: .token)
        let known = try await place(ofEvent: request.headers[.lastEventID], in: job)
        if job.state.isFinal, try await store.events(of: job.id, after: known).isEmpty {
            // Nothing will follow: a browser's EventSource asks again after 200, but not after 204 (HTML, section
            // 9.2.3).
            return Response(status: .noContent, headers: rate)
        }
        let faults = faults?.streamFaults() ?? StreamFaults()
        let body = Response.Body.stream { writer in
            var events = EventWriter(faults: faults)
            do {
                try await write(job, after: known, with: &events, to: writer)
            } catch let drop as InjectedDrop {
                metrics.fault("drop")
                throw drop
            }
        }
        return Response(status: .ok, headers: rate + EventWriter.headers, body: body)
    }

    /// Returns the place in the job's events after which to continue.
    ///
    /// Ids may repeat, so the first event of that id counts: twice is better than never. An id that is not known is
    /// taken by its time.
    private func place(ofEvent id: String?, in job: Job) async throws -> Int64 {
        guard let id, let time = id.split(separator: "-").first.flatMap({ Int64($0) }) else { return 0 }
        let events = try await store.events(of: job.id, after: 0)
        if let exact = events.first(where: { $0.id == id }) { return exact.sequence }
        let earlier = events.prefix { $0.id.split(separator: "-").first.flatMap { Int64($0) } ?? 0 < time }
        return earlier.last?.sequence ?? 0
    }

    private enum Wake: Sendable {
        case change
        case ping
        case shutdown
    }

    private func write(
        _ job: Job,
        after known: Int64,
        with events: inout EventWriter,
        to writer: ResponseWriter
    ) async throws {
        try await writer.write(EventWriter.opening)
        let (wakes, waker) = AsyncStream.makeStream(of: Wake.self)
        let (changes, clock, interval) = (signals.changes(of: job.id), clock, configuration.pingInterval)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in changes { waker.yield(.change) }
            }
            group.addTask {
                await shutdown.wait()
                waker.yield(.shutdown)
            }
            group.addTask {
                while true {
                    try await clock.sleep(for: interval)
                    waker.yield(.ping)
                }
            }
            defer { group.cancelAll() }
            var last = known
            var silence = Duration.zero
            for await wake in wakes {
                switch wake {
                case .ping:
                    silence += interval
                    guard silence < configuration.streamCeiling else {
                        return try await writer.write(events.timeout(of: job.id, at: now()))
                    }
                    try await writer.write(events.ping(at: now()))
                case .change:
                    for event in try await store.events(of: job.id, after: last) {
                        if event.isSecondCompletion { try await clock.sleep(for: configuration.secondCompletionDelay) }
                        for piece in try events.pieces(of: event) { try await writer.write(piece) }
                        last = event.sequence
                        silence = .zero
                    }
                    // Read after the events: the event that ended the job is written with them.
                    guard let state = try await store.state(of: job.id), !state.isFinal else {
                        if try await store.events(of: job.id, after: last).isEmpty { return }
                        waker.yield(.change)
                        continue
                    }
                case .shutdown: return
                }
            }
        }
    }
}

extension Request {
    /// Whether the client asks for a stream of events.
    var acceptsEvents: Bool { headers[.accept]?.lowercased().contains("text/event-stream") == true }
}

/// Writer of a stream's events, with the faults of that stream.
struct EventWriter {
    var faults: StreamFaults
    private var sent = 0

    init(faults: StreamFaults) { self.faults = faults }

    /// Header fields of a stream; the last one asks nginx not to buffer it (ngx_http_proxy_module, `proxy_buffering`).
    static let headers: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: "no-cache", .accelBuffering: "no",
    ]

    static let opening = ": connection established\nretry: 5000\n\n"

    /// Returns bytes that are sent for one event.
    mutating func pieces(of event: JobEvent) throws -> [[UInt8]] {
        if let dropAfter = faults.dropAfter, sent >= dropAfter { throw InjectedDrop() }
        sent += 1
        var data = event.data
        if faults.isStripped, event.name == "completed" { data = try Self.withoutBooks(data) }
        let bytes = ServerSentEvent(name: event.name, text: data, id: event.id).encoded()
        var pieces = faults.isDoubled ? [bytes, bytes] : [bytes]
        if faults.isMalformed, !sent.isMultiple(of: 2) {
            let broken = ServerSentEvent(name: "progress", text: "{\"progress\": 0.,, \"oops\"", id: event.id)
            pieces.insert(broken.encoded(), at: 0)
        }
        return pieces
    }

    func ping(at date: Date) -> [UInt8] {
        let data = "{\"timestamp\":\"\(JSON.timestamp(date))\",\"type\":\"ping\"}"
        return ServerSentEvent(name: "ping", text: data).encoded()
    }

    /// - Returns: the event that ends a stream without progress.
    func timeout(of job: String, at date: Date) throws -> [UInt8] {
        let detail = "The job made no progress for too long."
        var problem = ProblemDetails(detail: detail, code: .processingTimeout, isRetryable: true)
        problem.jobID = job
        let event = ScanEvent.timeout(problem)
        let milliseconds = Int64(date.timeIntervalSince1970 * 1_000)
        let data = [UInt8](try event.data())
        return ServerSentEvent(name: event.name, data: data, id: "\(milliseconds)-timeout").encoded()
    }

    private static func withoutBooks(_ data: String) throws -> String {
        var completion = try WireJSON.decode(ScanCompletion.self, from: Data(data.utf8))
        completion.books = nil
        return String(decoding: try ScanEvent.completed(completion).data(), as: UTF8.self)
    }
}

/// A stream is to break here.
struct InjectedDrop: Error {}

extension JobEvent {
    /// The last event of a job that went well.
    var isSecondCompletion: Bool { id.hasSuffix("-\(Self.lastType)") }
}
