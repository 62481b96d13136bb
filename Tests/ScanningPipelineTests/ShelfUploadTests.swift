import BookCatalogue
import Foundation
import Imaging
import ScanningPolicies
import Synchronization
import TestSupport
import Testing
import TextRecognition

@testable import ScanningPipeline
@testable import Talaria

@Suite struct ShelfUploadTests {
    private static let unreadable = "ZZYZX"

    /// A known book, an unknown spine, a second copy of the book, and another unknown spine.
    private static let shelf: [BookMetadata] = ["Dune", "", "Dune", ""].enumerated().map { index, title in
        var book = title.isEmpty ? BookMetadata(title: "", enrichmentStatus: .notFound) : dune
        book.lines = [RemoteLine(text: title.isEmpty ? "\(unreadable) \(index)" : "DUNE")]
        book.place = SpinePlace(row: 1, index: index + 1)
        return book
    }

    @Test(arguments: [ScanStrategy.talariaOnly, .visionFallback])
    func everyBookOfTheAnswerIsAScan(_ strategy: ScanStrategy) async throws {
        let stage = try Stage(strategy) { _ in Self.shelf }
        let names = Mutex<[String]>([])
        func scan() async throws -> [PhotoScan] {
            try await stage.session.scan(shelf: tinyPNG, name: "s") { scan in names.withLock { $0.append(scan.name) } }
        }
        let scans = try await scan()
        #expect(scans.map(\.name) == ["s#1.1", "s#1.2", "s#1.3", "s#1.4"])
        #expect(names.withLock { $0 } == scans.map(\.name))
        #expect(scans.map(\.status) == [.book, .draft, .book, .draft])
        // Two copies of one book are one in the library.
        #expect(try stage.store.books().map(\.title) == ["Dune"])
        #expect(try stage.store.drafts().map(\.lines) == [["ZZYZX 1"], ["ZZYZX 3"]])
        #expect(try stage.store.waitingScans().isEmpty && stage.reader.count == 0)
        // The upload was for the photo, once.
        #expect(scans.map(\.egress.requests) == [1, 0, 0, 0])
        // Scanned again, each place has its draft once.
        _ = try await scan()
        #expect(try stage.store.drafts().count == 2)
    }

    @Test func aPhotoThatWaitsLosesNoneOfItsBooks() async throws {
        let stage = try Stage(.talariaOnly) { _ in Self.shelf }
        stage.backEnd.failure = unreachable
        let scans = try await stage.session.scan(shelf: tinyPNG, name: "s")
        #expect(scans.map(\.status) == [.queued])
        stage.backEnd.failure = nil
        let titles = Mutex<[String?]>([])
        let report = try await stage.session.drain { _, title in titles.withLock { $0.append(title) } }
        #expect(report == DrainReport(done: 1))
        #expect(titles.withLock { $0 } == ["Dune", nil, "Dune", nil])
        #expect(try stage.store.books().count == 1 && stage.store.drafts().count == 2)
    }

    /// Killed after some of the books were written and before the scan was marked done: the answer comes again.
    ///
    /// It does at once or from the queue, and its books have the same ids: SHA-256 of the photo's id and the book's
    /// number, by another program.
    @Test func anAnswerThatIsTakenInTwiceDoublesNothing() async throws {
        let id = try #require(UUID(uuidString: "00000000-0000-4000-8000-000000000001"))
        let parts = ["20508CFD-4B01-8B4C-A858-6B92B89650AE", "961A106C-5E42-89AB-807E-BBEB418CDA6A"]
        let stage = try Stage(.talariaOnly) { _ in Self.shelf }
        for _ in 0..<2 { _ = try await stage.session.scan(photo: tinyPNG, name: "s", id: id) }
        #expect(try stage.store.books().count == 1)
        #expect(try stage.store.drafts().map(\.id.uuidString) == parts)

        let late = try Stage(.talariaOnly) { _ in Self.shelf }
        late.backEnd.failure = unreachable
        _ = try await late.session.scan(photo: tinyPNG, name: "s", id: id)
        late.backEnd.failure = nil
        let ids = Mutex<[String]>([])
        _ = try await late.session.drain { scan, _ in ids.withLock { $0.append(scan.uuidString) } }
        #expect(ids.withLock { $0 } == [id.uuidString, parts[0], "FBEB4CDF-F887-851B-A6CB-5478CD0CCB6F", parts[1]])
        #expect(try late.store.drafts().map(\.id.uuidString) == parts)
    }

    @Test func withoutTheBackEndThePhotoIsReadHere() async throws {
        let stage = try Stage(.visionFallback) { question in
            if case .picture = question { throw unreachable }
            return [dune]
        }
        let scans = try await stage.session.scan(shelf: tinyPNG, name: "s")
        // Nothing here reads shelves: the picture of one spine, whose text is named; the picture waits.
        #expect(scans.map(\.status) == [.book] && stage.reader.count == 1)
    }

    @Test func booksOfAnUploadStandWhereTheyStood() async throws {
        let corners = [(0.1, 0.2), (0.2, 0.2), (0.2, 0.9), (0.1, 0.9)].map { NormalizedPoint(x: $0.0, y: $0.1) }
        var books = Self.shelf
        books[0].place?.outline = corners
        let answer = books
        let stage = try Stage(.talariaOnly) { _ in answer }
        let scans = try await stage.session.scan(shelf: tinyPNG, name: "s")
        #expect(scans.map(\.place) == answer.map(\.place) && scans[0].place?.outline == corners)
        #expect(scans.map { $0.answer?.book.title } == ["Dune", nil, "Dune", nil])
    }
}
