import BookCatalogue
import Foundation
import LibraryStore
import Testing

@Suite struct LibraryStoreTests {
    @Test func aGhostBecomesABook() throws {
        let store = try LibraryStore.inMemory()
        let draft = Draft(lines: ["DUNE", "Frank Herbert"], createdAt: .now)
        try store.add(draft)
        try store.add(draft)
        #expect(try store.drafts().map(\.lines) == [["DUNE", "Frank Herbert"]])
        let book = try store.resolveDraft(draft.id, as: LibraryBook(title: "Dune", addedAt: Date(timeIntervalSince1970: 1_700_000_000), tier: .fast))
        #expect(try store.drafts().isEmpty)
        #expect(try store.books() == [book])
    }
}
