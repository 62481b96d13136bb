import Basics
import Foundation
import GRDB
import Testing

@testable import BookCatalogue

@Suite struct EmbeddedCatalogueTests {
    /// A list and labels small enough to be built often.
    private static let small = EmbeddedLists(
        books: Data(
            """
            title,authors,isbn13,series,year,language
            Dune,Frank Herbert,9780441172719,Dune,1965,en
            Dune Messiah,Frank Herbert,,Dune,1969,en
            Ficciones,Jorge Luis Borges; Anthony Kerrigan,9780802130303,,1944,en

            """.utf8
        ),
        labelled: Data("title,authors\nFicciones,Borges\nBeowulf,\nThe Hobbit,J. R. R. Tolkien\n".utf8),
        isOpen: true
    )

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/embedded-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    // MARK: What is in it

    /// A failure means that the catalogue of every run is its own answer key again.
    @Test func theCatalogueIsNoAnswerKey() throws {
        var lists = try EmbeddedLists.load()
        lists.isOpen = true
        let books = lists.builder().books
        let labelled = lists.labelledBooks()
        #expect(books.count >= 10_000)
        #expect(labelled.count * 20 < books.count)
        #expect(Double(books.count { $0.isbn != nil }) > 0.95 * Double(books.count))
        #expect(Double(books.count { $0.year != nil && !$0.authors.isEmpty }) > 0.95 * Double(books.count))

        // Every labelled book that is held out is missing in every edition, and every other one is present.
        let index = PrintedTitleIndex(books)
        func isThere(_ book: BookRecord) -> Bool {
            let author = book.authors.isEmpty ? nil : book.authors.joined(separator: ", ")
            return !index.books(with: book.title, author: author, in: books).isEmpty
        }
        let heldOut = labelled.filter(HeldOutBooks.contains)
        #expect((0.2...0.3).contains(Double(heldOut.count) / Double(labelled.count)))
        #expect(heldOut.filter(isThere).map(\.title) == [])
        #expect(labelled.count { !HeldOutBooks.contains($0) && !isThere($0) } == 0)
    }

    /// Every app has the embedded catalogue: no book is missing there for a measurement's sake.
    @Test func whatShipsHasEveryLabelledBook() throws {
        let lists = try EmbeddedLists.load()
        let (books, labelled) = (lists.builder().books, lists.labelledBooks())
        let index = PrintedTitleIndex(books)
        let missing = labelled.filter { index.books(with: $0.title, author: $0.authors.first, in: books).isEmpty }
        #expect(missing.map(\.title) == [] && labelled.contains(where: HeldOutBooks.contains))
        var small = Self.small
        small.isOpen = false
        #expect(small.builder().books.map(\.title) == ["Dune", "Dune Messiah", "Ficciones", "Beowulf", "The Hobbit"])
        #expect(small.key != Self.small.key)
        let names = try [BookCatalogue.embeddedName, BookCatalogue.openName].map { try BookCatalogue.named($0) }
        #expect(names.map(\.information.name) == ["embedded", "embedded-open"] && names[0].count > names[1].count)
    }

    @Test func everyListedBookHasAllFiveFacts() throws {
        var builder = CatalogueBuilder(name: "list")
        builder.add(table: try EmbeddedLists.load().books, of: [])
        #expect(builder.count == 12_000)
        #expect(builder.duplicates == 0)
        let incomplete = builder.books.filter {
            $0.authors.isEmpty || $0.isbn == nil || $0.year == nil || $0.language == nil
        }
        #expect(incomplete.map(\.title) == [])
    }

