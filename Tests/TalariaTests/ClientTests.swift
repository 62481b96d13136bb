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
            return try await reply.answer(200, [UInt8](WireJSON.encode(book.enriched)))
        } test: { fixture in
            let book = try await fixture.client.enrich(EnrichRequest(rawText: "GREAT GATSBY", deviceID: device))
            #expect(book.title == "The Great Gatsby")
            #expect(book.isbn == "9780743273565")
            #expect(fixture.ledger.transfers.map(\.contentClass) == [.text])
        }
    }

    /// A search, and a job's name, which is one component of its address.
    @Test func addressesAreEscaped() async throws {
        try await ClientFixture.run { request, reply in
            if request.path == "/v3/jobs/scans/..%2Fx%3F" {
                return try await reply.answer(200, #"{"jobId":"j","status":"queued"}"#)
            }
            #expect(request.path == "/v3/books/search")
            let items = URLComponents(string: request.target)?.queryItems
            #expect(items?.compactMap(\.value) == ["a&b= c+é", "3"])
            return try await reply.answer(200, #"{"success":true,"data":{"books":[{"title":"T"}]}}"#)
        } test: { fixture in
            let titles = try await fixture.client.searchBooks("a&b= c+é", limit: 3).map(\.title)
            #expect(titles == ["T"])
            let status = try await fixture.client.status(of: "../x?", token: nil).status
            #expect(status == .queued)
        }
    }

    // MARK: - Attempts

    /// An answer of a server: nil is none, as the connection is closed.
    typealias Answer = (status: Int, body: String, headers: [String: String])

    /// Answers of a server in turn, of which the last repeats, the waits between them, and the result.
    struct Attempts: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var answers: [Answer?]
        var waits: [Int] = []
        /// Status of the last refusal; nil for success.
        var refusal: Int?
    }

    private static let found: Answer = (200, #"{"books":[]}"#, [:])

    static let attempts: [Attempts] =
        [
            Attempts(
                testDescription: "again after 1, 2 and 4 seconds",
                answers: [(500, #"{"detail":"broken","code":"INTERNAL_ERROR"}"#, [:])],
                waits: [1000, 2000, 4000],
                refusal: 500
            ),
            Attempts(
                testDescription: "the server's own waits",
                answers: [
                    (503, "", ["Retry-After": "7"]), (503, #"{"retryAfterMs":8500}"#, [:]),
                    (
                        503, "",
                        ["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT"]
                    ), found,
                ],
                waits: [7000, 8500, 10_000]
            ),
            Attempts(
                testDescription: "a short limit is waited for",
                answers: [(429, "", ["Retry-After": "3"]), found],
                waits: [3000]
            ),
            Attempts(testDescription: "an answer that was lost", answers: [nil, found], waits: [1000]),
        ]
        + [400, 401, 403, 404, 409, 413, 415, 422, 301, 302].map { status in
            Attempts(
                testDescription: "\(status) is final",
                answers: [(status, #"{"code":"INVALID_REQUEST"}"#, ["Location": "/elsewhere"])],
                refusal: status
            )
        }

    @Test(arguments: attempts) func requestsAreMadeAgainWhereThatMayHelp(_ row: Attempts) async throws {
        let calls = Counter()
        try await ClientFixture.run { _, reply in
            guard let answer = row.answers[min(calls.next(), row.answers.count) - 1] else { return .close }
            return try await reply.answer(answer.status, answer.body, answer.headers)
        } test: { fixture in
            let books = Task { try await fixture.client.searchBooks("x") }
            for wait in row.waits { await fixture.clock.advance(whenSomebodySleeps: .milliseconds(wait)) }
            do {
                let answer = try await books.value
                #expect(answer.isEmpty && row.refusal == nil)
            } catch TalariaError.refused(_, let problem) {
                #expect(problem.status == row.refusal)
            }
            #expect(fixture.server.requests.count == row.waits.count + 1)
            #expect(fixture.ledger.transfers.count == row.waits.count + 1)
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

    @Test func aServerThatFailsAgainAndAgainIsLeftAlone() async throws {
        let attempt = Counter()
        let breaker = CircuitBreaker.Configuration(failures: 3, pause: .seconds(30))
        try await ClientFixture.run([.set(\.retry, .never), .set(\.breaker, breaker)]) { _, reply in
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
        try await ClientFixture.run([.set(\.retry, .never)]) { _, _ in
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
        let url = try await LoopbackServer.serve { _, _ in
            .close
        } test: { url, _ in
            url
        }
        let configuration = ClientConfiguration(baseURL: url, deviceID: device, retry: .never)
        let client = TalariaClient(configuration: configuration, transport: try NetworkTransport())
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
            guard case .malformed = error else { return unexpected(error) }
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
        try await ClientFixture.run([.set(\.retry, .never)]) { _, reply in
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
        try await ClientFixture.run([.set(\.maximumResponseBytes, 1000)]) { request, reply in
            if request.target.contains("q=bomb") {
                return try await reply.answer(200, Self.bomb, ["Content-Encoding": "gzip"])
            }
            return try await reply.answer(
                200,
                [UInt8](repeating: 32, count: request.target.contains("q=a") ? 1000 : 1001)
            )
        } test: { fixture in
            let within = await #expect(throws: TalariaError.self) { try await fixture.client.searchBooks("a") }
            guard case .malformed = within else { return unexpected(within) }
            for query in ["b", "bomb"] {
                await #expect(throws: TalariaError.responseTooLarge(operation: "GET /v3/books/search", limit: 1000)) {
                    try await fixture.client.searchBooks(query)
                }
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

    // MARK: - Ledger

    @Test func everyByteOnTheWireIsCounted() async throws {
        let base = scanServer(stream: scanStream(ScanTests.transcript + ScanTests.strippedEnd))
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
