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
    @Test func hybridSendsTextAndKeepsTheBook() async throws {
        let stage = try Stage(.hybrid)
        let diary = Diary()
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a", milestone: diary.note)
        #expect(scan.status == .book && scan.source == .remote && scan.problem == nil)
        #expect(scan.answer?.book.title == "Dune" && scan.path == [.fast, .enrich])
        #expect(stage.backEnd.questions == [.text("DUNE\nFRANK HERBERT")])
        let books = try stage.store.books()
        #expect(books.map(\.title) == ["Dune"] && books[0].state == .enriched)
        #expect(books[0].coverURL == dune.coverURL && books[0].isbn?.digits == "9780441172719")
        #expect(try stage.store.drafts().isEmpty && stage.store.waitingScans().isEmpty)
        #expect(scan.egress.bytesUp == [.text: 18] && stage.ledger.badge == nil)
        #expect(diary.entries.first == "text" && diary.entries.last == "enriched")
        #expect(diary.entries.contains("draft") && diary.entries.contains("matched"))
    }

    @Test func onTheDeviceNothingLeaves() async throws {
        let stage = try Stage(.onDeviceOnly)
        let diary = Diary()
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a", milestone: diary.note)
        #expect(scan.status == .book && scan.source == .local && scan.path == [.fast])
        #expect(stage.backEnd.questions.isEmpty && scan.egress.isLocal)
        #expect(stage.ledger.badge == "🔒 Processing Locally")
        #expect(diary.entries == ["text", "draft", "matched"])
    }

    @Test func whatTheCatalogueDoesNotKnowStaysADraft() async throws {
        let stage = try Stage(.onDeviceOnly, local: nil)
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a.jpg")
        #expect(scan.status == .draft && scan.book == nil)
        let drafts = try stage.store.drafts()
        #expect(drafts.map(\.lines) == [["DUNE", "FRANK HERBERT"]] && drafts[0].source == "a.jpg")
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

    @Test func aBlankSpineLeavesNothing() async throws {
        let stage = try Stage(.hybrid, lines: [])
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.status == .unread && stage.backEnd.questions.isEmpty)
        #expect(try stage.store.drafts().isEmpty && stage.store.waitingScans().isEmpty)
    }

    @Test func withoutTheNetworkTheTextWaitsAndTheSureBookIsThere() async throws {
        let stage = try Stage(.hybrid) { _ in throw unreachable }
        let diary = Diary()
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a", milestone: diary.note)
        #expect(scan.status == .queued && scan.problem?.contains("no route") == true)
        #expect(scan.book?.title == "Dune" && diary.entries.last == "queued")
        let waiting = try stage.store.waitingScans()
        #expect(waiting.map(\.payload) == [.text("DUNE\nFRANK HERBERT")] && waiting[0].attempts == 1)
    }

    @Test func anUnsureAnswerWaitsAsADraft() async throws {
        let stage = try Stage(.hybrid, local: ("Doom", 0.6)) { _ in throw unreachable }
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.status == .queued && scan.book == nil)
        #expect(try stage.store.books().isEmpty && stage.store.drafts().count == 1)
    }

    @Test func aRefusalIsNotTriedAgain() async throws {
        let refusal = TalariaError.refused(operation: "POST", ProblemDetails(status: 400, code: .invalidRequest))
        let stage = try Stage(.hybrid, local: nil) { _ in throw refusal }
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.status == .draft && scan.problem != nil)
        #expect(try stage.store.waitingScans().isEmpty && stage.store.failedScans().count == 1)
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

    @Test func talariaOnlySendsThePictureAndReadsNothing() async throws {
        let stage = try Stage(.talariaOnly)
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(stage.backEnd.questions == [.picture(scan.id)] && stage.reader.count == 0)
        #expect(scan.status == .book && scan.path == [.upload] && scan.timings.preparation != nil)
        #expect((scan.egress.bytesUp[.image] ?? 0) > 100 && scan.egress.bytesUp[.text] == nil)
    }

    @Test func otherBooksOnThePictureGoBesideIt() async throws {
        let emma = BookMetadata(title: "Emma", authors: ["Jane Austen"], confidence: 0.5)
        let stage = try Stage(.talariaOnly) { _ in [dune, emma] }
        _ = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(try stage.store.books().map(\.title).sorted() == ["Dune", "Emma"])
        #expect(try stage.store.books().first { $0.title == "Emma" }?.state == .review)
    }

    @Test func aPictureThatNobodyKnowsIsUnread() async throws {
        let stage = try Stage(.talariaOnly) { _ in [] }
        #expect(try await stage.session.scan(photo: tinyPNG, name: "a").status == .unread)
        #expect(try stage.store.waitingScans().isEmpty)
    }

    @Test func theFallbackReadsWhenTheUploadFails() async throws {
        let stage = try Stage(.visionFallback) { question in
            if case .picture = question { throw unreachable }
            return [dune]
        }
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.status == .book && scan.problem == nil && scan.path == [.upload, .fast, .enrich])
        #expect(try stage.store.waitingScans().isEmpty && stage.store.drafts().isEmpty)
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

    @Test func theFallbackReadsWhenThePictureIsOfNoKnownBook() async throws {
        let stage = try Stage(.visionFallback) { _ in [] }
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        // The device's own catalogue knows it; the text is not sent after the picture.
        #expect(scan.status == .book && scan.book?.title == "Dune" && scan.path == [.upload, .fast])
        #expect(stage.backEnd.questions.count == 1 && !scan.lines.isEmpty)
        #expect(try stage.store.waitingScans().isEmpty && stage.store.drafts().isEmpty)
    }

    @Test func aPictureThatNobodyKnowsIsNamedAsSuch() async throws {
        let stage = try Stage(.talariaOnly) { _ in [] }
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.status == .unread && scan.problem == nil && scan.path == [.upload])
    }

    @Test func whatTheBackEndReadAndCouldNotNameIsADraft() async throws {
        let read = [ReadLine(text: "WINTER", confidence: 0.9), ReadLine(text: "HARBOUR", confidence: 0.8)]
        let stage = try Stage(.talariaOnly, remoteLines: read) { _ in [] }
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.status == .draft && scan.answer == nil && scan.path == [.upload])
        #expect(try stage.store.drafts().map(\.lines) == [["WINTER", "HARBOUR"]])
        #expect(try stage.store.waitingScans().isEmpty)
    }

    @Test func aPhotoThatIsScannedAgainHasOneDraft() async throws {
        let stage = try Stage(.onDeviceOnly, lines: ["NOBODY KNOWS THIS"], local: nil)
        for _ in 0..<2 {
            let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
            #expect(scan.status == .draft)
        }
        #expect(try stage.store.drafts().count == 1)
    }

    @Test func aFastUploadNeedsNoReading() async throws {
        let stage = try Stage(.visionFallback)
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.path == [.upload] && stage.reader.count == 0)
    }

    @Test func theFallbackQueuesThePictureWhenNothingAnswers() async throws {
        let stage = try Stage(.visionFallback) { _ in throw unreachable }
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.status == .queued && scan.book?.title == "Dune")
        let waiting = try stage.store.waitingScans()
        #expect(waiting.count == 1)
        guard case .image(let file)? = waiting.first?.payload else {
            Issue.record("the picture should wait")
            return
        }
        #expect(try ImageCodec.header(of: [UInt8](Data(contentsOf: file)), name: "a").format == .jpeg)
    }

    /// A picture in the queue tells more than its text: whatever becomes of the text, the picture waits; one that was
    /// refused does not, and its text is not queued in its place.
    @Test(
        arguments: [
            (unreachable, unreachable, ["DUNE"], .queued, 1), (unreachable, refusal, ["DUNE"], .queued, 1),
            (unreachable, unreachable, [], .queued, 1), (refusal, unreachable, ["DUNE"], .draft, 0),
            (refusal, refusal, ["DUNE"], .draft, 0), (refusal, unreachable, [], .unread, 0),
        ] as [(TalariaError, TalariaError, [String], PhotoScan.Status, Int)]
    )
    func aQueuedPictureWinsOverItsText(
        ofPicture: TalariaError,
        ofText: TalariaError,
        lines: [String],
        status: PhotoScan.Status,
        waiting: Int
    ) async throws {
        let stage = try Stage(.visionFallback, lines: lines, local: nil) { question in
            if case .picture = question { throw ofPicture }
            throw ofText
        }
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.status == status && scan.problem != nil)
        #expect(stage.backEnd.questions.count == (lines.isEmpty ? 1 : 2))
        let queue = try stage.store.waitingScans()
        #expect(queue.count == waiting && queue.allSatisfy { $0.attempts == 1 && !$0.isText })
        #expect(try stage.store.failedScans().count == 1 - waiting)
        #expect(try stage.store.drafts().map(\.lines) == (lines.isEmpty ? [] : [lines]))
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
