import Basics
import Foundation
import GRDB
import Testing

@testable import BookCatalogue

@Suite struct LibraryStoreTests {
    static let time = Date(timeIntervalSince1970: 1_700_000_000)

    private func ghost(_ title: String, _ authors: [String] = [], isbn: String? = nil) -> LibraryBook {
        LibraryBook(
            title: title,
            authors: authors,
            isbn: isbn.flatMap { ISBN($0) },
            addedAt: Self.time,
            spineConfidence: 0.5,
            tier: .fast
        )
    }

    @Test func anotherProgramsDatabaseIsLeftAsItIs() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "foreign-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "CREATE TABLE book (mine TEXT)") }
        try queue.close()
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(throws: StoreError.self) { try LibraryStore(path: path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func aGhostBecomesABook() throws {
        let store = try LibraryStore.inMemory()
        let draft = Draft(lines: ["DUNE", "Frank Herbert"], confidence: 0.7, createdAt: Self.time, source: "a.jpg")
        try store.add(draft)
        try store.add(draft)
        #expect(try store.drafts() == [draft])
        let book = try store.resolveDraft(draft.id, as: ghost("Dune"))
        #expect(try store.drafts().isEmpty)
        #expect(try store.books() == [book])
        // A killed pipeline starts over: the same draft comes again.
        try store.add(draft)
        #expect(try store.drafts().isEmpty)
    }

    @Test func aDraftThatIsResolvedTwiceIsOneBook() throws {
        let store = try LibraryStore.inMemory()
        let draft = Draft(lines: ["DVNE"], createdAt: Self.time)
        try store.add(draft)
        try store.resolveDraft(draft.id, as: ghost("Dvne"))
        var enriched = ghost("Dune", ["Frank Herbert"], isbn: "0441172717")
        enriched.state = .enriched
        let book = try store.resolveDraft(draft.id, as: enriched)
        #expect(try store.books() == [book])
        #expect(book.title == "Dune")
    }

    @Test func aDraftMergesIntoTheBookThatIsThere() throws {
        let store = try LibraryStore.inMemory()
        let first = try store.upsert(ghost("Dune", ["Frank Herbert"]))
        let draft = Draft(lines: ["DUNE"], createdAt: Self.time)
        try store.add(draft)
        #expect(try store.resolveDraft(draft.id, as: ghost("DUNE", ["HERBERT"])).id == first.id)
        #expect(try store.books().count == 1)
    }

    @Test func aDiscardedDraftStaysAway() throws {
        let store = try LibraryStore.inMemory()
        let draft = Draft(lines: ["x"], createdAt: Self.time)
        try store.add(draft)
        try store.discardDraft(draft.id)
        try store.add(draft)
        #expect(try store.drafts().isEmpty)
        #expect(try store.books().isEmpty)
    }

    @Test func aPictureHasOneOpenDraft() throws {
        let store = try LibraryStore.inMemory()
        func draft(_ line: String, _ picture: String?) -> Draft {
            Draft(lines: [line], createdAt: Self.time, picture: picture)
        }
        try store.add(draft("DUNE", "1"))
        let again = draft("DUNE MESSIAH", "1")
        try store.add(again)
        // The latest reading of it, which can become a book.
        #expect(try store.drafts() == [again])
        try store.add(draft("EMMA", "2"))
        try store.add(draft("a frame", nil))
        try store.add(draft("another frame", nil))
        #expect(try store.drafts().count == 4)
        try store.resolveDraft(again.id, as: ghost("Dune Messiah"))
        #expect(try store.drafts().count == 3 && store.books().count == 1)
        // A draft that became a book is not open: a scan without a name keeps its text.
        try store.add(draft("DUNE M", "1"))
        #expect(try store.drafts().count == 4)
    }

    @Test func aDraftWhoseScanWaitsIsNotReplaced() throws {
        let store = try LibraryStore.inMemory()
        let first = Draft(lines: ["DUNE"], createdAt: Self.time, picture: "1")
        try store.add(first)
        try store.enqueue(text: "DUNE", id: first.id, createdAt: Self.time)
        try store.add(Draft(lines: ["DUNE"], createdAt: Self.time, picture: "1"))
        #expect(try store.drafts() == [first])
    }

    @Test func upsertNeverLosesFields() throws {
        let store = try LibraryStore.inMemory()
        var enriched = ghost("Dune", ["Frank Herbert"], isbn: "0441172717")
        enriched.state = .enriched
        enriched.enrichment = .success
        enriched.publisher = "Ace"
        enriched.coverURL = "https://example.org/c.jpg"
        try store.upsert(enriched)
        var again = ghost("DUNE", ["HERBERT"])
        again.addedAt = Self.time + 60
        again.spineConfidence = 0.9
        again.format = "paperback"
        again.enrichment = .error
        let book = try store.upsert(again)
        var expected = enriched
        expected.id = book.id
        expected.spineConfidence = 0.9
        expected.format = "paperback"
        #expect(book == expected)
        #expect(try store.books() == [expected])
    }

    @Test func anISBNMakesTwoRowsOne() throws {
        let store = try LibraryStore.inMemory()
        let known = try store.upsert(ghost("Dune", ["Frank Herbert"], isbn: "0441172717"))
        let misread = try store.upsert(ghost("Dvne"))
        let draft = Draft(lines: ["DVNE"], createdAt: Self.time)
        try store.add(draft)
        try store.resolveDraft(draft.id, as: misread)
        var told = misread
        told.isbn = ISBN("9780441172719")
        told.state = .enriched
        told.title = "Dune"
        let book = try store.upsert(told)
        #expect(book.id == known.id)
        #expect(try store.books() == [book])
        // The draft follows its book.
        #expect(try store.resolveDraft(draft.id, as: ghost("Dune Messiah")).id == known.id)
    }

    /// Gardening is mentioned by a source of a draft alone, until another book is in its place.
    @Test(arguments: [
        (["Dune", "Emma"], [["Gardening", "Dune"], ["Emma", "Dune"]]),
        (["Dune", "Dune"], [["Gardening", "Dune"], ["Dune"]]),
    ])
    func draftsThatWereTakenForOneBookMayTurnOutToBeOthers(titles: [String], expected: [[String]]) throws {
        let store = try LibraryStore.inMemory()
        let drafts = titles.map { Draft(lines: [$0], createdAt: Self.time) }
        for draft in drafts {
            try store.add(draft)
            try store.resolveDraft(draft.id, as: ghost("Gardening", ["A. Gardener"]))
        }
        for (place, draft) in drafts.enumerated() {
            try store.resolveDraft(draft.id, as: ghost(titles[place], ["\(titles[place])'s Author"]))
            #expect(try store.books().map(\.title) == expected[place])
        }
    }

    @Test func aTitleWithoutAuthorDecidesOnlyWhereItIsTheOnlyOne() throws {
        let store = try LibraryStore.inMemory()
        try store.upsert(ghost("Poems", ["A. Alpha"]))
        try store.upsert(ghost("Poems"))
        #expect(try store.books().count == 1)
        try store.upsert(ghost("Poems", ["B. Beta"]))
        try store.upsert(ghost("Poems"))
        #expect(try store.books().count == 3)
        try store.upsert(ghost("Poems"))
        #expect(try store.books().count == 3)
    }

    @Test func editionsWithOtherNumbersAndTwoOfASeriesAreTwoBooksEach() throws {
        let store = try LibraryStore.inMemory()
        try store.upsert(ghost("Dune", ["Frank Herbert"], isbn: "0441172717"))
        try store.upsert(ghost("Dune", ["Frank Herbert"], isbn: "9780441013593"))
        try store.upsert(ghost("Star Wars: Path of Destruction", ["Drew Karpyshyn"]))
        try store.upsert(ghost("Star Wars: Rule of Two", ["Drew Karpyshyn"]))
        #expect(try store.books().count == 4)
    }

    @Test(
        "an unknown status counts as pending",
        arguments: [("success", LibraryBook.Enrichment.success), ("?", .pending)]
    )
    func enrichment(name: String, expected: LibraryBook.Enrichment) {
        #expect(LibraryBook.Enrichment(name: name) == expected)
    }
}
