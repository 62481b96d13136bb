import Basics
import BookCatalogue
import Talaria
import Testing

@testable import TalariaServer

@Suite struct BookResolverTests {
    private func resolve(_ lines: [String]) throws -> BookMetadata {
        try BookResolver(catalogue: BookCatalogue(books: TestServer.books, name: "test"))
            .resolve(lines.map { RemoteLine(text: $0) })
    }

    @Test func unknownBookIsWhatItsSpineSays() throws {
        let book = try resolve(["Completely Unlisted Work", "by Nobody Known"])
        #expect(book.enrichmentStatus != .success)
        #expect(book.title == "Completely Unlisted Work")
        #expect(book.authors == ["Nobody Known"])
        #expect(book.isbn == nil)
        #expect(book.coverURL == nil)
        #expect(book.isDraft)
        // Both routes mark it in their names, and neither does so for a book of the catalogue.
        let known = try resolve(["FRANK HERBERT", "DUNE"])
        for (draft, other) in try [
            (WireJSON.encode(book), WireJSON.encode(known)),
            (WireJSON.encode(book.enriched), WireJSON.encode(known.enriched)),
        ] {
            #expect(try WireJSON.decode(BookMetadata.self, from: draft).isDraft)
            #expect(!String(decoding: other, as: UTF8.self).lowercased().contains("draft"))
        }
    }

    @Test(arguments: [
        (["DUNE", "by Frank Herbert"], "DUNE", "Frank Herbert", nil as String?),
        (["Jane Austen", "Pride and Prejudice"], "Pride and Prejudice", "Jane Austen", nil),
        (["ISBN 0-441-17271-7", "Dune"], "Dune", nil, "9780441172719"), (["  ", "1984"], nil, nil, nil),
        ([], nil, nil, nil),
    ])
    func linesAreTitleAuthorAndNumber(_ lines: [String], _ title: String?, _ author: String?, _ isbn: String?) {
        let parsed = ParsedSpine(lines: lines)
        #expect(parsed.title == title)
        #expect(parsed.author == author)
        #expect(parsed.isbn?.digits == isbn)
    }
}
