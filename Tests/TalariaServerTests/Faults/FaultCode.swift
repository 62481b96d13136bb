import Basics
import BookCatalogue
import Imaging

/// Spine of a sequence of faults, by the code of its picture.
struct FaultCode: Sendable, Hashable {
    /// Kind of text on the spine.
    enum Kind: UInt32, Sendable, CaseIterable {
        /// The title and the author of a book that the back end knows.
        case book
        /// Words of no book.
        case unknown
        /// Blank spine.
        case blank
    }

    /// Number, unique for each picture.
    var number: Int
    var kind: Kind
    /// Index in ``FaultCatalogue/books``.
    var book: Int

    init(number: Int, kind: Kind, book: Int) { (self.number, self.kind, self.book) = (number, kind, book) }

    init?(_ code: SpineCode) {
        guard let kind = Kind(rawValue: code.number >> 5 & 7), code.number & 31 < FaultCatalogue.books.count else {
            return nil
        }
        self.init(number: Int(code.number >> 8), kind: kind, book: Int(code.number & 31))
    }

    /// Lines that a reader reads off the spine.
    var lines: [String] {
        switch kind {
        case .book: [FaultCatalogue.books[book].authors[0].uppercased(), FaultCatalogue.books[book].title.uppercased()]
        case .unknown: ["QXZWV KJHGF", "ZZYXW PQRST"]
        case .blank: []
        }
    }

    /// Returns the picture's file.
    func picture() throws -> [UInt8] { try SpineCode(number << 8 | Int(kind.rawValue) << 5 | book).picture() }
}

/// The books that the check's spines may be of; no two are alike.
enum FaultCatalogue {
    static let books = [
        BookRecord(title: "Dune", authors: ["Frank Herbert"], isbn: ISBN("978-0-441-17271-9")),
        BookRecord(title: "Emma", authors: ["Jane Austen"], year: 1815),
        BookRecord(title: "Persuasion", authors: ["Jane Austen"]),
        BookRecord(title: "Thérèse Raquin", authors: ["Émile Zola"]),
        BookRecord(title: "The Heart Is a Lonely Hunter", authors: ["Carson McCullers"]),
        BookRecord(title: "Middlemarch", authors: ["George Eliot"]),
        BookRecord(title: "Walden", authors: ["Henry David Thoreau"]),
        BookRecord(title: "The Left Hand of Darkness", authors: ["Ursula K. Le Guin"]),
    ]
    /// Book that a device takes a spine for when it is wrong.
    static let wrong = BookRecord(title: "Gardening for Beginners", authors: ["Nobody Inparticular"])
}
