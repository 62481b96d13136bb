import Foundation
import TestSupport
import Testing

@testable import Talaria

@Suite(.inTurns, .endsWhatHangs) struct ScanTests {
    /// Modelled on the transcript of a real scan in the requirements, section 2.1, with two books for five.
    static let transcript = """
        : connection established
        retry: 5000

        id: 1770144148771-initial
        event: progress
        data: {"type":"progress","jobId":"j","status":"processing","progress":0.05,"processedCount":0,"totalCount":1}

        id: 1770144148800-progress
        event: progress
        data: {"message":"analyzing_image","progress":0.1,"timestamp":"2026-02-03T18:42:28Z"}

        id: 1770144148800-progress
        event: result
        data: {"status":"enriching_metadata","progress":0.63,"currentItem":"Emma",
        data: "book":{"title":"Emma","author":"Jane Austen","isbn":null,"enrichmentStatus":"review_needed"}}

        id: 1770144148700-result
        event: result
        data: {"progress":0.7,"title":"Dune","authors":["Frank Herbert"],"isbn":"unknown"}

        event: weather
        data: {"sunny":true}


        """
    static let end = """
        id: 1770144160000-completed
        event: completed
        data: {"progress":1,"summary":{"total_processed":2,"enriched":2},"books":[{"title":"Emma","author":"Jane Austen","isbn":"9780141439587","confidence":0.95},{"title":"Dune","author":"Frank Herbert"}]}


        """
    static let strippedEnd = """
        event: completed
        data: {"type":"complete","jobId":"j","resultsUrl":"/v3/jobs/scans/j/results","summary":{"total_processed":2}}


        """

