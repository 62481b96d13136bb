import Foundation
import Testing

@testable import SpineSynthesis

@Suite("Book")
struct BookTests {
    @Test("there are enough books in enough languages, and enough imprints")
    func size() {
        #expect(Book.all.count >= 460)
        for language in Book.Language.allCases {
            #expect(Book.all.count { $0.language == language } >= 20, "\(language)")
            let imprints = language.words.imprints
            #expect(imprints.count >= 10, "\(language)")
            #expect(Set(imprints).count == imprints.count, "\(language)")
            #expect(imprints.allSatisfy { $0 == $0.trimmingCharacters(in: .whitespaces) && $0.count <= 25 })
        }
    }

    @Test("titles are as varied as those on a shelf")
    func variety() {
        let titles = Book.all.map(\.title)
        #expect(titles.count { !$0.contains(" ") } >= 15)
        #expect(titles.count { $0.count >= 45 } >= 12)
        #expect(titles.count { $0.contains(where: \.isWholeNumber) } >= 12)
        #expect(titles.count { !$0.allSatisfy(\.isASCII) } >= 60)
        #expect(Book.all.count { $0.series != nil } >= 50)
        for mark in ":&!?',()./#-–" { #expect(titles.contains { $0.contains(mark) }, "\(mark)") }
    }

    @Test("no book is listed twice")
    func unique() {
        let keys = Book.all.map { book in
            "\(book.title)/\(book.author)".folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        }
        let twice = Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
        #expect(twice == [])
        let numbers = Book.all.filter { $0.series != nil }.map { book in
            "\(book.language) \(book.series?.name ?? "") \(book.series?.number ?? 0)"
        }
        #expect(Set(numbers).count == numbers.count)
    }

    @Test("every text can be printed, is composed, and has no stray spaces")
    func texts() {
        for book in Book.all {
            #expect((1...200).contains(book.title.count))
            #expect(!book.author.isEmpty && !book.surname.isEmpty)
            for text in [book.title, book.author, book.surname] + (book.series.map { [$0.name] } ?? []) {
                // Compared as scalars: strings that differ only in composition are equal.
                #expect(text.unicodeScalars.elementsEqual(text.precomposedStringWithCanonicalMapping.unicodeScalars))
                #expect(!text.unicodeScalars.contains(where: CharacterSet.controlCharacters.contains), "\(text)")
                #expect(text == text.trimmingCharacters(in: .whitespaces) && !text.contains("  "), "\(text)")
                #expect(!text.contains("|") && !text.contains("\""), "\(text)")
            }
        }
    }

    @Test("the short name is part of the author's name")
    func surnames() {
        for book in Book.all {
            let people = book.surname.split(separator: " & ").flatMap { $0.split(separator: ", ") }
            #expect(people.allSatisfy { book.author.contains($0) }, "\(book.surname) of \(book.author)")
        }
    }

    @Test(
        "the short name is the last word with its particles",
        arguments: [
            ("Jane Austen", "Austen"), ("Ursula K. Le Guin", "Le Guin"), ("Simone de Beauvoir", "de Beauvoir"),
            ("Laurens van der Post", "van der Post"), ("Daphne du Maurier", "du Maurier"), ("Stendhal", "Stendhal"),
            ("Edmondo De Amicis", "De Amicis"), ("Van Morrison", "Morrison"), ("", ""), ("La", "La"),
            ("Terry Pratchett & Neil Gaiman", "Pratchett & Gaiman"),
            ("Julia Child, Louisette Bertholle & Simone Beck", "Child, Bertholle & Beck"), ("&", "&"),
            ("Gabriel García Márquez", "Márquez"),  // Needs to be told.
        ]
    )
    func shortName(_ author: String, _ expected: String) {
        #expect(Book.shortName(of: author) == expected)
    }

    @Test("a row may end after the author or the short name")
    func rows() {
        let short = Book(row: ["Emma", "Jane Austen"], .english)
        #expect(short == Book("Emma", "Jane Austen", "Austen"))
        let named = Book(row: ["Rayuela", "Julio Cortázar", "Cortázar"], .spanish)
        #expect(named == Book("Rayuela", "Julio Cortázar", "Cortázar", .spanish))
        let series = Book.Series(name: "Discworld", number: 5)
        let full = Book(row: ["Sourcery", "Terry Pratchett", "", "Discworld", "5"], .english)
        #expect(full == Book("Sourcery", "Terry Pratchett", "Pratchett", series: series))
    }

    #if os(Linux) || os(macOS)
    @Test("a malformed row stops the program")
    func malformed() async {
        await #expect(processExitsWith: .failure) { _ = Book(row: ["Emma"], .english) }
        await #expect(processExitsWith: .failure) { _ = Book(row: ["Emma", ""], .english) }
        await #expect(processExitsWith: .failure) { _ = Book(row: ["Mort", "T. P.", "", "Disc", "four"], .english) }
    }
    #endif
}
