import Basics
import Foundation
import Testing

@testable import BookCatalogue

@Suite struct CatalogueBuilderTests {
    private func build(_ table: String) -> CatalogueBuilder {
        var builder = CatalogueBuilder(name: "test")
        builder.add(table: Data(table.utf8), of: [])
        return builder
    }

    @Test func duplicatesAreMergedAndEditionsAreNot() throws {
        let builder = build(
            """
            title,authors,isbn13,year
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

    @Test func aSampleKeepsTheLabelledBooksAndIsPartOfALargerOne() throws {
        let list = "title,authors\n" + (0..<100).map { "Book \($0),Author \($0)\n" }.joined()
        func sample(_ count: Int) throws -> [String] {
            var builder = build(list)
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
        var builder = build(
            "title,authors,isbn13\nDune,Frank Herbert,0441172717\nDune: a novel,Herbert,9780441013593\nDune,Else,\n"
        )
        builder.add([BookRecord(title: "Dune", authors: ["Else"])], from: "labels")
        #expect(builder.duplicates == 0)
        #expect(builder.remove([BookRecord(title: "DUNE", authors: ["HERBERT"])]) == 2)
        #expect(builder.books.map(\.authors) == [["Else"]])
    }

    @Test func partsAndCollectionsAreTakenOutWithTheBook() throws {
        var builder = build(
            """
            title,authors
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

    @Test func aListThatIsWrittenIsReadAgain() throws {
        let books = [
            BookRecord(title: "A, \"B\"", authors: ["X Y", "Z"], isbn: ISBN("0306406152"), year: 1999),
            BookRecord(title: "É", language: "fr"),
        ]
        #expect(build(BookTable.csv(books)).books == books)
    }
}
