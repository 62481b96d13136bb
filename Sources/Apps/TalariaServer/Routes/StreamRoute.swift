import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle
import Talaria

extension TalariaServer {
    /// Answers `GET /v3/jobs/scans/{id}/stream` with a job's events as server-sent events.
    func stream(_ request: Request, context: TalariaContext) async throws -> Response {
        let rate = try await limiter.admit(client: DeviceID(of: request).text, .others)
        guard request.headers[.accept]?.lowercased().contains("text/event-stream") == true else {
            throw Problem(
                status: .badRequest,
                code: .invalidAcceptHeader,
                detail: "The header Accept must name text/event-stream."
            )
        }
        let job = try await job(request, context, proof: .token)
        let known = try await place(ofEvent: request.headers[.lastEventID], in: job)
        if job.state.isFinal, try await store.events(of: job.id, after: known).isEmpty {
            // Nothing will follow: a browser's EventSource asks again after 200, but not after 204 (HTML, section
            // 9.2.3).
            return Response(status: .noContent, headers: rate)
        }
        let faults = faults?.streamFaults() ?? StreamFaults()
        let channel = context.channel
        return Response(
            status: .ok,
            headers: rate + EventWriter.headers,
            body: ResponseBody { writer in
                var events = EventWriter(faults: faults)
                do {
                    try await write(job, after: known, with: &events, to: &writer)
                } catch is InjectedDrop {
                    metrics.fault("drop")
                    return channel.close(promise: nil)
                }
                try await writer.finish(nil)
            }
        )
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
        to writer: inout any ResponseBodyWriter
    ) async throws {
        try await writer.write(EventWriter.opening)
        let (wakes, waker) = AsyncStream.makeStream(of: Wake.self)
        let (changes, clock, interval) = (signals.changes(of: job.id), clock, configuration.pingInterval)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in changes { waker.yield(.change) }
            }
            group.addTask {
                try await gracefulShutdown()
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
