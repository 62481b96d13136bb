internal import Basics
internal import Foundation

/// Text of a result's tile: a title, a line below it, and the name of its kind, in the asker's language.
public struct DisplayCard: Sendable, Equatable, Codable {
    /// Title, ``longestTitle`` characters at most.
    public var title: String
    /// Subtitle, ``longestSubtitle`` characters at most; may be empty.
    public var subtitle: String
    /// "Book", "Shelf".
    public var typeName: String

    /// Characters: the system's sheet shows about two lines of a title.
    public static let longestTitle = 60
    /// Characters: the system's sheet shows one line below it.
    public static let longestSubtitle = 60

    /// Creates the card of a result, in the language of an ISO 639-1 code; in English where that is not spoken.
    public init(_ result: VisualSearchResult, language: String) {
        let words = EntityWords(language: language)
        switch result {
        case .book(let book):
            title = Self.line(book.title, Self.longestTitle)
            let authors = book.authors.prefix(2).joined(separator: ", ")
            let parts = [authors, book.year.map(String.init) ?? "", book.scannedOn == nil ? "" : words.owned]
            subtitle = Self.line(parts.filter { !$0.isEmpty }.joined(separator: " · "), Self.longestSubtitle)
            typeName = words.book
        case .shelf(let shelf):
            let name: String
            switch shelf.id {
            case .photo, .isbn, .title: name = words.photo
            case .author: name = words.author(shelf.name)
            case .series: name = words.series(shelf.name)
            case .scanned: name = words.scanned(shelf.name)
            }
            title = Self.line(name, Self.longestTitle)
            subtitle = shelf.spines.map { words.identified(shelf.count, of: $0) } ?? words.books(shelf.count)
            typeName = words.shelf
        }
    }

    /// Returns one line of text without control characters, cut behind a word.
    static func line(_ text: String, _ most: Int) -> String {
        let plain = text.unicodeScalars.map { scalar in
            scalar.properties.isWhitespace || scalar.properties.generalCategory == .control ? " " : scalar
        }.filter { $0.properties.generalCategory != .format }
        let line = String(String.UnicodeScalarView(plain)).split(separator: " ").joined(separator: " ")
        guard line.count > most else { return line }
        let start = line.prefix(most - 1)
        // A word that alone is half of the line is cut.
        let end = start.lastIndex(of: " ").map { start[..<$0] }.flatMap { $0.count > most / 2 ? $0 : nil } ?? start
        return end + "…"
    }
}

/// The words of cards, and the kinds' names with their plurals.
public struct EntityWords: Sendable {
    /// ISO 639-1 codes of the languages that are spoken, English first.
    public static let languages = ["en", "de", "es", "fr"]

    /// Language of these words.
    public let language: String

    /// Creates the words of a language; English ones where it is not spoken.
    public init(language: String) {
        let code = language.lowercased().prefix(2)
        self.language = Self.languages.first { $0 == code } ?? "en"
    }

    /// Returns the word of this language; `words`: one of each of ``languages``, in their order.
    private func choose(_ words: String...) -> String {
        words[Self.languages.firstIndex(of: language) ?? 0]
    }

    /// Name of a book's kind.
    public var book: String { choose("Book", "Buch", "Libro", "Livre") }
    /// Name of a shelf's kind.
    public var shelf: String { choose("Shelf", "Regal", "Estante", "Étagère") }
    var photo: String { choose("This shelf", "Dieses Regal", "Este estante", "Cette étagère") }
    var owned: String { choose("in your library", "in deiner Bibliothek", "en tu biblioteca", "dans ta bibliothèque") }

    /// Returns a number of books: "1 book", "12 books".
    public func books(_ count: Int) -> String { counted(count, book, choose("books", "Bücher", "libros", "livres")) }

    /// Returns the number of a shelf's spines whose books are identified: "5 of 8 spines identified".
    public func identified(_ count: Int, of spines: Int) -> String {
        choose(
            "\(count) of \(spines) \(spines == 1 ? "spine" : "spines") identified",
            "\(count) von \(spines) Buchrücken erkannt",
            "\(count) de \(spines) \(spines == 1 ? "lomo identificado" : "lomos identificados")",
            "\(count) \(count < 2 ? "dos identifié" : "dos identifiés") sur \(spines)"
        )
    }

    /// Returns a number of shelves: "1 shelf", "3 shelves".
    public func shelves(_ count: Int) -> String {
        counted(count, shelf, choose("shelves", "Regale", "estantes", "étagères"))
    }

    private func counted(_ count: Int, _ one: String, _ many: String) -> String {
        // Zero is singular as well in French.
        guard count == 1 || count == 0 && language == "fr" else { return "\(count) \(many)" }
        return "\(count) \(language == "de" ? one : one.lowercased())"
    }

    func author(_ name: String) -> String { choose("By \(name)", "Von \(name)", "De \(name)", "Par \(name)") }
    func series(_ name: String) -> String {
        choose("Series: \(name)", "Reihe: \(name)", "Serie: \(name)", "Série : \(name)")
    }
    func scanned(_ day: String) -> String {
        choose("Scanned on \(day)", "Gescannt am \(day)", "Escaneado el \(day)", "Numérisé le \(day)")
    }
}
