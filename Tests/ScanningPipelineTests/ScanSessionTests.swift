import Basics
import BookCatalogue
import Foundation
import Imaging
import ScanningPolicies
import Talaria
import TestSupport
import Testing

@testable import ScanningPipeline

@Suite(.inTurns) struct ScanSessionTests {
    /// A picture of one spine: what is known of it, and what becomes of it.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var strategy: ScanStrategy
        var lines = ["DUNE", "FRANK HERBERT"]
        var local: (title: String, confidence: Double)? = ("Dune", 0.95)
        /// Text that the back end reads off the picture.
        var remoteLines: [RemoteLine]?
        /// Answers of the back end.
        var toPicture: Result<[BookMetadata], TalariaError> = .success([dune])
        var toText: Result<[BookMetadata], TalariaError> = .success([dune])
        var status: PhotoScan.Status
        var path: [LibraryBook.Tier]
        var source = Reconciliation.Source.neither
        /// Titles and states of the library's books.
        var books: [String] = []
        var drafts: [[String]] = []
        /// Scans in the queue, each tried once.
        var waiting: [LibraryBook.Tier] = []
        /// Number of scans that were given up.
        var failed = 0
    }

    private static let read = [
        RemoteLine(text: "WINTER", confidence: 0.9), RemoteLine(text: "HARBOUR", confidence: 0.8),
    ]
    private static let emma = BookMetadata(title: "Emma", authors: ["Jane Austen"], confidence: 0.5)
    private static let rows: [Row] = [
        Row(
            testDescription: "the back end's answer counts",
            strategy: .hybrid,
            status: .book,
            path: [.fast, .enrich],
            source: .remote,
            books: ["Dune enriched"]
        ),
        Row(
            testDescription: "nothing leaves",
            strategy: .onDeviceOnly,
            status: .book,
            path: [.fast],
            source: .local,
            books: ["Dune enriched"]
        ),
        Row(
            testDescription: "not in the catalogue",
            strategy: .onDeviceOnly,
            local: nil,
            status: .draft,
            path: [.fast],
            drafts: [["DUNE", "FRANK HERBERT"]]
        ),
        Row(testDescription: "blank", strategy: .hybrid, lines: [], status: .unread, path: [.fast]),
        Row(
            testDescription: "the text waits, and the sure book is there",
            strategy: .hybrid,
            toText: .failure(unreachable),
            status: .queued,
            path: [.fast, .enrich],
            source: .local,
            books: ["Dune enriched"],
            waiting: [.enrich]
        ),
        Row(
            testDescription: "an unsure answer waits as a draft",
            strategy: .hybrid,
            local: ("Doom", 0.6),
            toText: .failure(unreachable),
            status: .queued,
            path: [.fast, .enrich],
            source: .local,
            drafts: [["DUNE", "FRANK HERBERT"]],
            waiting: [.enrich]
        ),
        Row(
            testDescription: "a refusal is not tried again",
            strategy: .hybrid,
            local: nil,
            toText: .failure(refusal),
            status: .draft,
            path: [.fast, .enrich],
            drafts: [["DUNE", "FRANK HERBERT"]],
            failed: 1
        ),
        Row(
            testDescription: "the picture alone is sent",
            strategy: .talariaOnly,
            status: .book,
            path: [.upload],
            source: .remote,
            books: ["Dune enriched"]
        ),
        Row(
            testDescription: "other books go beside it",
            strategy: .talariaOnly,
            toPicture: .success([dune, emma]),
            status: .book,
            path: [.upload],
            source: .remote,
            books: ["Dune enriched", "Emma review"]
        ),
        Row(
            testDescription: "nobody knows the picture",
            strategy: .talariaOnly,
            toPicture: .success([]),
            status: .unread,
            path: [.upload]
        ),
        Row(
            testDescription: "read there and not named",
            strategy: .talariaOnly,
            remoteLines: read,
            toPicture: .success([]),
            status: .draft,
            path: [.upload],
            drafts: [["WINTER", "HARBOUR"]]
        ),
        Row(
            testDescription: "a fast upload needs no reading",
            strategy: .visionFallback,
            status: .book,
            path: [.upload],
            source: .remote,
            books: ["Dune enriched"]
        ),
        Row(
            testDescription: "the upload fails, and the text is named",
            strategy: .visionFallback,
            toPicture: .failure(unreachable),
            status: .book,
            path: [.upload, .fast, .enrich],
            source: .remote,
            books: ["Dune enriched"]
        ),
        Row(
            testDescription: "of no known book there, and the text is not sent",
            strategy: .visionFallback,
            toPicture: .success([]),
            status: .book,
            path: [.upload, .fast],
            source: .local,
            books: ["Dune enriched"]
        ),
        Row(
            testDescription: "nothing answers, and the picture waits",
            strategy: .visionFallback,
            toPicture: .failure(unreachable),
            toText: .failure(unreachable),
            status: .queued,
            path: [.upload, .fast, .enrich],
            source: .local,
            books: ["Dune enriched"],
            waiting: [.upload]
        ),
        // A picture in the queue tells more than its text: whatever becomes of the text, the picture waits. One that was
        // refused does not, and its text is not queued in its place.
        Row(
            testDescription: "picture waits, text waits",
            strategy: .visionFallback,
            lines: ["DUNE"],
            local: nil,
            toPicture: .failure(unreachable),
            toText: .failure(unreachable),
            status: .queued,
            path: [.upload, .fast, .enrich],
            drafts: [["DUNE"]],
            waiting: [.upload]
        ),
        Row(
            testDescription: "picture waits, text refused",
            strategy: .visionFallback,
            lines: ["DUNE"],
            local: nil,
            toPicture: .failure(unreachable),
            toText: .failure(refusal),
            status: .queued,
            path: [.upload, .fast, .enrich],
            drafts: [["DUNE"]],
            waiting: [.upload]
        ),
        Row(
            testDescription: "picture waits, no text",
            strategy: .visionFallback,
            lines: [],
            local: nil,
            toPicture: .failure(unreachable),
            toText: .failure(unreachable),
            status: .queued,
            path: [.upload, .fast],
            waiting: [.upload]
        ),
        Row(
            testDescription: "picture refused, text waits",
            strategy: .visionFallback,
            lines: ["DUNE"],
            local: nil,
            toPicture: .failure(refusal),
            toText: .failure(unreachable),
            status: .draft,
            path: [.upload, .fast, .enrich],
            drafts: [["DUNE"]],
            failed: 1
        ),
        Row(
            testDescription: "picture refused, text refused",
            strategy: .visionFallback,
            lines: ["DUNE"],
            local: nil,
            toPicture: .failure(refusal),
            toText: .failure(refusal),
            status: .draft,
            path: [.upload, .fast, .enrich],
            drafts: [["DUNE"]],
            failed: 1
        ),
        Row(
            testDescription: "picture refused, no text",
            strategy: .visionFallback,
            lines: [],
            local: nil,
            toPicture: .failure(refusal),
            toText: .failure(unreachable),
            status: .unread,
            path: [.upload, .fast],
            failed: 1
        ),
    ]

    @Test("what becomes of a picture", arguments: rows)
    func outcome(_ row: Row) async throws {
        let stage = try Stage(row.strategy, lines: row.lines, local: row.local, remoteLines: row.remoteLines) {
            if case .picture = $0 { try row.toPicture.get() } else { try row.toText.get() }
        }
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a.jpg")
        #expect(scan.status == row.status && scan.path == row.path && scan.source == row.source)
        #expect((scan.problem == nil) == (row.waiting.isEmpty && row.failed == 0))
        #expect(try stage.store.books().map { "\($0.title) \($0.state.rawValue)" }.sorted() == row.books)
        let drafts = try stage.store.drafts()
        #expect(drafts.map(\.lines) == row.drafts && drafts.allSatisfy { $0.source == "a.jpg" })
        let waiting = try stage.store.waitingScans()
        #expect(waiting.map { $0.isText ? .enrich : .upload } == row.waiting && waiting.allSatisfy { $0.attempts == 1 })
        #expect(try stage.store.failedScans().count == row.failed)
        // The path is what was asked and read; the traffic is the scan's, and content of no other kind.
        let asked = stage.backEnd.questions.map { $0.isText ? LibraryBook.Tier.enrich : .upload }
        #expect(asked == row.path.filter { $0 != .fast } && stage.reader.count == row.path.count { $0 == .fast })
        let sent = Set(asked.map { $0 == .enrich ? Transfer.ContentClass.text : .image })
        #expect(Set(scan.egress.bytesUp.keys) == sent && (stage.ledger.badge == nil) == !sent.isEmpty)
    }

    @Test("the milestones of a scan, in order")
    func milestones() async throws {
        func entries(_ strategy: ScanStrategy, _ failure: TalariaError? = nil) async throws -> [String] {
            let (stage, diary) = (try Stage(strategy), Diary())
            stage.backEnd.failure = failure
            _ = try await stage.session.scan(photo: tinyPNG, name: "a", milestone: diary.note)
            return diary.entries
        }
        #expect(try await entries(.onDeviceOnly) == ["text", "draft", "matched"])
        #expect(try await entries(.hybrid) == ["text", "draft", "matched", "enriched"])
        #expect(try await entries(.hybrid, unreachable) == ["text", "draft", "matched", "queued"])
        #expect(try await entries(.talariaOnly) == ["prepared", "enriched"])
        #expect(
            try await entries(.visionFallback, unreachable) == ["prepared", "text", "draft", "matched", "queued"]
        )
    }

    @Test func theLibraryHasWhatTheBackEndKnows() async throws {
        let stage = try Stage(.hybrid)
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(stage.backEnd.questions == [.text("DUNE\nFRANK HERBERT")] && scan.egress.bytesUp == [.text: 18])
        let book = try #require(try stage.store.books().first)
        #expect(book.coverURL == dune.coverURL && book.isbn?.digits == "9780441172719")
    }

    @Test func aPictureWaitsAsAJPEG() async throws {
        let stage = try Stage(.talariaOnly)
        stage.backEnd.failure = unreachable
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(stage.backEnd.questions == [.picture(scan.id)] && scan.timings.preparation != nil)
        #expect((scan.egress.bytesUp[.image] ?? 0) > 100)
        guard case .image(let file)? = try stage.store.waitingScans().first?.payload else {
            Issue.record("the picture should wait")
            return
        }
        #expect(try ImageCodec.header(of: [UInt8](Data(contentsOf: file)), name: "a").format == .jpeg)
    }

    @Test func aDraftOfTheBackEndIsNoBookOfItsCatalogue() async throws {
        let draft = BookMetadata(
            title: "DUNE",
            authors: ["FRANK HERBERT"],
            confidence: 0.4,
            enrichmentStatus: .reviewNeeded,
            relatedTitles: ["Dune Messiah"],
            isDraft: true
        )
        let stage = try Stage(.hybrid, local: nil) { _ in [draft] }
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.isDraft && scan.needsReview && scan.answer?.book.title == "DUNE")
        #expect(scan.candidates.map(\.book.title) == ["Dune Messiah"])
        let known = try await Stage(.hybrid).session.scan(photo: tinyPNG, name: "a")
        #expect(!known.isDraft)
    }

    @Test(arguments: [ScanStrategy.hybrid, .talariaOnly, .visionFallback])
    func onlyTheBackEndsOwnWordEndsAScan(_ variant: ScanStrategy) async throws {
        for answer in foreignAnswers {
            let stage = try Stage(variant, local: nil) { _ in throw answer }
            let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
            #expect(scan.status == .queued && scan.problem == "\(answer)")
            #expect(try stage.store.failedScans().isEmpty)
            #expect(try stage.store.waitingScans().map(\.lastError) == ["\(answer)"])
        }
    }

    @Test func theFallbackReadsWhenTheUploadIsSlow() async throws {
        let clock = ManualClock()
        var settings = ScanSession.Settings()
        (settings.slowThreshold, settings.patience) = (.milliseconds(700), .seconds(9))
        let stage = try Stage(.visionFallback, settings: settings, clock: clock) { question in
            if case .picture = question { try await Task.sleep(for: .seconds(3_600)) }
            return [dune]
        }
        async let scanned = stage.session.scan(photo: tinyPNG, name: "a")
        await clock.advance(whenSomebodySleeps: .milliseconds(700))
        let scan = try await scanned
        #expect(scan.path == [.upload, .fast, .enrich] && scan.status == .book)
    }

    @Test func aPhotoThatIsScannedAgainHasOneDraft() async throws {
        let stage = try Stage(.onDeviceOnly, lines: ["NOBODY KNOWS THIS"], local: nil)
        for _ in 0..<2 {
            let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
            #expect(scan.status == .draft)
        }
        #expect(try stage.store.drafts().count == 1)
    }

    @Test func aBrokenPictureLeavesNothing() async throws {
        for variant in ScanStrategy.allCases {
            let stage = try Stage(variant)
            await #expect(throws: ImageCodecError.self) {
                try await stage.session.scan(photo: Array("no picture".utf8), name: "a")
            }
            #expect(try stage.store.drafts().isEmpty && stage.store.waitingScans().isEmpty)
            #expect(stage.backEnd.questions.isEmpty)
        }
    }

    @Test(arguments: [ScanStrategy.hybrid, .talariaOnly])
    func aCancelledScanWaitsInTheQueue(_ variant: ScanStrategy) async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let stage = try Stage(variant) { _ in
            ask.yield()
            try await Task.sleep(for: .seconds(3_600))
            return []
        }
        let session = stage.session
        let task = Task { try await session.scan(photo: tinyPNG, name: "a") }
        for await _ in asked { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try stage.store.waitingScans().count == 1)
    }

    @Test func whatIsMissingIsSaid() throws {
        let store = try LibraryStore.inMemory()
        #expect(throws: ScanningError.noBackEnd(.hybrid)) {
            try ScanSession(
                strategy: .hybrid,
                reader: LocalReader(ScriptedReader([])),
                matcher: nil,
                backEnd: nil,
                store: store,
                ledger: EgressLedger(),
                deviceID: UUID()
            )
        }
    }
}
