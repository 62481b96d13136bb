import Foundation
import HTTPServer
import HTTPTypes
import Talaria

extension TalariaServer {
    /// Answers `GET /v3/jobs/scans/{id}/stream` with a job's events as server-sent events.
    func stream(_ request: Request) async throws -> Response {
        guard request.acceptsEvents else {
            throw Problem(.invalidAcceptHeader, "The header Accept must name text/event-stream.")
        }
        let job = try await job(request, needsToken: true)
        let known = try await place(ofEvent: request.headers[.lastEventID], in: job)
        if job.state.isFinal, try await store.events(of: job.id, after: known).isEmpty {
            // Nothing will follow: a browser's EventSource asks again after 200, but not after 204 (HTML, section
            // 9.2.3).
            return Response(status: .noContent)
        }
        let faults = faults?.streamFaults() ?? [:]
        let body = Response.Body.stream { writer in
            var events = EventWriter(faults: faults)
            try await write(job, after: known, with: &events, to: writer)
        }
        return Response(status: .ok, headers: EventWriter.headers, body: body)
    }

    /// Returns the place in the job's events after which to continue.
    ///
    /// Ids may repeat, so the first event of that id counts: twice is better than never. An id that is not known is
    /// taken by its time.
    private func place(ofEvent id: String?, in job: Job) async throws -> Int64 {
        guard let id, let time = JobEvent.milliseconds(of: id) else { return 0 }
        let events = try await store.events(of: job.id)
        let place = events.first { $0.id == id } ?? events.prefix { $0.milliseconds ?? 0 < time }.last
        return place?.sequence ?? 0
    }

    private enum Wake: Sendable { case change, ping }

    private func write(
        _ job: Job,
        after known: Int64,
        with events: inout EventWriter,
        to writer: ResponseWriter
    ) async throws {
        try await writer.write(EventWriter.opening)
        let (wakes, waker) = AsyncStream.makeStream(of: Wake.self)
        let (changes, clock, interval) = (
            signals.changes(of: job.id), clock, Duration.seconds(configuration.pingSeconds)
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in changes { waker.yield(.change) }
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
                if shutdown.hasBegun { return }
                switch wake {
                case .ping:
                    silence += interval
                    guard silence < limits.streamCeiling else {
                        let detail = "The job made no progress for too long."
                        var problem = ProblemDetails(detail: detail, code: .processingTimeout, isRetryable: true)
                        problem.jobID = job.id
                        return try await writer.write(stored(.timeout(problem), of: job.id).bytes)
                    }
                    try await writer.write(events.ping(at: now()))
                case .change:
                    // Read before the events: the one that ended the job is written with them.
                    let isOver = try await store.job(job.id)?.state.isFinal ?? true
                    for event in try await store.events(of: job.id, after: last) {
                        for piece in try events.pieces(of: event) { try await writer.write(piece) }
                        last = event.sequence ?? last
                        silence = .zero
                    }
                    if isOver { return }
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
    private let faults: [FaultPlan.Kind: FaultPlan.Fault]
    private var sent = 0

    init(faults: [FaultPlan.Kind: FaultPlan.Fault]) { self.faults = faults }

    /// Header fields of a stream; the last one asks nginx not to buffer it (ngx_http_proxy_module, `proxy_buffering`).
    static let headers: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: "no-cache", .accelBuffering: "no",
    ]

    static let opening = ": connection established\nretry: 5000\n\n"

    /// Returns bytes that are sent for one event.
    mutating func pieces(of event: JobEvent) throws -> [[UInt8]] {
        if let drop = faults[.drop], sent >= drop.afterEvents ?? 0 { throw InjectedDrop() }
        sent += 1
        var event = event
        if faults[.strippedBooks] != nil, event.name == "completed" { event.data = try Self.withoutBooks(event.data) }
        let bytes = event.bytes
        var pieces = faults[.duplicateEvents] != nil ? [bytes, bytes] : [bytes]
        if faults[.malformedEvents] != nil, !sent.isMultiple(of: 2) {
            let broken = ServerSentEvent(name: "progress", text: "{\"progress\": 0.,, \"oops\"", id: event.id)
            pieces.insert(broken.encoded(), at: 0)
        }
        return pieces
    }

    func ping(at date: Date) -> [UInt8] {
        let data = "{\"timestamp\":\"\(JSON.timestamp(date))\",\"type\":\"ping\"}"
        return ServerSentEvent(name: "ping", text: data).encoded()
    }

    private static func withoutBooks(_ data: String) throws -> String {
        var completion = try WireJSON.decode(ScanCompletion.self, from: Data(data.utf8))
        completion.books = nil
        return String(decoding: try ScanEvent.completed(completion).data(), as: UTF8.self)
    }
}

/// A stream is to break here.
struct InjectedDrop: Error {}