    @Test func everyBookComesOnceThoughItIsSentTwice() async throws {
        let answer =
            #"{"success":true,"data":{"jobId":"j","status":"queued","streamUrl":"/v3/jobs/scans/j/stream","token":"t0"}}"#
        // The second end comes ten seconds later from the real server.
        let stream = scanStream(Self.transcript + Self.end + Self.strippedEnd)
        try await ClientFixture.run(answer: scanServer(accepted: answer, stream: stream)) { fixture in
            let events = ClientFixture.Events()
            let scan = UUID()
            let outcome = try await fixture.client.scan([photo, photo], id: scan) { events.add($0) }
            #expect(outcome.books.map(\.title) == ["Emma", "Dune"])
            #expect(outcome.books.map(\.isbn) == ["9780141439587", nil])
            #expect(outcome.books.map(\.authors) == [["Jane Austen"], ["Frank Herbert"]])
            #expect(outcome.summary == ScanSummary(processed: 2, enriched: 2))
            #expect(outcome.cleanedUp == true)
            #expect(!outcome.fetchedResults)
            #expect(events.names == ["progress", "progress", "result", "result", "weather", "completed"])
            #expect(
                fixture.server.lines == [
                    "POST /v3/jobs/scans", "GET /v3/jobs/scans/j/stream", "DELETE /v3/jobs/scans/j/cleanup",
                ]
            )
            let upload = fixture.server.requests[0]
            #expect(upload.header("X-Device-ID") == device.uuidString)
            #expect(upload.header("Accept") == "text/event-stream")
            #expect(upload.header("Accept-Encoding") == "gzip")
            #expect(upload.header("Idempotency-Key") == scan.uuidString)
            #expect(upload.header("Authorization") == nil)
            #expect(upload.header("X-Transfer-Meter") == nil)
            for request in fixture.server.requests.dropFirst() {
                #expect(request.header("Authorization") == "Bearer t0")
                #expect(request.header("X-Device-ID") == device.uuidString)
            }
            #expect(fixture.server.requests[1].header("Last-Event-ID") == nil)
        }
    }

    @Test func photosAreSentAsPartsInOrder() {
        let body = Photo.body(of: [Photo(jpeg: [1, 2]), Photo(jpeg: [3])], boundary: "b")
        let head =
            "Content-Disposition: form-data; name=\"photos[]\"; filename=\"spine.jpg\"\r\n"
            + "Content-Type: image/jpeg\r\n\r\n"
        let expected = "--b\r\n\(head)\u{1}\u{2}\r\n--b\r\n\(head)\u{3}\r\n--b--\r\n"
        #expect(String(decoding: body, as: UTF8.self) == expected)
    }

    @Test func photosThatTheServerWouldRefuseAreNotSent() async throws {
        try await ClientFixture.run(answer: scanServer()) { fixture in
            let large = Photo(jpeg: [UInt8](repeating: 0, count: 10_000_001))
            for photos in [[], [Photo](repeating: photo, count: 6), [Photo(jpeg: [])], [large]] {
                let error = await #expect(throws: TalariaError.self) { try await fixture.client.upload(photos) }
                guard case .badPhotos = error else { return unexpected(error) }
            }
            #expect(fixture.server.requests.isEmpty)
        }
    }

    // MARK: - One stream

    /// A stream, and the books of its scan.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var stream: String
        var type = "text/event-stream"
        /// Whether the server leaves the stream open, and the client has to close it.
        var isOpen = false
        var changes: [ClientFixture.Change] = []
        var titles = ["From results"]
        var malformed = 0
        /// Requests after the one for the stream, without the clean-up.
        var requests = [status, results]

        static let status = "GET /v3/jobs/scans/j"
        static let results = "GET /v3/jobs/scans/j/results"
    }

    static let rows = [
        Row(testDescription: "books left out", stream: strippedEnd, requests: [Row.results]),
        Row(
            testDescription: "results elsewhere are looked for where they ought to be too",
            stream: "event: completed\ndata: {\"resultsUrl\":\"/v3/jobs/ai_scan/scans/j/results\"}\n\n",
            requests: ["GET /v3/jobs/ai_scan/scans/j/results", Row.results]
        ),
        Row(
            testDescription: "a scan that found nothing",
            stream: "event: completed\ndata: {\"books\":[],\"summary\":{\"total_processed\":0}}\n\n",
            titles: [],
            requests: []
        ),
        Row(
            testDescription: "events that cannot be read",
            stream: "event: result\ndata: {\"book\":{\"ti\n\nevent: progress\ndata: no\n\n" + end,
            titles: ["Emma", "Dune"],
            malformed: 2,
            requests: []
        ),
        Row(testDescription: "HTML", stream: end, type: "text/html"),
        Row(testDescription: "JSON", stream: end, type: "application/json; charset=utf-8"),
        Row(testDescription: "another type", stream: end, type: "text/event-streams"),
        Row(
            testDescription: "an event beyond the limit",
            stream: "data: " + String(repeating: "x", count: 5000),
            isOpen: true,
            changes: [.set(\.maximumEventBytes, 4096)]
        ),
        Row(
            testDescription: "a stream beyond the limit",
            stream: String(repeating: "data: taken\n\n", count: 200),
            isOpen: true,
            changes: [.set(\.maximumStreamBytes, 1000)]
        ),
    ]

    @Test(arguments: rows) func anyStreamEndsInBooks(_ row: Row) async throws {
        let server = scanServer(stream: scanStream(row.stream, type: row.type, isOpen: row.isOpen))
        try await ClientFixture.run(row.changes, answer: server) { fixture in
            let events = ClientFixture.Events()
            let outcome = try await fixture.client.scan([photo]) { events.add($0) }
            #expect(outcome.books.map(\.title) == row.titles)
            #expect(outcome.malformedEvents == row.malformed)
            #expect(outcome.fetchedResults == row.requests.contains(Row.results))
            let lines = ["POST /v3/jobs/scans", "GET /v3/jobs/scans/j/stream"] + row.requests
            #expect(fixture.server.lines == lines + ["DELETE /v3/jobs/scans/j/cleanup"])
            guard case .completed(let end) = events.all.last else { return unexpected(events.all) }
            #expect(end.books?.map(\.title) == row.titles)
        }
    }

    @Test func aJobThatFailedIsAnErrorThatSaysWhy() async throws {
        let failure = #"{"message":"too dark","code":"IMAGE_QUALITY_LOW","retryable":false,"jobId":"j"}"#
        var problem = ProblemDetails(detail: "too dark", code: .imageQualityLow, isRetryable: false)
        problem.jobID = "j"
        for (event, error) in [
            ("failed\ndata: \(failure)", TalariaError.scanFailed(jobID: "j", problem)),
            ("canceled\ndata: {}", .scanCanceled(jobID: "j")),
        ] {
            let server = scanServer(stream: scanStream("event: \(event)\n\n", isOpen: true))
            try await ClientFixture.run(answer: server) { fixture in
                await #expect(throws: error) { try await fixture.client.scan([photo]) }
                // Nothing was fetched, so nothing may be removed.
                #expect(!fixture.server.lines.contains { $0.hasPrefix("DELETE") })
                await fixture.server.clientClosed()
            }
            #expect(!error.isRetryable)
        }
    }

    @Test(arguments: ["http://127.0.0.1:1/v3/jobs/scans/j/stream", "//other.example/s", "https://localhost/s"])
    func theTokenIsNotSentToAnotherServer(_ stream: String) async throws {
        let answer = #"{"jobId":"j","streamUrl":"\#(stream)"}"#
        try await ClientFixture.run(answer: scanServer(accepted: answer)) { fixture in
            let error = await #expect(throws: TalariaError.self) { try await fixture.client.scan([photo]) }
            guard case .foreignAddress = error else { return unexpected(error) }
            #expect(fixture.server.lines == ["POST /v3/jobs/scans"])
        }
    }

    // MARK: - Several streams

    /// Waits of upstream's library (S4-07).
    static let patient = ClientFixture.Change.set(
        \.retry,
        RetryPolicy(delays: [5, 10, 20, 30, 30].map { .seconds($0) })
    )

    @Test func aStreamThatBreaksIsTakenUpWhereItBroke() async throws {
        let connection = Counter()
        let handler = scanServer { request, reply in
            try await reply.stream()
            #expect(request.header("Accept") == "text/event-stream")
            switch connection.next() {
            case 1:
                #expect(request.header("Last-Event-ID") == nil)
                try await reply.chunk(Self.transcript)
                // Broken within an event, which therefore never was.
                try await reply.chunk("id: 99\nevent: completed\ndata: {\"boo")
                return .close
            default:
                #expect(request.header("Last-Event-ID") == "1770144148700-result")
                // Earlier events are sent again.
                try await reply.chunk(Self.transcript + Self.end)
                return try await reply.end()
            }
        }
        try await ClientFixture.run(answer: handler) { fixture in
            let events = ClientFixture.Events()
            async let scan = fixture.client.scan([photo]) { events.add($0) }
            // The server's own wait, which is longer than the policy's first.
            await fixture.clock.advance(whenSomebodySleeps: .seconds(5))
            let outcome = try await scan
            #expect(outcome.reconnects == 1)
            #expect(outcome.books.map(\.title) == ["Emma", "Dune"])
            #expect(events.names.filter { $0 == "result" }.count == 2)
            #expect(events.names.filter { $0 == "completed" }.count == 1)
            #expect(fixture.ledger.transfers.filter { $0.endpoint == .stream }.map(\.status) == [200, 200])
        }
    }

    /// A last event that could not be read: the stream is asked for again, 204 ends it, and the state and results are
    /// asked for.
    @Test func aStreamThatHasNoMoreIsNotAskedForAgain() async throws {
        let calls = Counter()
        let handler = scanServer { request, reply in
            guard calls.next() == 1 else {
                #expect(request.header("Last-Event-ID") == "7-completed")
                return try await reply.answer(204)
            }
            return try await scanStream("id: 7-completed\nevent: completed\ndata: {\"books\": [oops\n\n")(
                request,
                reply
            )
        }
        try await ClientFixture.run(answer: handler) { fixture in
            async let scan = fixture.client.scan([photo])
            await fixture.clock.advance(whenSomebodySleeps: .seconds(1))
            let outcome = try await scan
            #expect(outcome.books.map(\.title) == ["From results"])
            #expect(outcome.malformedEvents == 1)
            #expect(
                fixture.server.lines == [
                    "POST /v3/jobs/scans", "GET /v3/jobs/scans/j/stream", "GET /v3/jobs/scans/j/stream",
                    "GET /v3/jobs/scans/j", "GET /v3/jobs/scans/j/results", "DELETE /v3/jobs/scans/j/cleanup",
                ]
            )
        }
    }

    /// Events that cannot be read are not a sign that the stream works.
    @Test(arguments: [([], "", [1, 2, 4]), ([patient], "event: progress\ndata: no\n\n", [5, 10, 20, 30, 30])])
    func aStreamThatKeepsBreakingIsGivenUpForQuestions(
        _ changes: [ClientFixture.Change],
        _ text: String,
        _ waits: [Int]
    ) async throws {
        let handler = scanServer { _, reply in
            try await reply.stream()
            if !text.isEmpty { try await reply.chunk(text) }
            return .close
        }
        try await ClientFixture.run(changes, answer: handler) { fixture in
            async let scan = fixture.client.scan([photo])
            for seconds in waits { await fixture.clock.advance(whenSomebodySleeps: .seconds(seconds)) }
            let outcome = try await scan
            #expect(outcome.reconnects == waits.count)
            #expect(outcome.books.map(\.title) == ["From results"])
            #expect(fixture.server.lines.filter { $0.hasSuffix("/stream") }.count == waits.count + 1)
            #expect(fixture.server.lines.suffix(3).first == "GET /v3/jobs/scans/j")
        }
    }

    /// The policy's wait is the minimum, and 30 s the maximum, for any wait of the server; it holds for later waits
    /// too.
    @Test(arguments: [("", 5), ("retry: 1\n", 5), ("retry: 12000\n", 12), ("retry: 86400000\n", 30)])
    func theServersWaitIsHeededWithinBounds(line: String, seconds: Int) async throws {
        let connection = Counter()
        let handler = scanServer { _, reply in
            try await reply.stream()
            switch connection.next() {
            case 1: try await reply.chunk("\(line)event: ping\ndata: {}\n\n")
            case 2: try await reply.chunk("event: ping\ndata: {}\n\n")
            default: try await reply.chunk(Self.end)
            }
            return .close
        }
        try await ClientFixture.run([Self.patient], answer: handler) { fixture in
            async let scan = fixture.client.scan([photo])
            for _ in 0..<2 { await fixture.clock.advance(whenSomebodySleeps: .seconds(seconds)) }
            let outcome = try await scan
            #expect(outcome.reconnects == 2)
            #expect(outcome.books.count == 2)
        }
    }

    /// 503 may pass, and its `Retry-After` is waited for; 401 does not.
    @Test func refusalsOfAStream() async throws {
        let connection = Counter()
        let handler = scanServer { _, reply in
            if connection.next() == 1 { return try await reply.answer(503, "{}", ["Retry-After": "9"]) }
            return try await reply.answer(401, #"{"code":"UNAUTHORIZED"}"#)
        }
        try await ClientFixture.run(answer: handler) { fixture in
            async let scan = fixture.client.scan([photo])
            await fixture.clock.advance(whenSomebodySleeps: .seconds(9))
            do {
                _ = try await scan
                Issue.record("it was no refusal")
            } catch TalariaError.refused(_, let problem) {
                #expect(problem.status == 401)
            }
        }
    }

    @Test func aSilentStreamIsDroppedAfterTwoHeartbeats() async throws {
        let connection = Counter()
        let handler = scanServer { request, reply in
            guard connection.next() > 1 else {
                return try await scanStream("event: ping\ndata: {}\n\n", isOpen: true)(request, reply)
            }
            return try await scanStream(Self.end)(request, reply)
        }
        try await ClientFixture.run([.set(\.streamCeiling, .seconds(36_000))], answer: handler) { fixture in
            let events = ClientFixture.Events()
            async let scan = fixture.client.scan([photo]) { events.add($0) }
            while events.all.isEmpty { await Task.yield() }
            // More than once where the clock was moved before the ping had been noted.
            while fixture.server.closedByClient == 0 {
                if fixture.clock.sleepers.contains(.seconds(60)) { fixture.clock.advance(by: .seconds(60)) }
                await Task.yield()
            }
            await fixture.clock.advance(whenSomebodySleeps: .seconds(1))
            let outcome = try await scan
            #expect(outcome.reconnects == 1)
            #expect(outcome.books.count == 2)
        }
    }

    @Test func aScanIsNotFollowedForEver() async throws {
        let server = scanServer(stream: scanStream(": \n", isOpen: true))
        try await ClientFixture.run([.set(\.heartbeat, .seconds(3600))], answer: server) { fixture in
            let scan = Task { try await fixture.client.scan([photo]) }
            await fixture.clock.advance(whenSomebodySleeps: .seconds(300))
            await #expect(throws: TalariaError.timedOut(operation: "scan j", after: .seconds(300))) {
                try await scan.value
            }
        }
    }

    @Test func aServerWithoutStreamsIsAsked() async throws {
        let question = Counter()
        let base = scanServer(accepted: #"{"success":true,"data":{"jobId":"j","status":"queued"}}"#)
        let handler: LoopbackServer.Handler = { request, reply in
            guard request.method == "GET", request.path == "/v3/jobs/scans/j" else {
                return try await base(request, reply)
            }
            return switch question.next() {
            case 1: try await reply.answer(200, #"{"jobId":"j","status":"initialized"}"#)
            case 2: try await reply.answer(503)
            case 3: try await reply.answer(200, #"{"jobId":"j","status":"processing","progress":0.5}"#)
            default: try await reply.answer(200, #"{"jobId":"j","status":"completed"}"#)
            }
        }
        try await ClientFixture.run(answer: handler) { fixture in
            let events = ClientFixture.Events()
            async let scan = fixture.client.scan([photo]) { events.add($0) }
            for _ in 0..<3 { await fixture.clock.advance(whenSomebodySleeps: .seconds(2)) }
            let answer = try await scan.books.map(\.title)
            #expect(answer == ["From results"])
            #expect(events.names == ["progress", "progress", "progress", "completed"])
        }
    }

    // MARK: - The consumer

    /// A slow consumer holds the server back: unrequested data does not accumulate here (S2-10).
    @Test func aSlowConsumerHoldsTheServerBack() async throws {
        let (megabytes, comment) = (48, ": " + String(repeating: "x", count: (1 << 20) - 4) + "\n\n")
        let handler = scanServer { _, reply in
            try await reply.stream()
            try await reply.chunk(Self.transcript)
            for _ in 0..<megabytes { try await reply.chunk(comment) }
            try await reply.chunk(Self.end)
            return try await reply.end()
        }
        try await ClientFixture.run([.set(\.maximumEventBytes, 2 << 20)], answer: handler) { fixture in
            let (gate, open) = AsyncStream<Void>.makeStream()
            let (busy, isBusy) = AsyncStream<Void>.makeStream()
            async let scan = fixture.client.scan([photo]) { event in
                guard case .result = event else { return }
                isBusy.yield()
                for await _ in gate { return }
            }
            for await _ in busy { break }
            // Until the server cannot send any more; without anything to hold it back, that is when all is sent.
            var (sent, quiet) = (0, 0)
            while quiet < 100 {
                try await Task.sleep(for: .milliseconds(5))
                let now = fixture.server.bytes.sent
                (sent, quiet) = (now, now == sent ? quiet + 1 : 0)
            }
            #expect(sent < megabytes << 19, "\(sent) bytes were taken in while nobody asked for them")
            open.finish()
            let outcome = try await scan
            #expect(outcome.books.map(\.title) == ["Emma", "Dune"] && outcome.reconnects == 0)
        }
    }

    @Test func cancellingTheTaskClosesTheConnection() async throws {
        try await ClientFixture.run(answer: scanServer(stream: scanStream(Self.transcript, isOpen: true))) { fixture in
            let (results, seen) = AsyncStream<Void>.makeStream()
            let scan = Task {
                try await fixture.client.scan([photo]) { if case .result = $0 { seen.yield() } }
            }
            for await _ in results { break }
            scan.cancel()
            await #expect(throws: CancellationError.self) { try await scan.value }
            await fixture.server.clientClosed()
            #expect(fixture.ledger.transfers.map(\.endpoint) == [.upload, .stream])
        }
    }

    @Test(arguments: [(404, true), (410, true), (500, false), (503, false)])
    func aCleanupIsAskedForOnceAndCostsNothing(_ status: Int, _ isClean: Bool) async throws {
        let base = scanServer(stream: scanStream(Self.end))
        try await ClientFixture.run { request, reply in
            request.method == "DELETE" ? try await reply.answer(status) : try await base(request, reply)
        } test: { fixture in
            let outcome = try await fixture.client.scan([photo])
            #expect(outcome.books.count == 2)
            #expect(outcome.cleanedUp == isClean)
            #expect(fixture.server.lines.filter { $0 == "DELETE /v3/jobs/scans/j/cleanup" }.count == 1)
        }
    }
}
