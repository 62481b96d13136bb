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
        let box = try #require(NormalizedBox(edges: [0.1, 0.2, 0.8, 0.9]))
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
        #expect(throws: DecodingError.self) { try read(EnrichRequest.self, json) }
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

    @Test func whatIsMalformedInABookIsAbsent() throws {
        let book = try read(
            BookMetadata.self,
            #"{"title":"T","authors":[1,null,"A"," "],"confidence":7,"pageCount":"many","enrichmentStatus":"divine","#
                + #""boundingBox":{"x":2},"publisher":{},"isbn":null,"relatedTitles":"none"}"#
        )
        #expect(book == BookMetadata(title: "T", authors: ["A"]))
        #expect(book.enrichmentStatus == .pending)
    }

    @Test func aBookWithoutATitleIsNoneUnlessNoneWasFound() throws {
        #expect(throws: DecodingError.self) { try read(BookMetadata.self, #"{"isbn":"9780743273565"}"#) }
        let none = try read(BookMetadata.self, #"{"enrichment_status":"not_found","related_titles":["Emma"]}"#)
        #expect(none.title.isEmpty)
        #expect(none.relatedTitles == ["Emma"])
    }

    @Test func bothFormsOfABookAreWrittenStrictlyAndReadBack() throws {
        let book = BookMetadata(
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
            relatedTitles: ["R"]
        )
        let seed = text(try book.encoded(as: .enrich))
        #expect(seed.contains(#""cover_url":"https://c.example/1.jpg""#))
        #expect(!seed.contains("coverUrl"))
        #expect(!seed.contains("author\""))
        let upstream = text(try book.encoded(as: .scan))
        #expect(upstream.contains(#""author":"A, B""#))
        #expect(upstream.contains(#""coverUrl":"https://c.example/1.jpg""#))
        #expect(!upstream.contains("cover_url"))
        for json in [seed, upstream] { #expect(try read(BookMetadata.self, json) == book) }
    }

    @Test func linesThatWereReadGoWithABookOfAScan() throws {
        let corners = [(0.1, 0.2), (0.9, 0.2), (0.9, 0.4), (0.1, 0.4)].map { NormalizedPoint(x: $0.0, y: $0.1) }
        let book = BookMetadata(
            title: "Dune",
            lines: [ReadLine(text: "DUNF", confidence: 0.75, corners: corners), ReadLine(text: "HERBERT")]
        )
        let scan = text(try book.encoded(as: .scan))
        #expect(
            scan.contains(
                #""lines":[{"confidence":0.75,"quad":[[0.1,0.2],[0.9,0.2],[0.9,0.4],[0.1,0.4]],"text":"DUNF"},{"text":"HERBERT"}]"#
            )
        )
        #expect(try read(BookMetadata.self, scan) == book)
        // The sender of a text knows the read text.
        #expect(!text(try book.encoded(as: .enrich)).contains("DUNF"))
        #expect(!text(try ScanResults(books: [book]).encoded(as: .lite)).contains("DUNF"))
    }

    @Test func aPlaceOnAShelfGoesWithABookOfAScan() throws {
        let corners = [(0.1, 0.2), (0.2, 0.2), (0.2, 0.9), (0.1, 0.9)].map { NormalizedPoint(x: $0.0, y: $0.1) }
        var book = BookMetadata(title: "Dune", place: SpinePlace(photo: 2, row: 1, index: 3, outline: corners))
        let scan = text(try book.encoded(as: .scan))
        #expect(scan.contains(#""index":3,"outline":[[0.1,0.2],[0.2,0.2],[0.2,0.9],[0.1,0.9]],"photo":2,"row":1"#))
        #expect(try read(BookMetadata.self, scan) == book)
        #expect(!text(try book.encoded(as: .enrich)).contains("outline"))
        let lite = text(try ScanResults(books: [book]).encoded(as: .lite))
        book.place?.outline = nil
        #expect(try read(ScanResults.self, lite).books == [book])
        // A place that is none costs nothing else; an outline outside of the photo is absent.
        #expect(try read(BookMetadata.self, #"{"title":"T","place":{"row":1}}"#) == BookMetadata(title: "T"))
        let outside = #"{"title":"T","place":{"row":1,"index":2,"outline":[[0,0],[2,0],[1,1],[0,1]]}}"#
        #expect(try read(BookMetadata.self, outside).place == SpinePlace(row: 1, index: 2))
    }

    @Test func whatIsMalformedInALineIsAbsent() throws {
        let book = try read(
            BookMetadata.self,
            #"{"title":"T","lines":[{"text":"A","confidence":2,"quad":[[0,0],[1,0],[1,1]]},{"confidence":1},"B","#
                + #"{"text":"C","quad":[[0,0],[1,0],[1,1],[0,7]]}]}"#
        )
        #expect(book.lines == [ReadLine(text: "A"), ReadLine(text: "C")])
        #expect(try read(BookMetadata.self, #"{"title":"T"}"#).lines == nil)
        #expect(try read(BookMetadata.self, #"{"title":"T","lines":[]}"#).lines == [])
    }

    // MARK: - Jobs

    @Test(arguments: ScanAccepted.Generation.allCases)
    func everyGenerationsAnswerReadsBack(_ generation: ScanAccepted.Generation) throws {
        let accepted = ScanAccepted(jobID: "j", stream: "/v3/s", token: "t", statusLocation: "/v3/j")
        let back = try WireJSON.decode(ScanAccepted.self, from: accepted.encoded(as: generation))
        #expect(back.jobID == "j")
        #expect(back.stream == (generation == .polling ? nil : "/v3/s"))
        #expect(back.token == (generation == .seed ? nil : "t"))
    }

    @Test func addressesOfTheStreamMayBeRelative() throws {
        let links = try read(
            ScanAccepted.self,
            #"{"success":true,"data":{"jobId":"j"},"_links":{"stream":{"href":"/v3/jobs/scans/j/stream"},"self":"/s"}}"#
        )
        #expect(links.stream == "/v3/jobs/scans/j/stream")
        #expect(links.statusLocation == "/s")
        #expect(throws: DecodingError.self) { try read(ScanAccepted.self, #"{"success":true,"data":{}}"#) }
    }

    @Test(arguments: [
        ("queued", JobStatus.queued), ("initialized", .queued), ("processing", .processing), ("complete", .completed),
        ("completed", .completed), ("failed", .failed), ("cancelled", .canceled), ("pondering", .unknown("pondering")),
    ]) func everyWordForAStatusIsKnownOrKept(_ word: String, _ status: JobStatus) throws {
        let state = try read(ScanState.self, #"{"data":{"jobId":"j","status":"\#(word)","progress":0.5}}"#)
        #expect(state.status == status)
        #expect(try WireJSON.decode(ScanState.self, from: WireJSON.encode(state)) == state)
    }

    @Test func liteResultsHaveNoBoxes() throws {
        let book = BookMetadata(title: "T", boundingBox: NormalizedBox(x: 0, y: 0, width: 1, height: 1))
        let results = ScanResults(jobID: "j", books: [book])
        let full = try WireJSON.decode(ScanResults.self, from: results.encoded(as: .full))
        #expect(full == results)
        #expect(!text(try results.encoded(as: .lite)).contains("boundingBox"))
    }

    @Test(arguments: [
        #"{"data":{"results":[{"title":"T"},{"no":"title"},7]}}"#, #"{"data":{"results":{"books":[{"title":"T"}]}}}"#,
        #"{"books":[{"title":"T"}]}"#, #"{"data":[{"title":"T"}]}"#,
    ]) func resultsAreFoundWhereverTheyAre(_ json: String) throws {
        #expect(try read(ScanResults.self, json).books.map(\.title) == ["T"])
    }

    @Test func resultsWithoutAListAreAnError() {
        #expect(throws: DecodingError.self) { try read(ScanResults.self, #"{"data":{}}"#) }
        #expect(throws: DecodingError.self) { try read(BookSearchResults.self, #"{"success":true}"#) }
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
                $0.duration = changed(ScanDuration()) { $0.totalMs = 12.5 }
                $0.completedAt = "2026-02-03T00:00:00Z"
            }
        ), .completed(ScanCompletion(jobID: "j", resultsLocation: "/r")),
        .failed(changed(ProblemDetails(detail: "d", code: .noTextDetected, isRetryable: false)) { $0.jobID = "j" }),
        .canceled,
        .timeout(changed(ProblemDetails(detail: "slow")) { $0.jobID = "j" }), .ping,
        .enrichmentDegraded(EnrichmentDegradation(jobID: "j", isbn: "9780743273565", title: "T", reason: "r")),
        .segmented(Segmentation(image: Data([1, 2, 3]), totalBooks: 2)),
        .bookProgress(BookProgress(current: 1, total: 2, stage: .identifyingBooks)), .unknown(name: "later"),
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
        #expect(try ScanEvent(name: "error", data: Data(#"{"error":{"code":"X"}}"#.utf8)).isFinal)
    }

    @Test func booksComeNestedOrFlat() throws {
        let nested = Data(#"{"progress":0.6,"book":{"title":"T","author":"A"}}"#.utf8)
        let flat = Data(#"{"progress":0.6,"title":"T","author":"A"}"#.utf8)
        #expect(try ScanEvent(name: "result", data: nested) == ScanEvent(name: "result", data: flat))
        #expect(throws: DecodingError.self) { try ScanEvent(name: "result", data: Data("{".utf8)) }
        #expect(throws: DecodingError.self) { try ScanEvent(name: "progress", data: Data("[]".utf8)) }
    }
}
