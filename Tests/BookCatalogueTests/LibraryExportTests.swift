import Basics
import Foundation
import Testing

@testable import BookCatalogue

@Suite struct LibraryExportTests {
    private static let books = [
        LibraryBook(
            id: 1,
            title: "=HYPERLINK(\"http://example.org\")",
            authors: ["@sum", "B, C"],
            isbn: ISBN("0306406152"),
            coverURL: "https://example.org/c.jpg",
            publisher: "-1+1",
            year: 1999,
            addedAt: Date(timeIntervalSince1970: 0),
            spineConfidence: 0.5,
            tier: .enrich,
            enrichment: .success,
            state: .enriched
        ),
        LibraryBook(id: 2, title: "Two\nlines", addedAt: Date(timeIntervalSince1970: 0), tier: .fast),
    ]

    @Test func noFieldOfATableIsAFormula() {
        #expect(
            LibraryExport.csv(Self.books) == """
                title,authors,isbn,publisher,year,format,cover_url,added_at,spine_confidence,tier,enrichment,state
                "'=HYPERLINK(""http://example.org"")","'@sum; B, C",9780306406157,'-1+1,1999,,https://example.org/c.jpg,\
                1970-01-01T00:00:00Z,0.5,enrich,success,enriched
                "Two
                lines",,,,,,,1970-01-01T00:00:00Z,,fast,pending,ghost

                """
        )
    }

    @Test func jsonComesBack() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let text = try LibraryExport.json(Self.books)
        #expect(try decoder.decode([LibraryBook].self, from: Data(text.utf8)) == Self.books)
    }

    @Test func nothingIsAHeader() throws {
        #expect(LibraryExport.csv([]).split(separator: "\n").count == 1)
        #expect(try LibraryExport.json([]) == "[\n\n]\n")
    }
}
