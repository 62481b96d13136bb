public import Basics

/// Identity of a book: its ISBN, else its main title and the author's surname.
public struct BookIdentity: Sendable, Hashable {
    /// ISBN of the record; nil without one.
    public let isbn: ISBN?
    /// The main title without case, accents and leading article; nil when nothing of it is left.
    public let mainTitle: String?
    /// Surname of the first author, folded likewise; empty without one.
    public let surname: String

    /// - Parameter book: of a catalogue or a library.
    public init(_ book: BookRecord) {
        self.init(title: book.title, authors: book.authors, isbn: book.isbn)
    }

    /// Creates the identity of a title with or without subtitle and series, and of authors with the most important
    /// first.
    public init(title: String, authors: [String], isbn: ISBN? = nil) {
        self.isbn = isbn
        let title = Self.foldedMain(title)
        mainTitle = title.isEmpty ? nil : title
        surname = authors.first.map(AuthorName.surname) ?? ""
    }

    /// Main title and surname; nil when nothing of the title is left.
    public var titleKey: String? { mainTitle.map { "\($0)|\(surname)" } }

    /// ISBN if there is one, else title and author; nil without both.
    public var key: String? { isbn.map { "isbn:\($0)" } ?? titleKey.map { "title:\($0)" } }

    /// Returns whether a record is the book on which a title and an author are printed.
    ///
    /// Main titles are to be equal, whatever their case, accents, leading article, subtitle and series; a subtitle
    /// that both have is to begin alike. Where both name authors, they are to share a surname.
    public static func isSame(_ book: BookRecord, title: String, author: String?) -> Bool {
        guard isSameTitle(book.title, title) else { return false }
        guard let author, !book.authors.isEmpty else { return true }
        let printed = AuthorName.words(author)
        guard let last = printed.last else { return true }
        return book.authors.contains { name in
            // "Eduardo Mendoza" is printed where a list has "Eduardo Mendoza Garriga".
            let surname = AuthorName.surname(name)
            return printed.contains(surname) || AuthorName.words(name).dropFirst().contains(last)
                || printed.contains { isNearly($0, surname) }
        }
    }

    /// Returns whether two folded surnames are one, spelt in two ways: "Dostoevsky" and "Dostoyevsky".
    private static func isNearly(_ first: String, _ second: String) -> Bool {
        let (first, second) = (Array(first.utf8), Array(second.utf8))
        guard min(first.count, second.count) >= leastSpelling, abs(first.count - second.count) <= 1 else {
            return false
        }
        return Levenshtein.distance(first, second) <= 1
    }

    /// Letters of a surname from which on one that differs is a spelling: of shorter ones, it may be another name.
    private static let leastSpelling = 7

    /// Returns whether two records are the same book, whatever their edition.
    public static func isSame(_ first: BookRecord, _ second: BookRecord) -> Bool {
        guard isSameTitle(first.title, second.title) else { return false }
        guard !first.authors.isEmpty, !second.authors.isEmpty else { return true }
        let (surnames, others) = (first.authors.map(AuthorName.surname), second.authors.map(AuthorName.surname))
        return surnames.contains { name in others.contains { $0 == name || isNearly($0, name) } }
    }

    private static func isSameTitle(_ first: String, _ second: String) -> Bool {
        let (first, second) = (BookTitle(first), BookTitle(second))
        let whole = (FoldedText.key(first.text), FoldedText.key(second.text))
        if !whole.0.isEmpty, withoutArticle(whole.0) == withoutArticle(whole.1) { return true }
        let (parts, others) = (first.parts, second.parts)
        let main = withoutArticle(FoldedText.key(parts.main))
        guard !main.isEmpty, main == withoutArticle(FoldedText.key(others.main)) else { return false }
        let rest = (foldedSubtitle(parts.subtitle), foldedSubtitle(others.subtitle))
        return rest.0.hasPrefix(rest.1) || rest.1.hasPrefix(rest.0)
    }

    static func foldedMain(_ title: String) -> String {
        withoutArticle(FoldedText.key(BookTitle(title).parts.main))
    }

    /// Returns the whole title without case, accents and leading article.
    package static func foldedWhole(_ title: String) -> String {
        withoutArticle(FoldedText.key(BookTitle(title).text))
    }

    /// Returns the folded subtitle; empty for one that only names the kind of book, as editions vary in it.
    private static func foldedSubtitle(_ subtitle: String) -> String {
        let folded = FoldedText.key(subtitle)
        return kinds.contains(folded) ? "" : folded
    }

    private static let kinds: Set<String> = [
        "a novel", "novel", "a memoir", "memoir", "stories", "short stories", "poems", "roman", "novela", "romanzo",
        "a thriller", "a mystery", "an autobiography", "autobiography", "a biography", "a true story", "a play",
    ]

    private static func withoutArticle(_ folded: String) -> String {
        guard let space = folded.firstIndex(of: " "), articles.contains(folded[..<space]) else { return folded }
        return String(folded[folded.index(after: space)...])
    }

    /// Articles of English, French, Spanish, Catalan, Italian, German and Dutch.
    private static let articles: Set<Substring> = [
        "the", "a", "an", "le", "la", "les", "un", "une", "el", "los", "las", "una", "els", "il", "lo", "gli", "der",
        "die", "das", "ein", "eine", "de", "het", "een",
    ]
}
