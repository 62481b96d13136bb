import Basics
import Foundation
import SpineDatasets

/// Book whose title and author are printed on a spine.
struct Book: Sendable, Hashable {
    /// ISO 639-1 code of the edition's language.
    enum Language: String, Sendable, CaseIterable {
        case english = "en"
        case french = "fr"
        case german = "de"
        case spanish = "es"
        case italian = "it"
        case portuguese = "pt"
        case polish = "pl"
        case swedish = "sv"
        case norwegian = "no"
    }

    var title: String
    /// Author as on a title page: "Gabriel García Márquez"; empty for a book whose spine names none.
    var author: String
    /// Short name of the author, "García Márquez"; empty when `author` is.
    var surname: String
    var language = Language.english
}

extension Book {
    /// Real books, chosen for varied lengths, letters, numerals and punctuation; `Resources/books.tsv` is a list like
    /// a user's.
    static let all: [Book] = {
        do {
            return try list(from: String(decoding: PackageResources.books_tsv, as: UTF8.self), file: "books.tsv")
        } catch { preconditionFailure("\(error)") }
    }()
}

/// Words that spines print in a language: a row of `Resources/languages.txt`, after the language's code.
struct LanguageWords {
    /// Dewey's number of the literature, which marks fiction in many public libraries.
    var literature: String
    var subtitles: [String]
    /// Fictitious publishers, so that no picture claims an edition that does not exist.
    var imprints: [String]
}

extension Book.Language {
    var words: LanguageWords {
        guard let words = Self.words[self] else { preconditionFailure("no words for \(self)") }
        return words
    }

    private static let words: [Book.Language: LanguageWords] = Dictionary(
        uniqueKeysWithValues: ResourceTable.rows(PackageResources.languages_txt).compactMap { row in
            Book.Language(rawValue: row[0]).map { language in
                let (subtitles, imprints) = (ResourceTable.list(row[2]), ResourceTable.list(row[3]))
                return (language, LanguageWords(literature: row[1], subtitles: subtitles, imprints: imprints))
            }
        }
    )
}

extension Book {
    /// Words that stay with the surname after them, in small letters.
    private static let particles: Set<String> = [
        "af", "av", "da", "das", "de", "degli", "dei", "del", "della", "den", "der", "des", "di", "do", "dos", "du",
        "la", "las", "le", "los", "ten", "ter", "van", "vom", "von", "zu", "zum", "zur",
    ]

    /// Returns the short name of an author, in the most likely form of a spine: the last word, with the particles
    /// before it.
    ///
    /// "Ursula K. Le Guin" gives "Le Guin", "Terry Pratchett & Neil Gaiman" gives "Pratchett & Gaiman". Surnames of
    /// two words and suffixes of a name are not handled.
    static func shortName(of author: String) -> String {
        let parts = author.split(separator: " & ")
        // Without an ampersand, the text after a comma is not another person: "Walter M. Miller, Jr.".
        guard parts.count > 1 else { return shortName(ofPerson: author) }
        return parts.map { $0.split(separator: ", ").map(shortName(ofPerson:)).joined(separator: ", ") }
            .joined(separator: " & ")
    }

    private static func shortName(ofPerson name: some StringProtocol) -> String {
        let words = name.split(separator: " ")
        var start = max(0, words.count - 1)
        // The first word is a given name in any form: "Van Morrison".
        while start > 1, particles.contains(words[start - 1].lowercased()) { start -= 1 }
        return words[start...].joined(separator: " ")
    }
}

extension Book {
    /// Longer titles and authors do not get onto a spine in letters that can be read.
    private static let longestText = 200

    /// Returns the books of a user's list: a book a line, of tab-separated `title`, `author`, `language`, `short name`.
    ///
    /// All but the title are optional: a spine without an author names none, the language is an ISO 639-1 code, "en"
    /// unless specified, and the short name is the author's last word with its particles. Empty lines and those that
    /// begin with `#` are skipped. Letters are composed (NFC).
    ///
    /// - Throws: `SynthesisError.input` with every fault of every line, or when there is no book.
    static func list(from text: String, file: String) throws(SynthesisError) -> [Book] {
        var books: [Book] = []
        var faults: [Fault] = []
        let lines = text.withoutByteOrderMark.split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r\n" || $0 == "\r"
        }
        for (index, line) in lines.enumerated() {
            let start = line.first { !$0.isWhitespace }
            guard let start, start != "#" else { continue }
            let (book, messages) = read(line)
            books.append(book)
            faults += messages.map { Fault(file: file, line: index + 1, message: $0) }
        }
        if books.isEmpty {
            faults.append(Fault(file: file, message: "no books; write one title per line"))
        }
        guard faults.isEmpty else {
            let count = "\(faults.count) fault\(faults.count == 1 ? "" : "s") in the list of titles"
            throw .input(([count] + faults.map { "  \($0)" }).joined(separator: "\n"))
        }
        return books
    }

    /// Returns the book in a line, and its faults.
    private static func read(_ line: Substring) -> (book: Book, faults: [String]) {
        var fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces).precomposedStringWithCanonicalMapping }
        // Spreadsheets end every row with as many tabs as the longest one has.
        while fields.count > 4, fields.last == "" { fields.removeLast() }
        var faults: [String] = []
        if fields.count > 4 {
            faults.append("\(fields.count) columns; a line has at most title, author, language and short name")
        }
        fields += Array(repeating: "", count: max(0, 4 - fields.count))
        let (title, author, code, shortName) = (fields[0], fields[1], fields[2], fields[3])

        if title.isEmpty { faults.append("no title in the first column") }
        for (name, field) in [("title", title), ("author", author), ("short name", shortName)] {
            if field.count > longestText {
                faults.append("the \(name) has \(field.count) characters; at most \(longestText) fit on a spine")
            }
            if let scalar = field.unicodeScalars.first(where: isUnprintable) {
                let number = String(format: "U+%04X", scalar.value)
                faults.append("the \(name) has the character \(number), which cannot be printed")
            }
        }
        let language = code.isEmpty ? Language.english : Language(rawValue: code.lowercased())
        if language == nil {
            let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
            faults.append("the language “\(code)” is not one of \(known)")
        }
        if author.isEmpty, !shortName.isEmpty { faults.append("a short name without an author") }
        let surname = shortName.isEmpty ? Self.shortName(of: author) : shortName
        return (Book(title: title, author: author, surname: surname, language: language ?? .english), faults)
    }

    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
