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
        let handler = scanServer(accepted: answer) { _, reply in
            try await reply.stream()
            try await reply.chunk(Self.transcript)
            try await reply.chunk(Self.end)
            // The second end, which the real server sends ten seconds later.
            try await reply.chunk(Self.strippedEnd)
            return try await reply.end()
        }
        try await ClientFixture.run(answer: handler) { fixture in
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

    /// A last event that could not be read: the stream is asked for again, 204 ends it, and the state and results are
    /// asked for.
    @Test func aStreamThatHasNoMoreIsNotAskedForAgain() async throws {
        let calls = Counter()
        let handler = scanServer { request, reply in
            guard calls.next() == 1 else {
                #expect(request.header("Last-Event-ID") == "7-completed")
                return try await reply.answer(204)
            }
            try await reply.stream()
            try await reply.chunk("id: 7-completed\nevent: completed\ndata: {\"books\": [oops\n\n")
            return try await reply.end()
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

    @Test func photosAreSentAsPartsInOrder() {
        let body = MultipartBody(photos: [Photo(jpeg: [1, 2]), Photo(jpeg: [3])], boundary: "b")
        #expect(body.contentType == "multipart/form-data; boundary=b")
        let head =
            "Content-Disposition: form-data; name=\"photos[]\"; filename=\"spine.jpg\"\r\n"
            + "Content-Type: image/jpeg\r\n\r\n"
        let expected = "--b\r\n\(head)\u{1}\u{2}\r\n--b\r\n\(head)\u{3}\r\n--b--\r\n"
        #expect(String(decoding: body.bytes, as: UTF8.self) == expected)
    }

    @Test func photosThatTheServerWouldRefuseAreNotSent() async throws {
        try await ClientFixture.run(answer: scanServer()) { fixture in
            let large = Photo(jpeg: [UInt8](repeating: 0, count: 10_000_001))
            for photos in [[], [Photo](repeating: photo, count: 6), [Photo(jpeg: [])], [large]] {
                let error = await #expect(throws: TalariaError.self) { try await fixture.client.upload(photos) }
                guard case .badPhotos = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
            #expect(fixture.server.requests.isEmpty)
        }
    }

    @Test func booksThatWereLeftOutAreFetchedBeforeTheCleanup() async throws {
        let handler = scanServer { _, reply in
            try await reply.stream()
            try await reply.chunk(Self.strippedEnd)
            return try await reply.end()
        }
        try await ClientFixture.run(answer: handler) { fixture in
            let events = ClientFixture.Events()
            let outcome = try await fixture.client.scan([photo]) { events.add($0) }
            #expect(outcome.books.map(\.title) == ["From results"])
            #expect(outcome.fetchedResults)
            guard case .completed(let end) = events.all.last else {
                Issue.record("no end")
                return
            }
            #expect(end.books?.map(\.title) == ["From results"])
            #expect(
                fixture.server.lines.suffix(2) == [
                    "GET /v3/jobs/scans/j/results", "DELETE /v3/jobs/scans/j/cleanup",
                ]
            )
            #expect(fixture.server.requests[2].target.hasSuffix("results"))
        }
    }

    @Test func aStreamThatBreaksIsTakenUpWhereItBroke() async throws {
        let connection = Counter()
        let handler = scanServer { request, reply in
            try await reply.stream()
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
        }
    }

    @Test func aStreamThatKeepsBreakingIsGivenUpForQuestions() async throws {
        let handler = scanServer { _, reply in
            try await reply.stream()
            return .close
        }
        try await ClientFixture.run(answer: handler) { fixture in
            async let scan = fixture.client.scan([photo])
            for seconds in [1, 2, 4] { await fixture.clock.advance(whenSomebodySleeps: .seconds(seconds)) }
            let outcome = try await scan
            #expect(outcome.reconnects == 3)
            #expect(outcome.books.map(\.title) == ["From results"])
            #expect(fixture.server.lines.filter { $0.hasSuffix("/stream") }.count == 4)
            #expect(fixture.server.lines.suffix(3).first == "GET /v3/jobs/scans/j")
        }
    }

    @Test func aSilentStreamIsDroppedAfterTwoHeartbeats() async throws {
        let connection = Counter()
        let handler = scanServer { _, reply in
            try await reply.stream()
            guard connection.next() > 1 else {
                try await reply.chunk("event: ping\ndata: {}\n\n")
                return .untilClientCloses
            }
            try await reply.chunk(Self.end)
            return try await reply.end()
        }
        try await ClientFixture.run(.set(\.streamCeiling, .seconds(36_000)), answer: handler) { fixture in
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
        let handler = scanServer { _, reply in
            try await reply.stream()
            return .untilClientCloses
        }
        try await ClientFixture.run(.set(\.heartbeat, .seconds(3600)), answer: handler) { fixture in
            let scan = Task { try await fixture.client.scan([photo]) }
            await fixture.clock.advance(whenSomebodySleeps: .seconds(300))
            await #expect(throws: TalariaError.timedOut(operation: "scan j", after: .seconds(300))) {
                try await scan.value
            }
        }
    }

    @Test func eventsThatCannotBeReadAreCountedAndPassedOver() async throws {
        let handler = scanServer { _, reply in
            try await reply.stream()
            try await reply.chunk("event: result\ndata: {\"book\":{\"ti\n\nevent: progress\ndata: no\n\n" + Self.end)
            return try await reply.end()
        }
        try await ClientFixture.run(answer: handler) { fixture in
            let outcome = try await fixture.client.scan([photo])
            #expect(outcome.malformedEvents == 2)
            #expect(outcome.books.count == 2)
        }
    }

    @Test(arguments: ["text/html", "application/json; charset=utf-8"])
    func whatIsNoStreamIsNotReadAsOne(_ type: String) async throws {
        let handler = scanServer { _, reply in
            try await reply.stream(type: type)
            try await reply.chunk(Self.end)
            return try await reply.end()
        }
        try await ClientFixture.run(answer: handler) { fixture in
            let answer = try await fixture.client.scan([photo]).books.map(\.title)
            #expect(answer == ["From results"])
        }
    }

    @Test func anEventBeyondAllBoundsIsNotKept() async throws {
        let handler = scanServer { _, reply in
            try await reply.stream()
            try await reply.chunk("data: " + String(repeating: "x", count: 5000))
            return .untilClientCloses
        }
        try await ClientFixture.run(.set(\.maximumEventBytes, 4096), answer: handler) { fixture in
            let answer = try await fixture.client.scan([photo]).books.map(\.title)
            #expect(answer == ["From results"])
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

    @Test func aJobThatFailedIsAnErrorThatSaysWhy() async throws {
        let failure = #"{"message":"too dark","code":"IMAGE_QUALITY_LOW","retryable":false,"jobId":"j"}"#
        let handler = scanServer { _, reply in
            try await reply.stream()
            try await reply.chunk("event: failed\ndata: \(failure)\n\n")
            return try await reply.end()
        }
        try await ClientFixture.run(answer: handler) { fixture in
            let error = await #expect(throws: TalariaError.self) { try await fixture.client.scan([photo]) }
            guard case .scanFailed(jobID: "j", let problem) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(problem.code == .imageQualityLow)
            #expect(error?.isRetryable == false)
            // Nothing was fetched, so nothing may be removed.
            #expect(!fixture.server.lines.contains { $0.hasPrefix("DELETE") })
        }
    }

    @Test func aJobThatWasCanceledIsAnError() async throws {
        let handler = scanServer { _, reply in
            try await reply.stream()
            try await reply.chunk("event: canceled\ndata: {}\n\n")
            return try await reply.end()
        }
        try await ClientFixture.run(answer: handler) { fixture in
            await #expect(throws: TalariaError.scanCanceled(jobID: "j")) { try await fixture.client.scan([photo]) }
        }
    }

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
        try await ClientFixture.run(.set(\.maximumEventBytes, 2 << 20), answer: handler) { fixture in
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
        let handler = scanServer { _, reply in
            try await reply.stream()
            try await reply.chunk(Self.transcript)
            return .untilClientCloses
        }
        try await ClientFixture.run(answer: handler) { fixture in
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

    @Test func theTokenIsNotSentToAnotherServer() async throws {
        for stream in ["http://127.0.0.1:1/v3/jobs/scans/j/stream", "//other.example/s", "https://localhost/s"] {
            let answer = #"{"jobId":"j","streamUrl":"\#(stream)"}"#
            try await ClientFixture.run(answer: scanServer(accepted: answer)) { fixture in
                let error = await #expect(throws: TalariaError.self) { try await fixture.client.scan([photo]) }
                guard case .foreignAddress = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(fixture.server.lines == ["POST /v3/jobs/scans"])
            }
        }
    }

    @Test func aCleanupThatFailsCostsNothing() async throws {
        for (status, isClean) in [(404, true), (410, true), (500, false)] {
            let base = scanServer { _, reply in
                try await reply.stream()
                try await reply.chunk(Self.end)
                return try await reply.end()
            }
            try await ClientFixture.run { request, reply in
                request.method == "DELETE" ? try await reply.answer(status) : try await base(request, reply)
            } test: { fixture in
                let outcome = try await fixture.client.scan([photo])
                #expect(outcome.books.count == 2)
                #expect(outcome.cleanedUp == isClean)
            }
        }
    }

    @Test func aCleanupIsAskedForOnce() async throws {
        try await ClientFixture.run { _, reply in
            try await reply.answer(503)
        } test: { fixture in
            await #expect(throws: TalariaError.self) { try await fixture.client.cleanup("j", token: nil) }
            #expect(fixture.server.lines == ["DELETE /v3/jobs/scans/j/cleanup"])
        }
    }

    @Test func resultsAreLookedForWhereTheyOughtToBeToo() async throws {
        let handler = scanServer { _, reply in
            try await reply.stream()
            try await reply.chunk("event: completed\ndata: {\"resultsUrl\":\"/v3/jobs/ai_scan/scans/j/results\"}\n\n")
            return try await reply.end()
        }
        try await ClientFixture.run(answer: handler) { fixture in
            let answer = try await fixture.client.scan([photo]).books.map(\.title)
            #expect(answer == ["From results"])
            #expect(fixture.server.lines[2] == "GET /v3/jobs/ai_scan/scans/j/results")
        }
    }

    @Test func aScanThatFoundNothingIsNoFailure() async throws {
        let handler = scanServer { _, reply in
            try await reply.stream()
            try await reply.chunk("event: completed\ndata: {\"books\":[],\"summary\":{\"total_processed\":0}}\n\n")
            return try await reply.end()
        }
        try await ClientFixture.run(answer: handler) { fixture in
            let outcome = try await fixture.client.scan([photo])
            #expect(outcome.books.isEmpty)
            #expect(!outcome.fetchedResults)
        }
    }
}
