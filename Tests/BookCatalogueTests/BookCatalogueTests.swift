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

    /// Books, and what is typed for each.
    private static let typed = OtherBooksTests.Shelf(
        "typed",
        """
        Hobbit, The / J.R.R. Tolkien
          = jrr tolkien; tolkien jrr; j r r tolkien; tolkien, j.r.r.; 9780261102217; ISBN 978-0-261-10221-7; 0261102214
        Nineteen Eighty-Four / George Orwell
          = 1984
        Catch-22 / Joseph Heller
          = catch 22; catch22; catch twenty-two
        A Wizard of Earthsea / Ursula K. Le Guin
          = leguin; ursula leguin
        The Lion, the Witch and the Wardrobe / C.S. Lewis
          = cs lewis
        Lewis / Other Lewis
        Harry Potter and the Goblet of Fire / J. K. Rowling
          = jk rowling
        C++ Primer / Stanley B. Lippman
          = C++; (c++),; primer c++
        C# in Depth / Jon Skeet
          = c#
        Pro ASP.NET and .NET / A. B.
          = .net
        The Internet / C. D.
        50% Off: A Shopper's Guide / E. F.
          = 50%
        Sisters of St. Mary / S. M.
          = saint mary; st mary
        O'Brien's Law / Pat O'Brien
          = obrien
        2001: A Space Odyssey / Arthur C. Clarke
          = two thousand and one
        One Hundred and One Dalmatians / Dodie Smith
          = 101 dalmatians
        Fahrenheit 451 / Ray Bradbury
          = fahrenheit four fifty one
        The Thirty-Nine Steps / John Buchan
          = 39 steps
        Dr. No / Ian Fleming
          = doctor no
        Emma / JA Austen
          = j a austen
        Twenty Thousand Leagues Under the Sea / Jules Verne
          = 20000 leagues
        """
    )

    @Test func textsAreFoundAsPeopleTypeThem() throws {
        var books = Self.typed.books
        books[0].isbn = ISBN("9780261102217")
        let catalogue = try BookCatalogue(books: books, name: "typed")
        for (text, title) in Self.typed.spines {
            let found = try catalogue.search(text).map(\.title)
            #expect(found.first == title, "\(text): \(found)")
            let pages = try (0..<found.count).flatMap { try catalogue.search(text, limit: 1, offset: $0).map(\.title) }
            #expect(pages == found)
        }
        #expect(try catalogue.search("C++").map(\.title) == ["C++ Primer"])
        // No title has it: its letter is searched for.
        #expect(try catalogue.search("c+++").map(\.title).contains("C++ Primer"))
        #expect(try catalogue.search("c").map(\.title).contains("Catch-22"))
    }

    /// By hand; "oh" as years are spoken.
    @Test(arguments: [
        (1984, "one thousand nine hundred eighty four|one thousand nine hundred and eighty four|nineteen eighty four"),
        (22, "twenty two"), (451, "four hundred fifty one|four hundred and fifty one|four fifty one"),
        (2000, "two thousand"),
        (1900, "one thousand nine hundred|nineteen hundred"), (9, ""), (1_000_000, ""),
        (1905, "one thousand nine hundred five|one thousand nine hundred and five|nineteen oh five"),
        (20_000, "twenty thousand"), (1001, "one thousand one|one thousand and one"),
    ])
    func numberWords(number: Int, forms: String) {
        #expect(NumberWords.forms(number) == forms.split(separator: "|").map(String.init))
    }

    @Test("the words of each number are that number, and words that are none are nil")
    func numbersInWords() {
        for number in Array(10..<10_000) + [20_000, 365_101] {
            for form in NumberWords.forms(number) where !form.contains("oh") {
                #expect(NumberWords.number(form.split(separator: " ")[...]) == number, "\(form)")
            }
        }
        for text in ["and", "hundred", "one and", "eleven one", "the two", "twenty ten five", "thousand", "two two"] {
            #expect(NumberWords.number(text.split(separator: " ")[...]) == nil, "\(text)")
        }
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
                let error = #expect(throws: StoreError.self) { try BookCatalogue(path: path) }
                #expect("\(try #require(error))".contains(reason))
            }
            try expect(Data(), "is not a catalogue")
            try expect(Data("title,author\n".utf8), "is not a catalogue")
            try expect(whole.prefix(5_000), "is damaged")
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
            #expect(throws: StoreError.self) { try BookCatalogue(path: path) }
        }
    }

    @Test func aLockedFileIsSaidToBeInUse() async throws {
        try await withFile { path in
            let queue = try DatabaseQueue(path: path)
            try queue.inDatabase { database in
                try database.execute(sql: "BEGIN EXCLUSIVE")
                let error = #expect(throws: StoreError.self) { try BookCatalogue(path: path) }
                #expect("\(try #require(error))".contains("by another program"))
                try database.execute(sql: "ROLLBACK")
            }
        }
    }
}
