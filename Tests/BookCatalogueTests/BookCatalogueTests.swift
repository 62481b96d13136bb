import Basics
import Foundation
import GRDB
import Testing

@testable import BookCatalogue

@Suite struct BookCatalogueTests {
    private static let books = [
        BookRecord(title: "Dune Messiah", authors: ["Frank Herbert"], series: "Dune", popularity: 5),
        BookRecord(title: "Dune", authors: ["Frank Herbert"], isbn: ISBN("0441172717"), series: "Dune", popularity: 9),
        BookRecord(title: "The Dune Encyclopedia", authors: ["Willis McNelly"]),
        BookRecord(title: "Thérèse Raquin", authors: ["Émile Zola"]),
        BookRecord(title: "It", authors: ["Stephen King"], popularity: 7),
        BookRecord(title: "It's Not Easy Being a Bunny", authors: ["Marilyn Sadler"]),
        BookRecord(title: "The Dosadi Experiment", authors: ["Frank Herbert"], popularity: 1),
        BookRecord(title: "Dune: a novel", authors: ["Frank Herbert"], isbn: ISBN("9780441013593"), popularity: 2),
    ]

    private func catalogue() throws -> BookCatalogue { try BookCatalogue(books: Self.books, name: "test") }

    /// Calls `body` with the path of a written catalogue.
    private func withFile(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/catalogue-\(UUID().uuidString).sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var builder = CatalogueBuilder(name: "test")
        builder.add(Self.books, from: "test")
        try builder.write(to: path)
        try await body(path)
    }

    @Test func theExactTitleComesFirstThenThoseThatBeginSo() throws {
        let titles = try catalogue().search("dune").map(\.title)
        #expect(titles.first == "Dune")
        #expect(Set(titles[1...2]) == ["Dune Messiah", "Dune: a novel"])
        #expect(titles.last == "The Dune Encyclopedia")
    }

    @Test(
        "titles and authors are found whatever their spelling",
        arguments: [
            ("THERESE", "Thérèse Raquin"), ("émile zola raquin", "Thérèse Raquin"),
            ("Mcnelly", "The Dune Encyclopedia"),
            ("it", "It"), ("i", "It"), ("IT'S not", "It's Not Easy Being a Bunny"), ("sadi", "The Dosadi Experiment"),
        ]
    )
    func found(text: String, title: String) throws {
        #expect(try catalogue().search(text).first?.title == title)
    }

    @Test(
        "hostile text is only text",
        arguments: [
            "\"", "dune\" OR \"", "dune AND NOT herbert", "NEAR(dune herbert)", "title:dune", "*", "du*", "^dune",
            "'; --",
            "(", "{foldedTitle}:x", "\u{0}", "%", "_____", "\\", "-dune", "+", "🙈", "",
            String(repeating: "dune ", count: 10_000),
        ]
    )
    func hostile(text: String) throws {
        #expect(try catalogue().search(text).count <= Self.books.count)
    }

    @Test func pagesFollowEachOther() throws {
        let catalogue = try catalogue()
        let all = try catalogue.search("herbert")
        #expect(all.count == 4)
        #expect(try catalogue.search("herbert", limit: 2) + catalogue.search("herbert", limit: 2, offset: 2) == all)
        #expect(try catalogue.search("herbert", limit: 0).isEmpty)
        #expect(try catalogue.search("herbert", limit: 5, offset: 4).isEmpty)
    }

    @Test func booksAreFoundByIDAndISBN() throws {
        let catalogue = try catalogue()
        #expect(try catalogue.book(id: 4)?.title == "Thérèse Raquin")
        #expect(try catalogue.book(id: 0) == nil)
        #expect(try catalogue.books(ids: [5, 99, 1, 5]).map(\.id) == [5, 1, 5])
        #expect(try catalogue.books(isbn: #require(ISBN("9780441172719"))).map(\.title) == ["Dune"])
    }

    @Test func relatedBooksAreThoseOfTheSeriesThenOfTheAuthor() throws {
        let catalogue = try catalogue()
        let dune = try #require(try catalogue.book(id: 2))
        #expect(try catalogue.related(to: dune).map(\.title) == ["Dune Messiah", "The Dosadi Experiment"])
        #expect(try catalogue.related(to: dune, limit: 1).map(\.title) == ["Dune Messiah"])
        #expect(try catalogue.related(to: BookRecord(title: "Nothing")).isEmpty)
        #expect(try catalogue.related(to: dune, limit: 0).isEmpty)
    }

    @Test func aWrittenCatalogueIsReadAgain() async throws {
        try await withFile { path in
            let catalogue = try BookCatalogue(path: path)
            #expect(catalogue.count == Self.books.count)
            var second = Self.books[1]
            second.id = 2
            #expect(try catalogue.book(id: 2) == second)
            #expect(try catalogue.search("raquin").map(\.title) == ["Thérèse Raquin"])
            #expect(catalogue.information.booksWithISBN == 2)
            #expect(catalogue.information.sources == [CatalogueSource(name: "test", format: "dataset", rows: 8)])
            #expect(try self.catalogue().information.contentDigest == catalogue.information.contentDigest)
            #expect(!FileManager.default.fileExists(atPath: CatalogueBuilder.partialPath(of: path)))
        }
    }

    @Test func readersShareAFile() async throws {
        try await withFile { path in
            let catalogue = try BookCatalogue(path: path)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<16 { group.addTask { try catalogue.search("dune").count } }
                for try await count in group { #expect(count == 4) }
            }
        }
    }

    @Test func whatIsNoCatalogueIsRefused() async throws {
        try await withFile { path in
            let whole = try Data(contentsOf: URL(filePath: path))
            func expect(_ data: Data, _ reason: String) throws {
                try data.write(to: URL(filePath: path))
                let error = #expect(throws: CatalogueError.self) { try BookCatalogue(path: path) }
                #expect("\(try #require(error))".contains(reason))
            }
            try expect(Data(), "is not a catalogue")
            try expect(Data("title,author\n".utf8), "is not a catalogue")
            try expect(whole.prefix(5_000), "is truncated")
            var other = whole
            other[68] = 0
            try expect(other, "another program's database")
            var newer = whole
            newer[63] = UInt8(CatalogueSchema.version + 1)
            try expect(newer, "update the program")
            var older = whole
            older[63] = 0
            try expect(older, "this program needs")
            var damaged = whole
            for offset in 100..<damaged.count { damaged[offset] = 0x55 }
            try expect(damaged, "damaged")
            try FileManager.default.removeItem(atPath: path)
            #expect(throws: CatalogueError.self) { try BookCatalogue(path: path) }
        }
    }

    @Test func aLockedFileIsSaidToBeInUse() async throws {
        try await withFile { path in
            let queue = try DatabaseQueue(path: path)
            try queue.inDatabase { database in
                try database.execute(sql: "BEGIN EXCLUSIVE")
                let error = #expect(throws: CatalogueError.self) { try BookCatalogue(path: path) }
                #expect("\(try #require(error))".contains("by another program"))
                try database.execute(sql: "ROLLBACK")
            }
        }
    }
}
