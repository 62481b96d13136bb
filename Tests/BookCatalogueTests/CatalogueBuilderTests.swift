import Basics
import Foundation
import Testing

@testable import BookCatalogue

@Suite struct CatalogueBuilderTests {
    private func build(_ text: String, columns: [BookField: String] = [:]) throws -> (CatalogueBuilder, ListReport) {
        try build(Array(text.utf8), columns: columns)
    }

    private func build(_ bytes: [UInt8], columns: [BookField: String] = [:]) throws -> (CatalogueBuilder, ListReport) {
        var builder = CatalogueBuilder(name: "test", columns: columns)
        let report = try bytes.withUnsafeBufferPointer {
            try builder.add($0, path: "list", limit: nil, progress: { _, _ in })
        }
        return (builder, report)
    }

    @Test func goodbooksIsKnown() throws {
        let (builder, report) = try build(
            """
            book_id,isbn,isbn13,authors,original_publication_year,original_title,title,language_code,ratings_count,image_url
            1,439023483,9.78043902348e+12,Suzanne Collins,2008.0,The Hunger Games,"The Hunger Games (The Hunger Games, #1)",eng,4780653,https://example.org/1.jpg
            2,,,"Homer, Robert Fagles",-720.0,,Odyssey &amp; Iliad,,7,
            """
        )
        #expect(report.format == .table(separator: UInt8(ascii: ",")))
        #expect(
            report.mapping == [
                "title ← title, original_title", "authors ← authors", "isbn ← isbn13, isbn",
                "year ← original_publication_year", "language ← language_code", "cover ← image_url",
                "popularity ← ratings_count",
            ]
        )
        #expect(
            builder.books == [
                BookRecord(
                    title: "The Hunger Games",
                    authors: ["Suzanne Collins"],
                    isbn: ISBN("9780439023481"),
                    series: "The Hunger Games",
                    seriesNumber: 1,
                    year: 2008,
                    language: "eng",
                    coverURL: "https://example.org/1.jpg",
                    popularity: 4_780_653
                ),
                BookRecord(title: "Odyssey & Iliad", authors: ["Homer", "Robert Fagles"], year: -720, popularity: 7),
            ]
        )
    }

    @Test func semicolonsTabsMarksAndTurnedNamesAreKnown() throws {
        let bytes = [0xEF, 0xBB, 0xBF] + Array("Título;Autor\r\nEl Quijote;Cervantes, Miguel de\r\n".utf8)
        let folder = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID().uuidString).csv")
        try Data(bytes).write(to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        var builder = CatalogueBuilder(name: "test")
        let report = try builder.add(list: folder.path)
        #expect("\(report.format)" == "csv with semicolons")
        #expect(builder.books == [BookRecord(title: "El Quijote", authors: ["Miguel de Cervantes"])])
        let (tabs, _) = try build("name\tauthor\n\"A\tB\"\tC\n")
        #expect(tabs.books == [BookRecord(title: "A\tB", authors: ["C"])] || tabs.books[0].title == "A B")
    }

    @Test func badRowsAreListedAndNeverFatal() throws {
        var bytes = Array("title,author\n,A\nB\n\"C\" x,D\nE,F\n\"G,H\nI,J,K\n".utf8)
        bytes += [0x4C, 0xFF, 0x2C, 0x4D, 0x0A]
        bytes += Array("???,N\nO,P,\n".utf8)
        let (builder, report) = try build(bytes)
        #expect(builder.books.map(\.title) == ["E", "O"])
        #expect(report.rows == 9)
        #expect(report.books == 2)
        #expect(report.badRows == 7)
        #expect(
            report.listed.map(\.description) == [
                "list:2: no title", "list:3: 1 fields; expected 2, as in the header",
                "list:4: text after the closing quote of field 1; double a quote that is text",
                "list:6: unclosed quote; double quotes that are part of the text",
                "list:7: 3 fields; expected 2, as in the header", "list:8: not UTF-8; save the list as UTF-8",
                "list:9: a title without a letter or a digit",
            ]
        )
    }

    @Test func aWrongISBNIsLeftOutOfItsRow() throws {
        let (builder, report) = try build("title,isbn\nA,9780306406158\nB,0306406152\nC,0\n")
        #expect(builder.books.map(\.isbn) == [nil, ISBN("0306406152"), nil])
        #expect(report.wrongISBNs == 1)
        #expect(report.badRows == 0)
    }

    @Test func jsonLinesAreRead() throws {
        let (builder, report) = try build(
            """
            {"title": "A", "authors": ["X Y", {"name": "Z"}], "isbn_13": ["9780306406157"], "year": 1999}
            {"title": "B", "isbn_10": "080442957X"}
            {broken
            ["no object"]
            {"authors": ["nobody"]}
            """
        )
        #expect(
            builder.books == [
                BookRecord(title: "A", authors: ["X Y", "Z"], isbn: ISBN("9780306406157"), year: 1999),
                BookRecord(title: "B", isbn: ISBN("080442957X")),
            ]
        )
        #expect(report.listed.map(\.line) == [3, 4, 5])
    }

    @Test func openLibraryDumpsAreRead() throws {
        let dump = [
            ["/type/author", "/authors/OL1A", "1", "2008", #"{"key": "/authors/OL1A", "name": "Frank Herbert"}"#],
            [
                "/type/work", "/works/OL1W", "1", "2008",
                #"{"title": "Dune", "authors": [{"author": {"key": "/authors/OL1A"}}], "covers": [-1, 42]}"#,
            ],
            [
                "/type/edition", "/books/OL1M", "1", "2008",
                #"""
                {"title": "Dune", "authors": [{"key": "/authors/OL1A"}], "isbn_10": ["0441172717"], \#
                "publishers": ["Ace"], "publish_date": "June 1990", "languages": [{"key": "/languages/eng"}]}
                """#,
            ],
            ["/type/redirect", "/books/OL2M", "1", "2008", "{}"],
            ["/type/work", "/works/OL2W", "1", "2008", "{\"title\": "],
            ["/type/work", "/works/OL3W"],
        ].map { $0.joined(separator: "\t") }.joined(separator: "\n")
        let file = FileManager.default.temporaryDirectory.appending(path: "dump-\(UUID().uuidString).txt")
        try Data(dump.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var builder = CatalogueBuilder(name: "test")
        try builder.addAuthors(of: file.path)
        let report = try builder.add(list: file.path)
        // The work has no number: it is the edition's book.
        #expect(
            builder.books == [
                BookRecord(
                    title: "Dune",
                    authors: ["Frank Herbert"],
                    isbn: ISBN("0441172717"),
                    publisher: "Ace",
                    year: 1990,
                    language: "eng",
                    coverURL: "https://covers.openlibrary.org/b/id/42-M.jpg"
                )
            ]
        )
        #expect(report.others == 2)
        #expect(report.listed.map(\.line) == [5, 6])
    }

    @Test func duplicatesAreMergedAndEditionsAreNot() throws {
        let (builder, _) = try build(
            """
            title,author,isbn,year
            Dune,Frank Herbert,0441172717,
            Dune: a novel,"Herbert",,1965
            DUNE,Frank Herbert,9780441172719,1990
            Dune,Frank Herbert,9780441013593,2005
            Dune,Somebody Else,,2001
            """
        )
        #expect(builder.duplicates == 2)
        #expect(builder.books.map(\.year) == [1965, 2005, 2001])
        #expect(builder.books.map { $0.isbn?.digits } == ["9780441172719", "9780441013593", nil])
    }

    @Test(
        "lists of other programs and of people's hands have the same books",
        arguments: [
            "Title, Author, ISBN\n\"The Silver Lantern\", \"Quill, Ada\", \"9780306406157\"\n",
            "Title,Author,ISBN\n“The Silver Lantern”,“Ada Quill”,9780306406157\n",
            "“Title”;“Author”;“ISBN”\r\n„The Silver Lantern“; «Quill, Ada»;\t\"9780306406157\"\r\n",
            "Title\tRating\tAuthor\tISBN\n\"The Silver Lantern\"\t4,5\tAda Quill\t\"9780306406157\"\n",
            "Title;Ratings Count;Author;ISBN\nThe Silver Lantern;4,5;Ada Quill;9780306406157\n",
            "Title|Author|ISBN\n \"The Silver Lantern\" | Ada Quill | \"978-0-306-40615-7\" \n",
        ]
    )
    func quotedLists(text: String) throws {
        let (builder, report) = try build(text)
        let book = BookRecord(title: "The Silver Lantern", authors: ["Ada Quill"], isbn: ISBN("9780306406157"))
        #expect(builder.books == [book] && report.badRows == 0, "\(report)")
    }

    @Test func carriageReturnsAndUTF16AreRead() throws {
        let list = "Title,Author\r\"A, B\", \"C\"\r“D”,E\r"
        let wide = ("\u{FEFF}" + list.replacing("\r", with: "\r\n")).utf16.flatMap {
            [UInt8($0 >> 8), UInt8($0 & 0xFF)]
        }
        for bytes in [Array(list.utf8), wide] {
            let file = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID().uuidString).csv")
            try Data(bytes).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            var builder = CatalogueBuilder(name: "test")
            try builder.add(list: file.path)
            #expect(builder.books.map(\.title) == ["A, B", "D"])
        }
    }

    @Test func aQuoteOrANULByteThatIsOutOfPlaceCostsItsRow() throws {
        let (_, report) = try build("title,author\nA, \"B\nC,D\u{0}\nE,\"F\"\n\"")
        #expect(report.books == 1)
        #expect(
            report.listed.map(\.description) == [
                "list:2: unclosed quote; double quotes that are part of the text",
                "list:3: a NUL byte; save the table as UTF-8",
                "list:5: unclosed quote; double quotes that are part of the text",
            ]
        )
    }

    @Test func columnsCanBeTold() throws {
        let (builder, report) = try build("a,b,title\n1,2,3\n", columns: [.title: "B", .authors: "a"])
        #expect(builder.books == [BookRecord(title: "2", authors: ["1"])])
        #expect(report.mapping == ["title ← b", "authors ← a"])
    }

    @Test(
        "what is no list is refused with a reason",
        arguments: [
            ("", "empty"), ("a,b\n1,2\n", "--column title=NAME"), ("[{}]", "JSON array"),
            ("{\n  \"title\": \"A\"\n}\n", "one per line"),
            ("[\n  {\"title\": \"A\"}\n]", "JSON array"), ("{\"books\": [\n{", "one per line"),
            ("\u{1F}\u{8B}", "no text"),
            ("PK\u{3}\u{4}", "ZIP"), ("a\u{0}b\n", "not text"), ("\"title\n", "no header"),
        ]
    )
    func refused(text: String, reason: String) throws {
        let error = #expect(throws: CatalogueError.self) { try build(text) }
        if text != "\u{1F}\u{8B}" { #expect("\(try #require(error))".contains(reason)) }
    }

    @Test func compressedListsAreRefused() {
        #expect(throws: CatalogueError.source(path: "list", problem: "is compressed; unpack it with 'gunzip'")) {
            try build([0x1F, 0x8B, 8, 0])
        }
    }

    @Test func aSampleKeepsTheLabelledBooksAndIsPartOfALargerOne() throws {
        let list = "title,author\n" + (0..<100).map { "Book \($0),Author \($0)\n" }.joined()
        func sample(_ count: Int) throws -> [String] {
            var (builder, _) = try build(list)
            // One that the list has in another spelling, and one that it lacks.
            let added = builder.add(
                [BookRecord(title: "BOOK 7", authors: ["7"]), BookRecord(title: "New")],
                from: "labels"
            )
            #expect(added == 1)
            builder.sample(count, seed: 3)
            return builder.books.map(\.title)
        }
        let small = try sample(10)
        let large = try sample(40)
        #expect(small.count == 10)
        #expect(large.count == 40)
        #expect(Set(small).isSubset(of: large))
        #expect(small.contains("Book 7"))
        #expect(small.contains("New"))
        #expect(try sample(10) == small)
        #expect(try sample(1_000).count == 101)
    }

    @Test func labelledBooksAreTakenOutInAllEditions() throws {
        var (builder, _) = try build(
            "title,author,isbn\nDune,Frank Herbert,0441172717\nDune: a novel,Herbert,9780441013593\nDune,Else,\n"
        )
        builder.add([BookRecord(title: "Dune", authors: ["Else"])], from: "labels")
        #expect(builder.duplicates == 0)
        #expect(builder.remove([BookRecord(title: "DUNE", authors: ["HERBERT"])]) == 2)
        #expect(builder.books.map(\.authors) == [["Else"]])
    }

    @Test func partsAndCollectionsAreTakenOutWithTheBook() throws {
        var (builder, _) = try build(
            """
            title,author
            The Way of Kings,Brandon Sanderson
            "The Way of Kings, Part 1",Brandon Sanderson
            The Kings,Brandon Sanderson
            Brandon Sanderson's The Way of Kings,A Student
            The Way of Kingz,Brandon Sanderson
            The Way of Kings of France,Somebody Else
            Words of Radiance,Brandon Sanderson

            """
        )
        #expect(builder.remove([BookRecord(title: "The Way of Kings", authors: ["Brandon Sanderson"])]) == 4)
        #expect(builder.books.map(\.title) == ["The Kings", "The Way of Kings of France", "Words of Radiance"])
    }

    @Test func theLimitCountsRows() throws {
        var builder = CatalogueBuilder(name: "test")
        let report = try Array("title\nA\nB\nC\n".utf8).withUnsafeBufferPointer {
            try builder.add($0, path: "list", limit: 2, progress: { _, _ in })
        }
        #expect(report.rows == 2)
        #expect(builder.books.map(\.title) == ["A", "B"])
    }

    @Test func aListThatIsWrittenIsReadAgain() throws {
        let books = [
            BookRecord(title: "A, \"B\"", authors: ["X Y", "Z"], isbn: ISBN("0306406152"), year: 1999),
            BookRecord(title: "É", language: "fr"),
        ]
        #expect(try build(BookList.csv(books)).0.books == books)
    }

    /// Calibre's and BookBuddy's column; it distinguishes volumes with equal titles.
    @Test func aColumnOfVolumesKeepsThemApart() throws {
        let (builder, _) = try build(
            """
            Title,Author,Series,Volume
            One Piece,Oda,One Piece,1
            One Piece,Oda,One Piece,2
            Mad Ship,Robin Hobb,Liveship Traders,2
            Tern,Otto Brandt,,3
            """
        )
        #expect(
            builder.books == [
                BookRecord(title: "One Piece, Vol. 1", authors: ["Oda"], series: "One Piece", seriesNumber: 1),
                BookRecord(title: "One Piece, Vol. 2", authors: ["Oda"], series: "One Piece", seriesNumber: 2),
                BookRecord(title: "Mad Ship", authors: ["Robin Hobb"], series: "Liveship Traders", seriesNumber: 2),
                BookRecord(title: "Tern, Vol. 3", authors: ["Otto Brandt"]),
            ]
        )
    }
}
