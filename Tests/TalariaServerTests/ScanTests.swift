import BookCatalogue
import HTTPTypes
import ServerSupport
import Synchronization
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns) struct ScanTests {
    private static let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.0, 0.5)].map {
        NormalizedPoint(x: $0.0, y: $0.1)
    }

    /// Returns the books of a stream's events, in its `result`s and in its end.
    private func outcome(_ events: [ServerSentEvent]) throws -> (results: [ScanResult], end: ScanCompletion) {
        var (results, end) = ([ScanResult](), ScanCompletion?.none)
        for event in events {
            switch try event.event() {
            case .result(let result): results.append(result)
            case .completed(let completion): end = end ?? completion
            default: break
            }
        }
        return (results, try #require(end))
    }

    @Test func photoBecomesABook() async throws {
        try await TestServer.run { client in
            let response = try await client.upload()
            let job = try client.accepted(response)
            #expect(response.headers[.location] == job.path)
            #expect(job.token?.count == 64)
            let events = try await client.stream(job)
            #expect(events.map(\.name) == ["progress", "progress", "progress", "result", "completed", "completed"])
            #expect(events.first?.id.hasSuffix("-initial") == true)
            let (results, first) = try outcome(events)
            let book = try #require(first.books?.first)
            #expect([book] == results.map(\.book))
            #expect(book.title == "Dune")
            #expect(book.isbn == "9780441172719")
            #expect(book.coverURL == "https://covers.example/dune.jpg")
            #expect(book.relatedTitles.contains("Dune Messiah"))
            #expect(first.duration?["geminiMs"] != nil && first.duration?["enrichmentMs"] != nil)
            #expect(first.summary?.processed == 1)
            let second = try outcome(Array(events.suffix(1))).end
            #expect(second.books == nil)
            #expect(second.resultsLocation == "\(job.path)/results")
            #expect(try await client.pictures() == 0)
        }
    }

    @Test func fivePhotosBecomeFiveBooks() async throws {
        try await TestServer.run { client in
            #expect(try await client.stream(try await client.job(5)).count { $0.name == "result" } == 5)
            let tooMany = try await client.upload(Array(repeating: TestServer.photo, count: 6))
            #expect(tooMany.status == .badRequest)
            #expect(try tooMany.problem().code == .batchTooLarge)
            #expect(try await client.pictures() == 0)
        }
    }

    @Test func reconnectedStreamGoesOnAfterTheLastEvent() async throws {
        try await TestServer.run { client in
            let job = try await client.job()
            let all = try await client.stream(job)
            #expect(try await client.stream(job, after: all[3].id) == Array(all[4...]))
            #expect(try await client.stream(job, after: "0-unknown") == all)
            #expect(try await client.stream(job, after: "nonsense") == all)
            // HTML, section 9.2.3: behind the last event 204 ends an EventSource, which would ask again after 200.
            for (id, status) in [(all[4].id, 200), (all[5].id, 204), ("9999999999999-later", 204)] {
                let answer = try await client.send(
                    .get,
                    "\(job.path)/stream",
                    token: job.token,
                    accept: "text/event-stream",
                    headers: ["Last-Event-ID": id]
                )
                #expect(answer.status.code == status)
                #expect(answer.body.isEmpty == (status == 204))
                #expect(answer.headers[.requestID] != nil && answer.headers[.rateLimit] == nil)
            }
        }
    }

    /// nginx buffers responses by default (ngx_http_proxy_module, `proxy_buffering`).
    @Test func streamsAskProxiesNotToBuffer() async throws {
        try await TestServer.run { client in
            let job = try await client.job()
            let stream = "\(job.path)/stream"
            let scan = try await client.send(.get, stream, token: job.token, accept: "text/event-stream")
            for answer in [scan, try await client.enrich("Dune", headers: ["Accept": "text/event-stream"])] {
                #expect(answer.headers[.accelBuffering] == "no")
                #expect(answer.headers[.cacheControl] == "no-cache")
                #expect(answer.headers[.contentType] == "text/event-stream")
            }
            #expect(try await client.send(.get, "/health").headers[.accelBuffering] == nil)
        }
    }

    /// What was read is beside the book, whether it is known or not; the lite results have neither lines nor boxes.
    @Test(arguments: [
        (
            [
                RemoteLine(text: "FRANK HERBFRT", confidence: 0.75, corners: corners),
                RemoteLine(text: "DUNE", confidence: 0.5),
            ], EnrichmentStatus.success
        ), ([RemoteLine(text: "QWXZJK VBNPLM", confidence: 0.9)], .notFound),
    ])
    func whatWasReadComesBesideTheBook(_ lines: [RemoteLine], _ status: EnrichmentStatus) async throws {
        var server = try TestServer()
        server.reader = PhotoReader { _, _ in
            [SpineText(lines: lines, box: NormalizedBox(x: 0.1, y: 0.2, width: 0.3, height: 0.4))]
        }
        try await server.run { client in
            let job = try await client.job()
            let (results, end) = try outcome(try await client.stream(job))
            let full = try await client.get("/results", of: job)
            let books = results.map(\.book)
            #expect(books.map(\.enrichmentStatus) == [status] && books.first?.lines == lines)
            #expect(end.books == books)
            #expect((try full.decoded() as ScanResults).results == books)
            #expect(full.text.contains("boundingBox"))
            let lite = try await client.get("/results?format=lite", of: job)
            #expect(!lite.text.contains("boundingBox"))
            let few = (try lite.decoded() as ScanResults).results
            #expect(few.map(\.title) == books.map(\.title) && few.allSatisfy { $0.lines == nil })
            #expect(try await client.get("/results?format=tiny", of: job).status == .badRequest)
        }
    }

    /// Three spines on the first photo, of which two are the same book and one has too little text; one on the second.
    @Test func everyBookOfAShelfIsAnswered() async throws {
        var server = try TestServer()
        server.reader = PhotoReader { _, name in
            guard name == "photo 0" else { return [SpineText(lines: [RemoteLine(text: "EMMA JANE AUSTEN")])] }
            var spines = [TestServer.duneLines, TestServer.duneLines, [RemoteLine(text: "PERSUASION")]]
                .map { SpineText(lines: $0) }
            for index in spines.indices {
                spines[index].place = SpinePlace(row: 1, index: index + 1, outline: Self.corners)
            }
            spines[2].subject = .shelf
            return spines
        }
        try await server.run { client in
            let job = try await client.job(2)
            let (results, end) = try outcome(try await client.stream(job))
            #expect(results.map(\.book.title) == ["Dune", "Dune", "PERSUASION", "Emma"])
            #expect(results.map(\.progress.message) == (1...4).map { "Enriched book \($0) of 4" })
            #expect(results.map(\.progress.processedCount) == [1, 2, 3, 4])
            #expect(results.map(\.book.place?.index) == [1, 2, 3, nil] && results[2].book.isDraft)
            #expect(results[0].book.place == SpinePlace(photo: 1, row: 1, index: 1, outline: Self.corners))
            #expect(end.books == results.map(\.book))
            #expect(end.summary?.processed == 4 && end.summary?.failed == 0 && end.summary?.detected == 4)
            #expect(end.summary?.unique == 3)
            let lite = try await client.get("/results?format=lite", of: job)
            let books = (try lite.decoded() as ScanResults).results
            #expect(books.map(\.place?.outline) == [nil, nil, nil, nil] && books[1].place?.index == 2)
        }
    }

    /// A late copy of its upload is not read again.
    @Test func cleanedUpJobIsGone() async throws {
        let reads = Mutex(0)
        var server = try TestServer()
        server.reader = PhotoReader { _, _ in
            reads.withLock { $0 += 1 }
            return [SpineText(lines: TestServer.duneLines)]
        }
        try await server.run { client in
            let key = ["Idempotency-Key": "late"]
            let job = try await client.job(headers: key)
            _ = try await client.stream(job)
            #expect(try await client.send(.delete, job.path).status == .conflict)
            #expect(try await client.send(.delete, "\(job.path)/cleanup").status == .noContent)
            #expect(try await client.send(.delete, "\(job.path)/cleanup").status == .notFound)
            #expect(try await client.get("/results", of: job).status == .notFound)
            let late = try await client.upload(headers: key)
            #expect(late.status == .conflict)
            #expect(try late.problem().code == .jobAlreadyFinished)
            #expect(reads.withLock { $0 } == 1)
            #expect(try await client.pictures() == 0)
        }
    }

    @Test func canceledJobStopsAndLeavesNoPictures() async throws {
        var server = try TestServer()
        let gate = server.holdReader()
        try await server.run { client in
            defer { gate.open() }
            let (running, waiting) = (try await client.job(2), try await client.job())
            await gate.untilWaiting(1)
            #expect(try await client.get("/results", of: running).status == .conflict)
            #expect(try await client.send(.delete, "\(running.path)/cleanup").status == .conflict)
            for job in [running, waiting] { #expect(try await client.send(.delete, job.path).status == .ok) }
            gate.open()
            #expect(try await client.stream(running).last?.name == "canceled")
            #expect(try await client.stream(waiting).map(\.name) == ["progress", "canceled"])
            #expect(try await client.stream(try await client.job()).last?.name == "completed")
            #expect(gate.waiting == 2)
            #expect(try await client.pictures() == 0)
        }
    }

    @Test func photoWithoutTextFailsWithItsCode() async throws {
        var server = try TestServer()
        server.reader = PhotoReader { _, _ in [] }
        try await server.run { client in
            let job = try await client.job()
            guard case .failed(let problem)? = try await client.stream(job).last?.event() else {
                return #expect(Bool(false))
            }
            #expect(problem.code == .noTextDetected)
            #expect((try await client.get(of: job).decoded() as ScanState).status == .failed)
        }
    }

    @Test func unreadablePhotoCostsTheOthersNothing() async throws {
        struct Unreadable: Error {}
        var server = try TestServer()
        server.reader = PhotoReader { _, name in
            if name == "photo 0" { throw Unreadable() }
            return [SpineText(lines: TestServer.duneLines)]
        }
        try await server.run { client in
            let summary = try outcome(try await client.stream(try await client.job(2))).end.summary
            #expect(summary?.failed == 1)
            #expect(summary?.processed == 2)
        }
    }

    @Test func streamPingsWhileNothingHappensAndEndsAtItsCeiling() async throws {
        var server = try TestServer("--ping-seconds", "0.002")
        let gate = server.holdReader()
        server.limits.streamCeiling = .milliseconds(20)
        try await server.run { client in
            defer { gate.open() }
            let events = try await client.stream(try await client.job())
            #expect(events.contains { $0.name == "ping" })
            #expect(events.last?.name == "timeout")
        }
    }
}
