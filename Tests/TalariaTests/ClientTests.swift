import Foundation
import TestSupport
import Testing

@testable import Talaria

@Suite(.inTurns, .endsWhatHangs) struct ClientTests {
    @Test func textIsSentAndABookComesBack() async throws {
        try await ClientFixture.run { request, reply in
            #expect(request.path == "/v3/jobs/enrich")
            #expect(request.header("Content-Type") == "application/json")
            #expect(request.header("X-Device-ID") == device.uuidString)
            let message = try WireJSON.decode(EnrichRequest.self, from: Data(request.body))
            #expect(message == EnrichRequest(rawText: "GREAT GATSBY", deviceID: device))
            let book = BookMetadata(title: "The Great Gatsby", isbn: "978-0-7432-7356-5", confidence: 0.95)
            return try await reply.answer(200, [UInt8](book.encoded(as: .enrich)))
        } test: { fixture in
            let book = try await fixture.client.enrich(EnrichRequest(rawText: "GREAT GATSBY", deviceID: device))
            #expect(book.title == "The Great Gatsby")
            #expect(book.isbn == "9780743273565")
            #expect(fixture.ledger.transfers.map(\.contentClass) == [.text])
        }
    }

    @Test func searchesAreEscaped() async throws {
        try await ClientFixture.run { request, reply in
            #expect(
                request.target == "/v3/books/search?q=a%26b%3D%20c%2B%C3%A9&limit=3"
                    || request.path == "/v3/books/search"
            )
            let items = URLComponents(string: request.target)?.queryItems
            #expect(items?.first?.value == "a&b= c+é")
            return try await reply.answer(200, [UInt8](WireJSON.encode(BookSearchResults(books: [.init(title: "T")]))))
        } test: { fixture in
            let answer = try await fixture.client.searchBooks("a&b= c+é", limit: 3).map(\.title)
            #expect(answer == ["T"])
        }
    }

    @Test func aJobsNameIsOneComponentOfItsAddress() async throws {
        try await ClientFixture.run { request, reply in
            #expect(request.path == "/v3/jobs/scans/..%2Fx%3F")
            return try await reply.answer(200, #"{"jobId":"j","status":"queued"}"#)
        } test: { fixture in
            let answer = try await fixture.client.status(of: "../x?", token: nil).status
            #expect(answer == .queued)
        }
    }

    // MARK: - Attempts

    @Test func aServerThatFailsIsAskedAgainAfterOneTwoAndFourSeconds() async throws {
        try await ClientFixture.run { _, reply in
            try await reply.answer(500, #"{"detail":"broken","code":"INTERNAL_ERROR"}"#)
        } test: { fixture in
            let books = Task { try await fixture.client.searchBooks("x") }
            for seconds in [1, 2, 4] { await fixture.clock.advance(whenSomebodySleeps: .seconds(seconds)) }
            let error = await #expect(throws: TalariaError.self) { try await books.value }
            guard case .refused(_, let problem) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(problem.status == 500)
            #expect(problem.code == .internalError)
            #expect(fixture.server.requests.count == 4)
            #expect(
                fixture.clock.requestedSleeps.filter { $0 < .seconds(30) } == [.seconds(1), .seconds(2), .seconds(4)]
            )
            #expect(fixture.ledger.transfers.map(\.status) == [500, 500, 500, 500])
        }
    }

    @Test func anUploadWhoseAnswerWasLostIsSentAgainUnderItsName() async throws {
        let attempt = Counter()
        try await ClientFixture.run { _, reply in
            // Taken, and not answered.
            if attempt.next() == 1 { return .close }
            return try await reply.answer(202, #"{"jobId":"j","streamUrl":"/s"}"#)
        } test: { fixture in
            let scan = UUID()
            async let accepted = fixture.client.upload([photo], id: scan)
            await fixture.clock.advance(whenSomebodySleeps: .seconds(1))
            let answer = try await accepted.jobID
            #expect(answer == "j")
            let keys = fixture.server.requests.map { $0.header("Idempotency-Key") }
            #expect(keys == [scan.uuidString, scan.uuidString])
            #expect(fixture.server.requests.allSatisfy { $0.body.suffix(200).contains(0xD9) })
        }
    }

    @Test func aServerMayAskForALongerWait() async throws {
        let attempt = Counter()
        try await ClientFixture.run { _, reply in
            switch attempt.next() {
            case 1: try await reply.answer(503, "", ["Retry-After": "7"])
            case 2: try await reply.answer(503, #"{"retryAfterMs":8500}"#)
            case 3:
                try await reply.answer(
                    503,
                    "",
                    ["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT"]
                )
            default: try await reply.answer(200, #"{"books":[]}"#)
            }
        } test: { fixture in
            async let books = fixture.client.searchBooks("x")
            for milliseconds in [7000, 8500, 10_000] {
                await fixture.clock.advance(whenSomebodySleeps: .milliseconds(milliseconds))
            }
            let answer = try await books
            #expect(answer.isEmpty)
        }
    }

    @Test(arguments: [400, 401, 403, 404, 409, 413, 415, 422, 301, 302])
    func whatTheServerRefusesIsNotAskedAgain(_ status: Int) async throws {
        try await ClientFixture.run { _, reply in
            try await reply.answer(status, #"{"code":"INVALID_REQUEST"}"#, ["Location": "/elsewhere"])
        } test: { fixture in
            let error = await #expect(throws: TalariaError.self) { try await fixture.client.searchBooks("x") }
            #expect(error?.isRetryable == false)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func aLimitClosesTheShutterUntilItIsOver() async throws {
        let attempt = Counter()
        try await ClientFixture.run { _, reply in
            if attempt.next() == 1 {
                return try await reply.answer(
                    429,
                    #"{"code":"RATE_LIMIT_EXCEEDED","retryAfterMs":1000}"#,
                    ["Retry-After": "120", "X-RateLimit-Limit": "10"]
                )
            }
            return try await reply.answer(202, #"{"jobId":"j","streamUrl":"/s"}"#)
        } test: { fixture in
            #expect(fixture.client.rateLimit == nil)
            let state = RateLimitState(endpoint: .upload, remaining: .seconds(120), limit: 10)
            await #expect(throws: TalariaError.rateLimited(state)) { try await fixture.client.upload([photo]) }
            #expect(fixture.client.rateLimit == state)
            fixture.clock.advance(by: .seconds(20))
            #expect(fixture.client.rateLimit?.remaining == .seconds(100))
            await #expect(throws: TalariaError.self) { try await fixture.client.upload([photo]) }
            // Nothing was sent meanwhile, and other routes are not limited.
            #expect(fixture.server.requests.count == 1)
            #expect(fixture.client.rateLimit(of: .search) == nil)
            fixture.clock.advance(by: .seconds(100))
            #expect(fixture.client.rateLimit == nil)
            let answer = try await fixture.client.upload([photo]).jobID
            #expect(answer == "j")
        }
    }

    @Test func aShortLimitIsWaitedFor() async throws {
        let attempt = Counter()
        try await ClientFixture.run { _, reply in
            if attempt.next() == 1 { return try await reply.answer(429, "", ["Retry-After": "3"]) }
            return try await reply.answer(202, #"{"jobId":"j","streamUrl":"/s"}"#)
        } test: { fixture in
            async let accepted = fixture.client.upload([photo])
            await fixture.clock.advance(whenSomebodySleeps: .seconds(3))
            let answer = try await accepted.jobID
            #expect(answer == "j")
        }
    }

    @Test func aServerThatFailsAgainAndAgainIsLeftAlone() async throws {
        let attempt = Counter()
        try await ClientFixture.run(.set(\.retry, .never), .set(\.breaker, .init(failures: 3, pause: .seconds(30)))) {
            _,
            reply in
            attempt.next() <= 3 ? try await reply.answer(500) : try await reply.answer(200, #"{"books":[]}"#)
        } test: { fixture in
            for _ in 0..<3 {
                await #expect(throws: TalariaError.self) { try await fixture.client.searchBooks("x") }
            }
            fixture.clock.advance(by: .seconds(10))
            await #expect(throws: TalariaError.circuitOpen(host: "localhost", retryAfter: .seconds(20))) {
                try await fixture.client.searchBooks("x")
            }
            #expect(fixture.server.requests.count == 3)
            fixture.clock.advance(by: .seconds(20))
            let answer = try await fixture.client.searchBooks("x")
            #expect(answer.isEmpty)
        }
    }

    @Test func aHeadThatDoesNotComeIsNotWaitedForForEver() async throws {
        try await ClientFixture.run(.set(\.retry, .never)) { _, _ in
            .untilClientCloses
        } test: { fixture in
            let books = Task { try await fixture.client.searchBooks("x") }
            while fixture.server.requests.isEmpty { await Task.yield() }
            await fixture.clock.advance(whenSomebodySleeps: .seconds(30))
            await #expect(throws: TalariaError.timedOut(operation: "GET /v3/books/search", after: .seconds(30))) {
                try await books.value
            }
            await fixture.server.clientClosed()
        }
    }

    @Test func aServerThatIsNotThereIsUnreachable() async throws {
        let url = try await LoopbackServer.serve { _, reply in
            try await reply.answer(200)
        } test: { url, _ in
            url
        }
        let transport = try NetworkTransport()
        var configuration = ClientConfiguration(baseURL: url, deviceID: device)
        configuration.retry = .never
        let client = TalariaClient(configuration: configuration, transport: transport)
        let error = await #expect(throws: TalariaError.self) { try await client.searchBooks("x") }
        // The text is that of strerror(ECONNREFUSED), not the library's.
        #expect(error == .unreachable(host: "localhost", reason: "connection refused"))
        #expect(error?.isRetryable == true)
    }

    // MARK: - Answers

    @Test(arguments: ["", "<html>", #"{"title":"#, #"{"data":7}"#, "null"])
    func answersThatCannotBeReadAreErrors(_ body: String) async throws {
        try await ClientFixture.run { _, reply in
            try await reply.answer(200, body)
        } test: { fixture in
            let error = await #expect(throws: TalariaError.self) {
                try await fixture.client.enrich(EnrichRequest(rawText: "x", deviceID: device))
            }
            guard case .malformed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(fixture.server.requests.count == 1)
        }
    }

    /// Answers of a captive portal, a proxy and another server, and the reported error.
    @Test(arguments: [
        (200, "<!DOCTYPE html><p>Log in", [:], "the answer was HTML, not Talaria's; a captive portal?"),
        (200, "", [:], "the answer was empty, not Talaria's; a captive portal?"),
        (200, "Welcome", [:], "the answer was application/json, not Talaria's; a captive portal?"),
        (
            302, "<html>", ["Location": "https://portal.example/login?from=x"],
            "the answer was a redirect to portal.example, which is not followed; a captive portal?"
        ), (403, " <html>", [:], "the answer was HTML, not Talaria's; a captive portal?"),
        (404, "", [:], "the answer was empty, not Talaria's; a captive portal?"),
        (502, "<html>", [:], "the answer was HTML, not Talaria's"),
    ])
    func answersOfOthersAreToldAndAreNotFinal(
        _ status: Int,
        _ body: String,
        _ headers: [String: String],
        _ words: String
    ) async throws {
        try await ClientFixture.run(.set(\.retry, .never)) { _, reply in
            try await reply.answer(status, body, headers)
        } test: { fixture in
            let error = await #expect(throws: TalariaError.self) { try await fixture.client.upload([photo]) }
            #expect(error?.description.hasSuffix(words) == true, "\(error?.description ?? "")")
            #expect(error?.isFinal == false)
        }
    }

    /// The codes of the document that are about the photo or the text, and those that are not.
    @Test func onlyWhatIsSaidOfTheContentIsFinal() async throws {
        let content: [(Int, ErrorCode)] = [
            (422, .noTextDetected), (422, .unsupportedFormat), (413, .fileTooLarge), (413, .batchTooLarge),
            (400, .invalidRequest), (422, .imageTooBlurry), (422, .imageQualityLow), (422, .multipleBooksDetected),
        ]
        let others: [(Int, ErrorCode)] = [
            (401, .unauthorized), (404, .notFound), (409, .jobAlreadyFinished), (400, .invalidAcceptHeader),
            (503, .serviceUnavailable), (500, .internalError), (400, ErrorCode(rawValue: "WEATHER")),
        ]
        for (list, isFinal) in [(content, true), (others, false)] {
            for (status, code) in list {
                let error = TalariaError.refused(operation: "x", ProblemDetails(status: status, code: code))
                #expect(error.isFinal == isFinal, "\(code)")
            }
        }
        let later = ProblemDetails(status: 422, code: .imageQualityLow, isRetryable: true)
        #expect(!TalariaError.refused(operation: "x", later).isFinal)
        #expect(TalariaError.scanFailed(jobID: "j", ProblemDetails(code: .noTextDetected)).isFinal)
        #expect(!TalariaError.scanFailed(jobID: "j", ProblemDetails(isRetryable: true)).isFinal)
    }

    @Test func anAnswerBeyondTheLimitIsRefused() async throws {
        try await ClientFixture.run(.set(\.maximumResponseBytes, 1000)) { request, reply in
            try await reply.answer(200, [UInt8](repeating: 32, count: request.target.contains("q=a") ? 1000 : 1001))
        } test: { fixture in
            let within = await #expect(throws: TalariaError.self) { try await fixture.client.searchBooks("a") }
            guard case .malformed = within else {
                Issue.record("\(String(describing: within))")
                return
            }
            await #expect(throws: TalariaError.responseTooLarge(operation: "GET /v3/books/search", limit: 1000)) {
                try await fixture.client.searchBooks("b")
            }
        }
    }

    /// Made with `gzip -9n`.
    private static let zipped: [UInt8] = base64("H4sIAAAAAAACA6tWSsrPzy5WsoquVirJLMlJVbJScs3NTVSqja0FACHdL2wcAAAA")
    private static let bomb: [UInt8] = base64(
        "H4sIAAAAAAACA+3BMQEAAADCoCrrn9IaHkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAfBn8wZ3JYOoAAA=="
    )

    private static func base64(_ text: String) -> [UInt8] { [UInt8](Data(base64Encoded: text) ?? Data()) }

    @Test func compressedAnswersAreRead() async throws {
        try await ClientFixture.run { request, reply in
            #expect(request.header("Accept-Encoding") == "gzip")
            return try await reply.answer(200, Self.zipped, ["Content-Encoding": "gzip"])
        } test: { fixture in
            let answer = try await fixture.client.searchBooks("x").map(\.title)
            #expect(answer == ["Emma"])
        }
    }

    @Test func whatGrowsBeyondMeasureIsRefused() async throws {
        try await ClientFixture.run { _, reply in
            try await reply.answer(200, Self.bomb, ["Content-Encoding": "gzip"])
        } test: { fixture in
            let error = await #expect(throws: TalariaError.self) { try await fixture.client.searchBooks("x") }
            guard case .malformed(operation: "decompressing an answer of localhost", _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    // MARK: - Ledger

    @Test func everyByteOnTheWireIsCounted() async throws {
        let base = scanServer { _, reply in
            try await reply.stream()
            for piece in ScanTests.transcript.split(separator: "\n\n") { try await reply.chunk("\(piece)\n\n") }
            try await reply.chunk(ScanTests.strippedEnd)
            return try await reply.end()
        }
        let attempt = Counter()
        try await ClientFixture.run { request, reply in
            if request.method == "POST", attempt.next() == 1 { return try await reply.answer(503) }
            return try await base(request, reply)
        } test: { fixture in
            let large = Photo(jpeg: [UInt8](repeating: 7, count: 300_000))
            async let scan = fixture.client.scan([large])
            await fixture.clock.advance(whenSomebodySleeps: .seconds(1))
            _ = try await scan
            let transfers = fixture.ledger.transfers
            #expect(transfers.map(\.endpoint) == [.upload, .upload, .stream, .results, .cleanup])
            #expect(transfers.map(\.contentClass) == [.image, .image, .id, .id, .id])
            #expect(transfers.map(\.status) == [503, 202, 200, 200, 204])
            #expect(transfers.allSatisfy { $0.host == "localhost" })
            #expect(transfers.reduce(0) { $0 + $1.bytesUp } == fixture.server.bytes.received)
            // All but the bytes in flight when the stream was closed, at its last event.
            let missing = fixture.server.bytes.sent - transfers.reduce(0) { $0 + $1.bytesDown }
            #expect((0...5).contains(missing))
            #expect(transfers[0].bytesUp > 300_000)
        }
    }
}
