import BookCatalogue
import Foundation
import HTTPTypes
import ServerSupport
import Synchronization
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns) struct ScanTests {
    @Test func photoBecomesABook() async throws {
        let server = try TestServer()
        defer { server.remove() }
        try await server.run { client in
            let response = try await client.upload()
            #expect(response.headers[.location]?.hasPrefix("/v3/jobs/scans/") == true)
            let job = try client.accepted(response)
            #expect(job.token?.count == 64)
            let events = try await client.stream(job)
            #expect(
                events.map(\.name) == ["progress", "progress", "progress", "result", "completed", "completed"]
            )
            #expect(events.first?.id?.hasSuffix("-initial") == true)
            guard case .completed(let first) = try events[4].event(),
                case .completed(let second) = try events[5].event(), case .result(let result) = try events[3].event()
            else { return #expect(Bool(false)) }
            let book = try #require(first.books?.first)
            #expect(book == result.book)
            #expect(book.title == "Dune")
            #expect(book.isbn == "9780441172719")
            #expect(book.coverURL == "https://covers.example/dune.jpg")
            #expect(book.relatedTitles.contains("Dune Messiah"))
            #expect(first.duration?["geminiMs"] != nil)
            #expect(first.duration?["enrichmentMs"] != nil)
            #expect(first.summary?.processed == 1)
            #expect(second.books == nil)
            #expect(second.resultsLocation == "/v3/jobs/scans/\(job.jobID)/results")
            #expect(server.pictures.isEmpty)
        }
    }

    @Test func fivePhotosBecomeFiveBooks() async throws {
        let server = try TestServer()
        defer { server.remove() }
        try await server.run { client in
            let job = try client.accepted(try await client.upload(Array(repeating: TestServer.photo, count: 5)))
            #expect(try await client.stream(job).count { $0.name == "result" } == 5)
            let tooMany = try await client.upload(Array(repeating: TestServer.photo, count: 6))
            #expect(tooMany.status == .badRequest)
            #expect(try tooMany.problem().code == .batchTooLarge)
            #expect(server.pictures.isEmpty)
        }
    }

    @Test func reconnectedStreamGoesOnAfterTheLastEvent() async throws {
        try await TestServer.run { client in
            let job = try client.accepted(try await client.upload())
            let all = try await client.stream(job)
            let rest = try await client.stream(job, after: all[3].id)
            #expect(rest == Array(all[4...]))
            #expect(try await client.stream(job, after: "0-unknown") == all)
            #expect(try await client.stream(job, after: "nonsense") == all)
            // HTML, section 9.2.3: behind the last event 204 ends an EventSource, which would ask again after 200.
            let path = "/v3/jobs/scans/\(job.jobID)/stream"
            for (id, status) in [(all[4].id, 200), (all[5].id, 204), ("9999999999999-later", 204)] {
                let answer = try await client.send(
                    .get,
                    path,
                    token: job.token,
                    accept: "text/event-stream",
                    headers: ["Last-Event-ID": id ?? ""]
                )
                #expect(answer.status.code == status)
                #expect((answer.body.count == 0) == (status == 204))
                #expect(answer.headers[.requestID] != nil && answer.headers[.rateLimit] == nil)
            }
        }
    }

    /// nginx buffers responses by default (ngx_http_proxy_module, `proxy_buffering`).
    @Test func streamsAskProxiesNotToBuffer() async throws {
        try await TestServer.run { client in
            let job = try client.accepted(try await client.upload())
            let path = "/v3/jobs/scans/\(job.jobID)/stream"
            let scan = try await client.send(.get, path, token: job.token, accept: "text/event-stream")
            let book = try await client.enrich("Dune", headers: ["Accept": "text/event-stream"])
            for answer in [scan, book] {
                #expect(answer.headers[.accelBuffering] == "no")
                #expect(answer.headers[.cacheControl] == "no-cache")
                #expect(answer.headers[.contentType] == "text/event-stream")
            }
            #expect(try await client.send(.get, "/health").headers[.accelBuffering] == nil)
        }
    }

    @Test func resultsComeInFullAndLite() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.reader = PhotoReader { _, _ in
            PhotoText(lines: TestServer.duneLines, box: NormalizedBox(x: 0.1, y: 0.2, width: 0.3, height: 0.4))
        }
        try await server.run { client in
            let job = try client.accepted(try await client.upload())
            _ = try await client.stream(job)
            let path = "/v3/jobs/scans/\(job.jobID)/results"
            let full = try await client.send(.get, path, token: job.token)
            let lite = try await client.send(.get, path + "?format=lite", token: job.token)
            #expect(full.text.contains("boundingBox"))
            #expect(!lite.text.contains("boundingBox"))
            #expect(try WireJSON.decode(ScanResults.self, from: lite.data).results.map(\.title) == ["Dune"])
            #expect(try await client.send(.get, path + "?format=tiny", token: job.token).status == .badRequest)
        }
    }

    @Test func whatWasReadComesBesideTheBook() async throws {
        var server = try TestServer()
        defer { server.remove() }
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.0, 0.5)].map { NormalizedPoint(x: $0.0, y: $0.1) }
        server.reader = PhotoReader { _, _ in
            PhotoText(lines: [
                RemoteLine(text: "FRANK HERBFRT", confidence: 0.75, corners: corners),
                RemoteLine(text: "DUNE", confidence: 0.5),
            ])
        }
        try await server.run { client in
            let job = try client.accepted(try await client.upload())
            let events = try await client.stream(job)
            let expected = [
                RemoteLine(text: "FRANK HERBFRT", confidence: 0.75, corners: corners),
                RemoteLine(text: "DUNE", confidence: 0.5),
            ]
            guard case .result(let result) = try events[3].event(), case .completed(let end) = try events[4].event()
            else { return #expect(Bool(false)) }
            #expect(result.book.title == "Dune" && result.book.lines == expected)
            #expect(end.books?.first?.lines == expected)
            let path = "/v3/jobs/scans/\(job.jobID)/results"
            let full = try await client.send(.get, path, token: job.token)
            #expect(try WireJSON.decode(ScanResults.self, from: full.data).results.first?.lines == expected)
            let lite = try await client.send(.get, path + "?format=lite", token: job.token)
            #expect(try WireJSON.decode(ScanResults.self, from: lite.data).results.first?.lines == nil)
        }
    }

    @Test func aSpineThatIsReadAndKnownToNobodyHasItsLines() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.reader = PhotoReader { _, _ in PhotoText(lines: [RemoteLine(text: "QWXZJK VBNPLM", confidence: 0.9)])
        }
        try await server.run { client in
            let job = try client.accepted(try await client.upload())
            guard case .completed(let end) = try await client.stream(job)[4].event() else {
                return #expect(Bool(false))
            }
            let book = try #require(end.books?.first)
            #expect(book.enrichmentStatus == .notFound)
            #expect(book.lines == [RemoteLine(text: "QWXZJK VBNPLM", confidence: 0.9)])
        }
    }

    /// Three spines on the first photo, of which two are the same book and one has too little text; one on the second.
    @Test func everyBookOfAShelfIsAnswered() async throws {
        var server = try TestServer()
        defer { server.remove() }
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.0, 0.5)].map { NormalizedPoint(x: $0.0, y: $0.1) }
        server.reader = PhotoReader { _, name in
            guard name == "photo 0" else { return PhotoText(lines: [RemoteLine(text: "EMMA JANE AUSTEN")]) }
            var spines = [TestServer.duneLines, TestServer.duneLines, [RemoteLine(text: "PERSUASION")]]
                .map { SpineText(lines: $0) }
            for index in spines.indices {
                spines[index].place = SpinePlace(row: 1, index: index + 1, outline: corners)
            }
            spines[2].subject = .shelf
            return PhotoText(spines: spines)
        }
        try await server.run { client in
            let job = try client.accepted(try await client.upload([TestServer.photo, TestServer.photo]))
            let events = try await client.stream(job)
            let results = try events.compactMap { event -> ScanResult? in
                if case .result(let result) = try event.event() { result } else { nil }
            }
            #expect(results.map(\.book.title) == ["Dune", "Dune", "PERSUASION", "Emma"])
            #expect(results.map(\.progress.message) == (1...4).map { "Enriched book \($0) of 4" })
            #expect(results.map(\.progress.processedCount) == [1, 2, 3, 4])
            #expect(results.map(\.book.place?.index) == [1, 2, 3, nil] && results[2].book.isDraft)
            #expect(results[0].book.place == SpinePlace(photo: 1, row: 1, index: 1, outline: corners))
            guard case .completed(let end)? = try events.first(where: { $0.name == "completed" })?.event() else {
                return #expect(Bool(false))
            }
            #expect(end.books == results.map(\.book))
            #expect(end.summary?.processed == 4 && end.summary?.failed == 0 && end.summary?.detected == 4)
            #expect(end.summary?.unique == 3)
            let lite = try await client.send(
                .get,
                "/v3/jobs/scans/\(job.jobID)/results?format=lite",
                token: job.token
            )
            let books = try WireJSON.decode(ScanResults.self, from: lite.data).results
            #expect(books.map(\.place?.outline) == [nil, nil, nil, nil] && books[1].place?.index == 2)
        }
    }

    @Test func cleanedUpJobIsGone() async throws {
        try await TestServer.run { client in
            let job = try client.accepted(try await client.upload())
            _ = try await client.stream(job)
            let path = "/v3/jobs/scans/\(job.jobID)"
            #expect(try await client.send(.delete, path).status == .conflict)
            #expect(try await client.send(.delete, path + "/cleanup").status == .noContent)
            #expect(try await client.send(.delete, path + "/cleanup").status == .notFound)
            #expect(try await client.send(.get, path + "/results", token: job.token).status == .notFound)
        }
    }

    @Test func lateCopyOfAnUploadIsNotReadAgainAfterTheCleanup() async throws {
        let reads = Mutex(0)
        var server = try TestServer()
        server.reader = PhotoReader { _, _ in
            reads.withLock { $0 += 1 }
            return PhotoText(lines: TestServer.duneLines)
        }
        defer { server.remove() }
        try await server.run { client in
            let key = ["Idempotency-Key": "late"]
            let job = try client.accepted(try await client.upload(headers: key))
            _ = try await client.stream(job)
            #expect(try await client.send(.delete, "/v3/jobs/scans/\(job.jobID)/cleanup").status == .noContent)
            let late = try await client.upload(headers: key)
            #expect(late.status == .conflict)
            #expect(try late.problem().code == .jobAlreadyFinished)
            #expect(reads.withLock { $0 } == 1)
        }
        #expect(server.pictures.isEmpty)
    }

    @Test func canceledJobStopsAndLeavesNoPictures() async throws {
        var server = try TestServer()
        defer { server.remove() }
        let gate = server.holdReader()
        try await server.run { [server] client in
            defer { gate.open() }
            let running = try client.accepted(try await client.upload([TestServer.photo, TestServer.photo]))
            let waiting = try client.accepted(try await client.upload())
            await gate.untilWaiting(1)
            let early = try await client.send(
                .get,
                "/v3/jobs/scans/\(running.jobID)/results",
                token: running.token
            )
            #expect(early.status == .conflict)
            #expect(try await client.send(.delete, "/v3/jobs/scans/\(running.jobID)/cleanup").status == .conflict)
            for job in [running, waiting] {
                #expect(try await client.send(.delete, "/v3/jobs/scans/\(job.jobID)").status == .ok)
            }
            gate.open()
            #expect(try await client.stream(running).last?.name == "canceled")
            #expect(try await client.stream(waiting).map(\.name) == ["progress", "canceled"])
            let after = try client.accepted(try await client.upload())
            #expect(try await client.stream(after).last?.name == "completed")
            #expect(gate.waiting == 2)
            #expect(server.pictures.isEmpty)
        }
    }

    @Test func photoWithoutTextFailsWithItsCode() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.reader = PhotoReader { _, _ in PhotoText(lines: []) }
        try await server.run { client in
            let job = try client.accepted(try await client.upload())
            guard case .failed(let problem)? = try await client.stream(job).last?.event() else {
                return #expect(Bool(false))
            }
            #expect(problem.code == .noTextDetected)
            let state = try await client.send(.get, "/v3/jobs/scans/\(job.jobID)")
            #expect(try WireJSON.decode(ScanState.self, from: state.data).status == .failed)
        }
    }

    @Test func unreadablePhotoCostsTheOthersNothing() async throws {
        struct Unreadable: Error {}
        var server = try TestServer()
        defer { server.remove() }
        server.reader = PhotoReader { _, name in
            if name == "photo 0" { throw Unreadable() }
            return PhotoText(lines: TestServer.duneLines)
        }
        try await server.run { client in
            let job = try client.accepted(try await client.upload([TestServer.photo, TestServer.photo]))
            guard
                case .completed(let completion)? = try await client.stream(job).last(where: { $0.name == "completed" })?
                    .event()
            else { return #expect(Bool(false)) }
            #expect(completion.summary?.failed == 1)
            #expect(completion.summary?.processed == 2)
        }
    }

    @Test func streamPingsWhileNothingHappens() async throws {
        var server = try TestServer()
        defer { server.remove() }
        let gate = server.holdReader()
        server.configuration.pingInterval = .milliseconds(2)
        try await server.run { client in
            defer { gate.open() }
            let job = try client.accepted(try await client.upload())
            let connection = try RawConnection(port: client.client.port)
            connection.send(
                "GET /v3/jobs/scans/\(job.jobID)/stream HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n"
                    + "X-Device-ID: \(TestServer.device)\r\nAuthorization: Bearer \(job.token ?? "")\r\n\r\n"
            )
            #expect(await connection.text(until: "event: ping").contains("event: ping"))
            connection.end()
        }
    }

    @Test func aStreamEndsAtItsCeiling() async throws {
        var server = try TestServer()
        defer { server.remove() }
        let gate = server.holdReader()
        server.configuration.streamCeiling = .milliseconds(20)
        try await server.run { client in
            defer { gate.open() }
            let job = try client.accepted(try await client.upload())
            #expect(try await client.stream(job).last?.name == "timeout")
        }
    }
}
