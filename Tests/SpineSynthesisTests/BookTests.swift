import Foundation
import SpineDatasets
import Testing

@testable import SpineSynthesis

@Suite("List of titles")
struct BookListTests {
    private static let known = "en, fr, de, es, it, pt, pl, sv, no"

    @Test(
        "a line is a book",
        arguments: [
            ("Emma", Book("Emma", "", "")),
            ("Emma\tJane Austen", Book("Emma", "Jane Austen", "Austen")),
            (" Emma \t Jane Austen ", Book("Emma", "Jane Austen", "Austen")),
            ("Emma\tJane Austen\ten\tJ. Austen", Book("Emma", "Jane Austen", "J. Austen")),
            ("Emma\tJane Austen\t\t", Book("Emma", "Jane Austen", "Austen")),
            // A file from a spreadsheet that has more columns elsewhere.
            ("Emma\tJane Austen\t\t\t\t", Book("Emma", "Jane Austen", "Austen")),
            ("Beowulf\t\tEN", Book("Beowulf", "", "")),
            ("Sult\tKnut Hamsun\tno", Book("Sult", "Knut Hamsun", "Hamsun", .norwegian)),
            ("C# in Depth", Book("C# in Depth", "", "")),
            ("1984\r\n", Book("1984", "", "")),
            ("\u{FEFF}Kim", Book("Kim", "", "")),
            ("\u{FEFF}# Mine\r\n\r\n \t \r\n  # too\r\nKim", Book("Kim", "", "")),
            (String(repeating: "é", count: 200), Book(String(repeating: "é", count: 200), "", "")),
        ]
    )
    func line(_ text: String, _ book: Book) throws {
        #expect(try Book.list(from: text, file: "titles.txt") == [book])
    }

    @Test("books come in the order of their lines, however lines end", arguments: ["\n", "\r\n", "\r"])
    func order(_ end: String) throws {
        let text = ["It", "", "# a comment", "Kim", "It", ""].joined(separator: end)
        #expect(try Book.list(from: text, file: "t").map(\.title) == ["It", "Kim", "It"])
    }

    @Test("a long list is read whole")
    func long() throws {
        let books = try Book.list(from: String(repeating: "Emma\tJane Austen\ten\n", count: 3000), file: "t")
        #expect(books.count == 3000)
    }

    @Test("letters are composed")
    func composition() throws {
        let books = try Book.list(from: "E\u{301}mile\tE\u{301}. Zola", file: "t")
        #expect(books.first.map { Array($0.title.unicodeScalars) } == Array("\u{C9}mile".unicodeScalars))
        #expect(books.first.map { Array($0.author.unicodeScalars) } == Array("\u{C9}. Zola".unicodeScalars))
    }

    @Test(
        "a bad line is reported with what is wrong",
        arguments: [
            ("\tJane Austen", "no title in the first column"),
            ("Emma\tJane Austen\txx", "the language “xx” is not one of \(known)"),
            ("Emma\tJane Austen\tenglish", "the language “english” is not one of \(known)"),
            ("Emma\t\t\tAusten", "a short name without an author"),
            ("Em\u{7}ma", "the title has the character U+0007, which cannot be printed"),
            ("Em\u{0}ma", "the title has the character U+0000, which cannot be printed"),
            ("Emma\tJane\u{200B}Austen", "the author has the character U+200B, which cannot be printed"),
            ("Emma\tJane Austen\ten\tA\u{85}", "the short name has the character U+0085, which cannot be printed"),
            (
                String(repeating: "a", count: 201),
                "the title has 201 characters; at most 200 fit on a spine"
            ),
            ("a\tb\ten\tb\te", "5 columns; a line has at most title, author, language and short name"),
        ]
    )
    func fault(_ line: String, _ message: String) {
        let error = SynthesisError.input("1 fault in the list of titles\n  my.tsv:2: \(message)")
        #expect(throws: error) { try Book.list(from: "It\n\(line)\nKim", file: "my.tsv") }
    }

    @Test("every fault is reported at once")
    func allFaults() throws {
        let error = #expect(throws: SynthesisError.self) {
            try Book.list(from: "It\r\n\tStephen King\txx\r\n# fine\r\nKim\tR. Kipling\tzz", file: "my.tsv")
        }
        #expect(
            error?.description == """
                3 faults in the list of titles
                  my.tsv:2: no title in the first column
                  my.tsv:2: the language “xx” is not one of \(Self.known)
                  my.tsv:4: the language “zz” is not one of \(Self.known)
                """
        )
    }

    @Test("a file without a book is refused", arguments: ["", "\u{FEFF}", "\n\n", "# a title\n", "\t\t\t"])
    func empty(_ text: String) {
        let fault = "1 fault in the list of titles\n  my.txt: no books; write one title per line"
        #expect(throws: SynthesisError.input(fault)) { try Book.list(from: text, file: "my.txt") }
    }
}

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
        for mark in ":&!?',()./#-–" { #expect(titles.contains { $0.contains(mark) }, "\(mark)") }
    }

    @Test("no book is listed twice")
    func unique() {
        let keys = Book.all.map { book in
            "\(book.title)/\(book.author)".folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        }
        let twice = Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
        #expect(twice == [])
    }

    @Test("every text can be printed, is composed, and has no stray spaces")
    func texts() {
        for book in Book.all {
            #expect((1...200).contains(book.title.count))
            #expect(!book.author.isEmpty && !book.surname.isEmpty)
            for text in [book.title, book.author, book.surname] {
                // Compared as scalars: strings that differ only in composition are equal.
                #expect(text.unicodeScalars.elementsEqual(text.precomposedStringWithCanonicalMapping.unicodeScalars))
                #expect(!text.unicodeScalars.contains(where: CharacterSet.controlCharacters.contains), "\(text)")
                #expect(text == text.trimmingCharacters(in: .whitespaces) && !text.contains("  "), "\(text)")
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
            ("Gabriel García Márquez", "Márquez"),  // Needs the short name in the list.
        ]
    )
    func shortName(_ author: String, _ expected: String) {
        #expect(Book.shortName(of: author) == expected)
    }
}
