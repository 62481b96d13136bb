import Foundation
import Testing

@testable import Talaria

@Suite struct WireTests {
    private func read<Message: Decodable>(_ type: Message.Type, _ json: String) throws -> Message {
        try WireJSON.decode(type, from: Data(json.utf8))
    }

    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    // MARK: - Enrichment

    @Test func aRequestIsWrittenInTheSeedsWords() throws {
        let device = try #require(UUID(uuidString: "7F3B1B4E-6C0D-4C53-9C6B-0B1D5B1F6A11"))
        let box = NormalizedBox(x: 0.1, y: 0.2, width: 0.7, height: 0.7)
        let request = EnrichRequest(
            rawText: "GREAT\nGATSBY",
            deviceID: device,
            geometry: .init(boundingBox: box, orientation: "vertical")
        )
        let json = try WireJSON.encode(request)
        #expect(
            text(json)
                == #"{"device_id":"7F3B1B4E-6C0D-4C53-9C6B-0B1D5B1F6A11","geometry":{"bounding_box":[0.1,0.2,0.8,0.9],"#
                + #""orientation":"vertical"},"raw_text":"GREAT\nGATSBY"}"#
        )
        let back = try WireJSON.decode(EnrichRequest.self, from: json)
        #expect(back.rawText == request.rawText)
        #expect(back.geometry?.boundingBox?.edges == [0.1, 0.2, 0.8, 0.9])
        #expect(json.count < 1024)
    }

    @Test(arguments: [
        #"{}"#, #"{"raw_text": "x"}"#, #"{"raw_text": "x", "device_id": "no"}"#, #"{"raw_text": 1, "device_id": 2}"#,
        #"[]"#, #""#, #"{"raw_text":"#,
        #"{"raw_text":"x","device_id":"7F3B1B4E-6C0D-4C53-9C6B-0B1D5B1F6A11","geometry":{"bounding_box":[0,1]}}"#,
        #"{"raw_text":"x","device_id":"7F3B1B4E-6C0D-4C53-9C6B-0B1D5B1F6A11","geometry":{"bounding_box":[0,0,2,1]}}"#,
    ]) func aRequestThatCannotBeUnderstoodIsAnError(_ json: String) {
        #expect(throws: (any Error).self) { try read(EnrichRequest.self, json) }
    }

    // MARK: - Books

    /// Forms: the seed's, upstream's, and that of an upstream plan (REQUIREMENTS S0-N03 and 2.1).
    @Test(arguments: [
        #"{"isbn":"978-0-7432-7356-5","title":"T","authors":["A"],"cover_url":"c","confidence":0.95}"#,
        #"{"isbn":"9780743273565","title":"T","author":"A","coverUrl":"c","confidence":0.95}"#,
        #"{"success":true,"data":{"isbn":9780743273565,"title":" T ","author":["A"],"coverUrl":"c","confidence":"0.95"}}"#,
        #"{"jobId":"j","isbn":"978 0743273565","enrichment":{"coverUrl":"c","verifiedTitle":"T","verifiedAuthor":"A","isbn":"9780743273565"},"confidence":0.95}"#,
    ]) func aBookIsReadInAnyGenerationsWords(_ json: String) throws {
        let book = try read(BookMetadata.self, json)
        #expect(
            book == BookMetadata(title: "T", authors: ["A"], isbn: "9780743273565", coverURL: "c", confidence: 0.95)
        )
    }

    @Test(
        arguments: [
            ("unknown", nil), ("", nil), ("UNKNOWN", nil), ("12345", nil), ("97807432735651", nil),
            ("97807432X3565", nil),
            ("0-7432-7356-7", "0743273567"), ("080442957x", "080442957X"), ("X804429570", nil),
            ("978-0-7432-7356-5", "9780743273565"),
        ] as [(String, String?)]
    ) func numbersAreDigitsOrNone(_ written: String, _ isbn: String?) throws {
        #expect(try read(BookMetadata.self, #"{"title":"T","isbn":"\#(written)"}"#).isbn == isbn)
        #expect(BookMetadata(title: "T", isbn: written).isbn == isbn)
    }

    @Test func aYearIsTheFirstOfItsJanuary() throws {
        #expect(try read(BookMetadata.self, #"{"title":"T","publicationYear":1925}"#).publishedDate == "1925-01-01")
        #expect(try read(BookMetadata.self, #"{"title":"T","publishedDate":"1925-04-10"}"#).publicationYear == 1925)
        #expect(try read(BookMetadata.self, #"{"title":"T","publicationYear":-5}"#).publishedDate == nil)
    }

    @Test(
        arguments: [
            (
                #"{"title":"T","authors":[1,null,"A"," "],"confidence":7,"pageCount":"many","enrichmentStatus":"divine","#
                    + #""boundingBox":{"x":2},"publisher":{},"isbn":null,"relatedTitles":"none"}"#,
                BookMetadata(title: "T", authors: ["A"])
            ),
            (
                #"{"title":"T","lines":[{"text":"A","confidence":2,"quad":[[0,0],[1,0],[1,1]]},{"confidence":1},"B","#
                    + #"{"text":"C","quad":[[0,0],[1,0],[1,1],[0,7]]}]}"#,
                BookMetadata(title: "T", lines: [RemoteLine(text: "A"), RemoteLine(text: "C")])
            ), (#"{"title":"T"}"#, BookMetadata(title: "T")),
            (#"{"title":"T","lines":[]}"#, BookMetadata(title: "T", lines: [])),
            (#"{"title":"T","place":{"row":1}}"#, BookMetadata(title: "T")),
            (
                #"{"title":"T","place":{"row":1,"index":2,"outline":[[0,0],[2,0],[1,1],[0,1]]}}"#,
                BookMetadata(title: "T", place: SpinePlace(row: 1, index: 2))
            ),
        ] as [(String, BookMetadata)]
    ) func whatIsMalformedInABookIsAbsent(_ json: String, _ book: BookMetadata) throws {
        #expect(try read(BookMetadata.self, json) == book)
    }

    @Test func aBookWithoutATitleIsNoneUnlessNoneWasFound() throws {
        #expect(throws: DecodingError.self) { try read(BookMetadata.self, #"{"isbn":"9780743273565"}"#) }
        let none = try read(BookMetadata.self, #"{"enrichment_status":"not_found","related_titles":["Emma"]}"#)
        #expect(none.title.isEmpty)
        #expect(none.relatedTitles == ["Emma"])
    }

    @Test func bothFormsOfABookAreWrittenStrictlyAndReadBack() throws {
        let corners = [(0.1, 0.2), (0.9, 0.2), (0.9, 0.4), (0.1, 0.4)].map { NormalizedPoint(x: $0.0, y: $0.1) }
        var book = BookMetadata(
            title: "T",
            authors: ["A", "B"],
            isbn: "9780743273565",
            coverURL: "https://c.example/1.jpg",
            publisher: "P",
            publishedDate: "1925-01-01",
            pageCount: 180,
            format: "hardcover",
            confidence: 0.5,
            enrichmentStatus: .success,
            boundingBox: NormalizedBox(x: 0.25, y: 0.5, width: 0.25, height: 0.5),
            place: SpinePlace(photo: 2, row: 1, index: 3, outline: corners),
            lines: [RemoteLine(text: "DUNF", confidence: 0.75, corners: corners), RemoteLine(text: "HERBERT")],
            relatedTitles: ["R"]
        )
        let quad = "[[0.1,0.2],[0.9,0.2],[0.9,0.4],[0.1,0.4]]"
        let scan = text(try WireJSON.encode(book))
        #expect(scan.contains(#""author":"A, B""#) && scan.contains(#""coverUrl":"https://c.example/1.jpg""#))
        #expect(scan.contains(#""lines":[{"confidence":0.75,"quad":\#(quad),"text":"DUNF"},{"text":"HERBERT"}]"#))
        #expect(scan.contains(#""index":3,"outline":\#(quad),"photo":2,"row":1"#))
        #expect(!scan.contains("cover_url"))
        #expect(try read(BookMetadata.self, scan) == book)

        let results = ScanResults(jobID: "j", results: [book])
        #expect(try WireJSON.decode(ScanResults.self, from: WireJSON.encode(results)) == results)
        let lite = text(try WireJSON.encode(results.lite))
        (book.boundingBox, book.lines) = (nil, nil)
        book.place?.outline = nil
        #expect(try read(ScanResults.self, lite).results == [book])

        // The sender of a text knows the read text and its place.
        let seed = text(try WireJSON.encode(results.results[0].enriched))
        #expect(seed.contains(#""cover_url":"https://c.example/1.jpg""#))
        for name in ["coverUrl", "author\"", "DUNF", "outline"] { #expect(!seed.contains(name)) }
        (book.boundingBox, book.place) = (results.results[0].boundingBox, nil)
        #expect(try read(BookMetadata.self, seed) == book)
    }

    // MARK: - Jobs

    /// The forms that the answer to an upload has had: the seed's, the one of February 2026, of v3.5 and of v3.9.
    @Test(
        arguments: [
            (#"{"jobId":"j","streamUrl":"/v3/s"}"#, "/v3/s", nil),
            (
                #"{"success":true,"data":{"jobId":"j","sseUrl":"/v3/s","authToken":"t","statusUrl":"/v3/j"},"_links":{"self":"/v3/j","stream":"/v3/s","cancel":"/v3/j"}}"#,
                "/v3/s", "t"
            ),
            (
                #"{"success":true,"data":{"jobId":"j","status":"queued","streamUrl":"/v3/s","statusUrl":"/v3/j","token":"t"}}"#,
                "/v3/s", "t"
            ),
            (#"{"success":true,"data":{"jobId":"j","status":"queued","token":"t"}}"#, nil, "t"),
            (
                #"{"success":true,"data":{"jobId":"j"},"_links":{"stream":{"href":"/v3/s"},"self":"/s"}}"#, "/v3/s",
                nil
            ),
        ] as [(String, String?, String?)]
    ) func everyGenerationsAnswerIsRead(_ json: String, _ stream: String?, _ token: String?) throws {
        #expect(try read(ScanAccepted.self, json) == ScanAccepted(jobID: "j", stream: stream, token: token))
        #expect(throws: DecodingError.self) { try read(ScanAccepted.self, #"{"success":true,"data":{}}"#) }
    }

    @Test(arguments: [
        ("queued", JobStatus.queued), ("initialized", .queued), ("processing", JobStatus(rawValue: "processing")),
        ("complete", .completed),
        ("completed", .completed), ("failed", .failed), ("cancelled", .canceled),
        ("pondering", JobStatus(rawValue: "pondering")),
    ]) func everyWordForAStatusIsKnownOrKept(_ word: String, _ status: JobStatus) throws {
        let state = try read(ScanState.self, #"{"data":{"jobId":"j","status":"\#(word)","progress":0.5}}"#)
        #expect(state.status == status)
        #expect(try WireJSON.decode(ScanState.self, from: WireJSON.encode(state)) == state)
    }

    @Test(arguments: [
        #"{"data":{"results":[{"title":"T"},{"no":"title"},7]}}"#, #"{"data":{"results":{"books":[{"title":"T"}]}}}"#,
        #"{"books":[{"title":"T"}]}"#, #"{"data":[{"title":"T"}]}"#,
    ]) func resultsAreFoundWhereverTheyAre(_ json: String) throws {
        #expect(try read(ScanResults.self, json).results.map(\.title) == ["T"])
    }

    @Test func resultsWithoutAListAreAnError() {
        #expect(throws: DecodingError.self) { try read(ScanResults.self, #"{"data":{}}"#) }
        #expect(throws: DecodingError.self) { try read(ScanResults.self, #"{"success":true}"#) }
    }

    // MARK: - Problems

    @Test(arguments: [
        #"{"success":false,"type":"about:blank","title":"Too Large","status":413,"detail":"d","code":"FILE_TOO_LARGE","retryable":false,"retryAfterMs":5}"#,
        #"{"status":413,"title":"Too Large","error":{"message":"d","code":"FILE_TOO_LARGE","retryable":false,"retryAfterMs":5}}"#,
        #"{"message":"d","code":"FILE_TOO_LARGE","retryable":false,"jobId":"j","retryAfterMs":"5"}"#,
    ]) func problemsAreReadInEveryShape(_ json: String) throws {
        let problem = try read(ProblemDetails.self, json)
        #expect(problem.code == .fileTooLarge)
        #expect(problem.detail == "d")
        #expect(problem.isRetryable == false)
        #expect(problem.retryAfterMs == 5)
    }

    @Test func unknownCodesAreKept() throws {
        #expect(try read(ProblemDetails.self, #"{"code":"NEW"}"#).code == ErrorCode(rawValue: "NEW"))
        #expect(try read(ProblemDetails.self, "{}") == ProblemDetails())
        #expect(try read(ProblemDetails.self, #"{"error":"broken"}"#).detail == "broken")
    }

    // MARK: - Events

    private static func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
        var value = value
        change(&value)
        return value
    }

    static let events: [ScanEvent] = [
        .progress(
            changed(ScanProgress(jobID: "j", progress: 0.5, status: "processing")) {
                ($0.totalCount, $0.detectedCount) = (1, 5)
            }
        ),
        .result(ScanResult(book: BookMetadata(title: "T"), progress: ScanProgress(jobID: "j", progress: 0.6))),
        .completed(
            changed(ScanCompletion(jobID: "j", books: [BookMetadata(title: "T", confidence: 0.9)])) {
                $0.summary = ScanSummary(processed: 1, enriched: 1)
                $0.duration = ["totalMs": 12.5]
                $0.completedAt = "2026-02-03T00:00:00Z"
            }
        ), .completed(ScanCompletion(jobID: "j", resultsLocation: "/r")),
        .failed(changed(ProblemDetails(detail: "d", code: .noTextDetected, isRetryable: false)) { $0.jobID = "j" }),
        .canceled,
        .timeout(changed(ProblemDetails(detail: "slow")) { $0.jobID = "j" }), .ping, .unknown(name: "later"),
    ]

    @Test(arguments: events) func eventsReadBackAsTheyWereWritten(_ event: ScanEvent) throws {
        #expect(try ScanEvent(name: event.name, data: event.data()) == event)
        // Unnamed events of a stream are named by their data.
        #expect(try ScanEvent(name: "message", data: event.data()) == event)
    }

    @Test func bothWordsForTheEndAreKnown() throws {
        let data = Data(#"{"type":"complete","jobId":"j","resultsUrl":"/r","totalDetected":5}"#.utf8)
        var end = ScanCompletion(jobID: "j", resultsLocation: "/r")
        end.summary = ScanSummary(detected: 5)
        #expect(try ScanEvent(name: "completed", data: data) == .completed(end))
        #expect(try ScanEvent(name: "complete", data: data) == .completed(end))
        let problem = ProblemDetails(code: "X")
        #expect(try ScanEvent(name: "error", data: Data(#"{"error":{"code":"X"}}"#.utf8)) == .failed(problem))
    }

    @Test func booksComeNestedOrFlat() throws {
        let nested = Data(#"{"progress":0.6,"book":{"title":"T","author":"A"}}"#.utf8)
        let flat = Data(#"{"progress":0.6,"title":"T","author":"A"}"#.utf8)
        #expect(try ScanEvent(name: "result", data: nested) == ScanEvent(name: "result", data: flat))
        for (name, json) in [("result", "{"), ("progress", "[]")] {
            #expect(throws: (any Error).self) { try ScanEvent(name: name, data: Data(json.utf8)) }
        }
    }
}