    /// Hashes by Python: FNV-1a of 64 bits over the key's UTF-8, and its remainder by 100.
    @Test(
        arguments: [
            ("Thérèse Raquin", ["Émile Zola"], true),  // therese raquin|zola: 0x277cd20c8da0e0b5, 1
            ("THÉRÈSE RAQUIN", ["ZOLA"], true),
            ("Beowulf", [], true),  // beowulf|: 0x302a9c7c5d5d803d, 5
            ("Pan Tadeusz", ["Adam Mickiewicz"], true),  // pan tadeusz|mickiewicz: 0x8a2706b015870c81, 1
            ("Ficciones", ["Jorge Luis Borges"], true),  // ficciones|borges: 0x57c13e41c516dee8, 0
            ("Los detectives salvajes", ["Bolaño"], false),  // detectives salvajes|bolano: 0xe91dee774975c7b9, 33
            ("Eats, Shoots & Leaves", ["Lynne Truss"], false),  // eats shoots and leaves|truss: 0x578279b4041c1b4a, 46
            ("The Hobbit: Or There and Back Again", ["J. R. R. Tolkien"], false),  // hobbit|tolkien: 57
            ("Dune", ["Frank Herbert"], false),  // dune|herbert: 0x56af72fa79f24953, 79
            ("Emma", ["Jane Austen"], false),  // emma|austen: 0xe1668b22f50450bd, 73
        ] as [(String, [String], Bool)]
    )
    func aBookIsHeldOutByTitleAndAuthorAlone(title: String, authors: [String], isHeldOut: Bool) {
        #expect(HeldOutBooks.contains(BookRecord(title: title, authors: authors)) == isHeldOut)
        let edition = BookRecord(
            title: title,
            authors: authors,
            isbn: ISBN("9780441172719"),
            publisher: "P",
            year: 1999,
            language: "x"
        )
        #expect(HeldOutBooks.contains(edition) == isHeldOut)
    }

    @Test func whatIsHeldOutIsInNoListEither() {
        // Held out are Ficciones, which is listed under another edition's authors, and Beowulf.
        #expect(Self.small.builder().books.map(\.title) == ["Dune", "Dune Messiah", "The Hobbit"])
    }

    // MARK: Where it is kept

    @Test func theCatalogueIsBuiltOnceAndKept() throws {
        try withFolder { folder in
            let built = try Self.small.catalogue(keptIn: folder)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files == ["catalogue-\(Self.small.key).sqlite"])
            let path = "\(folder)/\(files[0])"
            let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            let kept = try Self.small.catalogue(keptIn: folder)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date == date)
            let fresh = try Self.small.catalogue(keptIn: nil)
            #expect(kept.information == built.information && kept.information == fresh.information)
            #expect(try CatalogueMatcher(catalogue: kept).match(["DUNE", "HERBERT"]).answer?.book.title == "Dune")
        }
    }

    @Test func otherListsAreKeptApart() throws {
        var other = Self.small
        other.labelled.append(contentsOf: "Emma,Jane Austen\n".utf8)
        #expect(other.key != Self.small.key)
    }

    @Test(arguments: [0, 100, 20_000])
    func aDamagedFileIsBuiltAgain(bytesLeft: Int) throws {
        try withFolder { folder in
            let count = try Self.small.catalogue(keptIn: folder).count
            let path = "\(folder)/catalogue-\(Self.small.key).sqlite"
            let whole = try Data(contentsOf: URL(filePath: path))
            try (whole.prefix(bytesLeft) + Data(repeating: 0xA5, count: 5_000)).write(to: URL(filePath: path))
            let again = try Self.small.catalogue(keptIn: folder)
            #expect(again.count == count)
            #expect(try CatalogueMatcher(catalogue: again).match(["DUNE", "HERBERT"]).answer?.book.title == "Dune")
            #expect(try Data(contentsOf: URL(filePath: path)).count == whole.count)
        }
    }

    @Test func withoutAFolderThatCanBeWrittenItIsInMemory() throws {
        try withFolder { folder in
            // A file is where the folder would be.
            try Data().write(to: URL(filePath: folder))
            #expect(try Self.small.catalogue(keptIn: folder).count == 3)
        }
    }

    @Test func manyMayBuildItAtTheSameTime() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/embedded-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try Self.small.catalogue(keptIn: folder).count } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 3, count: 8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }

    /// Catalogue stored by a program of this version.
    ///
    /// If it differs, raise `EmbeddedLists.version` and approve the new digest:
    /// else catalogues are used that were built in another way.
    @Test func aVersionKeepsTheSameTables() throws {
        let digest = try Self.small.catalogue(keptIn: nil).read { database in
            var digest = ContentDigest()
            for table in ["book", "matchGram", "matchBook", "matchPart"] {
                for row in try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY 1") {
                    digest.add(Data("\(row)".utf8))
                    for value in row.databaseValues {
                        if case .blob(let bytes) = value.storage { digest.add(bytes) }
                    }
                }
            }
            return digest.digits
        }
        #expect("\(EmbeddedLists.version) \(digest)" == "5 3f7174b5fc5ffbac")
    }
}
