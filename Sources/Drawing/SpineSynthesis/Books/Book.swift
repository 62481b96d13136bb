/// A published book, as far as its spine tells.
package struct Book: Sendable, Hashable, Codable {
    /// ISO 639-1 code of the edition's language.
    package enum Language: String, Sendable, Codable, CaseIterable {
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

    /// The numbered series that a book is a part of.
    package struct Series: Sendable, Hashable, Codable {
        package var name: String
        /// From 1.
        package var number: Int

        package init(name: String, number: Int) {
            self.name = name
            self.number = number
        }
    }

    package var title: String
    /// As on a title page: "Gabriel García Márquez"; empty for a book whose spine names nobody.
    package var author: String
    /// Short name of the author, "García Márquez"; empty when `author` is.
    package var surname: String
    package var language: Language
    /// Nil for a book that stands alone, or whose number is not known.
    package var series: Series?

    package init(
        _ title: String,
        _ author: String,
        _ surname: String,
        _ language: Language = .english,
        series: Series? = nil
    ) {
        self.title = title
        self.author = author
        self.surname = surname
        self.language = language
        self.series = series
    }

    /// Real books, chosen for varied lengths, letters, numerals and punctuation.
    package static let all: [Book] = Language.allCases.flatMap { BookTable.books(in: $0) }
}
