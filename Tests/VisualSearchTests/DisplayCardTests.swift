import BookCatalogue
import Foundation
import Testing

@testable import VisualSearch

@Suite struct DisplayCardTests {
    private func shelf(_ id: EntityID, name: String = "", count: Int) -> VisualSearchResult {
        .shelf(ShelfEntity(id: id, name: name, count: count, books: []))
    }

    @Test func aBookHasTitleAuthorsAndYear() {
        var book = BookEntity(BookRecord(title: "Dune", authors: ["Frank Herbert", "B", "C"], year: 1965))
        #expect(DisplayCard(.book(book), language: "en").subtitle == "Frank Herbert, B · 1965")
        book.scannedOn = "2026-03-12"
        #expect(DisplayCard(.book(book), language: "de").subtitle == "Frank Herbert, B · 1965 · in deiner Bibliothek")
        #expect(DisplayCard(.book(BookEntity(BookRecord(title: "Dune"))), language: "en").subtitle == "")
    }

    @Test(arguments: [
        ("en", "Book", "Shelf", "1 book", "2 books", "0 shelves"),
        ("de", "Buch", "Regal", "1 Buch", "2 Bücher", "0 Regale"),
        ("es", "Libro", "Estante", "1 libro", "2 libros", "0 estantes"),
        ("fr", "Livre", "Étagère", "1 livre", "2 livres", "0 étagère"),
        ("pt-BR", "Book", "Shelf", "1 book", "2 books", "0 shelves"),
    ])
    func kindsHaveNamesAndPlurals(
        language: String,
        book: String,
        shelf: String,
        one: String,
        two: String,
        none: String
    ) {
        let words = EntityWords(language: language)
        #expect(
            [words.book, words.shelf, words.books(1), words.books(2), words.shelves(0)] == [
                book, shelf, one, two, none,
            ]
        )
    }

    @Test func shelvesSayWhatTheyAre() {
        #expect(DisplayCard(shelf(.photo("x"), count: 15), language: "fr").title == "Cette étagère")
        #expect(DisplayCard(shelf(.author("x"), name: "Le Guin", count: 1), language: "en").title == "By Le Guin")
        #expect(DisplayCard(shelf(.series("x"), name: "Dune", count: 6), language: "es").title == "Serie: Dune")
        #expect(DisplayCard(shelf(.scanned("x"), name: "2026-03-12", count: 6), language: "de").subtitle == "6 Bücher")
    }

    @Test(
        arguments: [
            ("a\n b\t\u{7}c", "a b c"), ("\u{202E}evil\u{202C} \u{200B}word", "evil word"), ("", ""),
            (String(repeating: "word ", count: 30), String(repeating: "word ", count: 10).dropLast() + " word…"),
            (String(repeating: "x", count: 61), String(repeating: "x", count: 59) + "…"),
            (String(repeating: "é", count: 60), String(repeating: "é", count: 60)),
        ] as [(String, String)]
    )
    func linesArePlainAndShort(text: String, line: String) {
        #expect(DisplayCard.line(text, 60) == line)
        #expect(line.count <= 60)
    }
}
