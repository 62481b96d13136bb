internal import Basics
public import BookCatalogue
public import Imaging
public import TextRecognition

/// Subject of an answer: a book, or a shelf of books.
///
/// In JSON, either has a `kind` beside its own fields: `book` or `shelf`.
public enum VisualSearchResult: Sendable, Equatable, Identifiable {
    case book(BookEntity)
    case shelf(ShelfEntity)

    /// Opens it.
    public var id: EntityID {
        switch self {
        case .book(let book): book.id
        case .shelf(let shelf): shelf.id
        }
    }
}

/// A book as an answer shows it.
public struct BookEntity: Sendable, Equatable, Codable, Identifiable {
    /// Place of a book on the photo that it was seen on.
    public struct Place: Sendable, Equatable, Codable {
        /// Row from 1 at the top; 0 on the picture of one book.
        public var row: Int
        /// Index from 1 at the left; 0 on the picture of one book.
        public var index: Int
        /// Outline in pixels of the photo; corners clockwise from the photo's top left.
        public var outline: Quad?
        /// Orientation of its text on the photo; nil when it is unknown.
        public var orientation: TextOrientation?
    }

    /// Opens it.
    public var id: EntityID
    /// Title in the catalogue or the library.
    public var title: String
    /// Authors as listed, most important first.
    public var authors: [String]
    /// ISBN with thirteen digits; nil when it is unknown.
    public var isbn: String?
    /// Series of the book, if the catalogue has it.
    public var series: String?
    /// Year of publication.
    public var year: Int?
    /// Language in the catalogue: ISO 639 codes, mostly.
    public var language: String?
    /// The probability that the picture shows it, 0…1; nil when nothing was read.
    public var confidence: Double?
    /// The day on which its owner scanned it, in Coordinated Universal Time: "2026-03-12"; nil for a book that is not
    /// in the library.
    public var scannedOn: String?
    /// Position on the photo; nil when the book was not seen.
    public var place: Place?

    /// Creates a book of a catalogue.
    public init(_ record: BookRecord, confidence: Double? = nil) {
        id = EntityID(record)
        title = record.title
        authors = record.authors
        isbn = record.isbn?.digits
        series = record.series
        year = record.year
        language = record.language
        self.confidence = confidence
    }

    /// Record in the form of a catalogue, for `BookIdentity`.
    var record: BookRecord {
        BookRecord(
            title: title,
            authors: authors,
            isbn: isbn.flatMap { ISBN($0) },
            series: series,
            year: year,
            language: language
        )
    }
}

/// A collection of books as an answer shows it.
public struct ShelfEntity: Sendable, Equatable, Codable, Identifiable {
    /// Identifier, which opens the collection and contains its kind.
    public var id: EntityID
    /// The author's or the series' name, or the day; empty for a photo.
    public var name: String
    /// Number of its books.
    public var count: Int
    /// Number of spines on its photo, identified or not; nil for other shelves.
    public var spines: Int?
    /// First books, in order: at most ``mostBooks``.
    public var books: [BookEntity]

    /// Maximum number of stored books.
    public static let mostBooks = 200
}

extension VisualSearchResult: Codable {
    private enum Key: CodingKey { case kind }
    private enum Kind: String, Codable { case book, shelf }

    /// Decodes the item of its `kind`.
    public init(from decoder: any Decoder) throws {
        switch try decoder.container(keyedBy: Key.self).decode(Kind.self, forKey: .kind) {
        case .book: self = .book(try BookEntity(from: decoder))
        case .shelf: self = .shelf(try ShelfEntity(from: decoder))
        }
    }

    /// Encodes the item with its `kind`.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .book(let book): try Members(content: book, fields: ["kind": Kind.book]).encode(to: encoder)
        case .shelf(let shelf): try Members(content: shelf, fields: ["kind": Kind.shelf]).encode(to: encoder)
        }
    }
}

extension BookEntity {
    /// Creates an owner's book, with the catalogue's data beside it.
    init(_ own: LibraryBook, knownAs record: BookRecord?, confidence: Double? = nil) {
        var known = own.record
        if known.authors.isEmpty { known.authors = record?.authors ?? [] }
        known.isbn = known.isbn ?? record?.isbn
        known.series = record?.series
        known.year = known.year ?? record?.year
        known.language = record?.language
        self.init(known, confidence: confidence)
        scannedOn = EntityID.day(of: own.addedAt)
    }
}

/// Codes of languages, as lists write them.
enum Language {
    private static let threeLetters = [
        "eng": "en", "ger": "de", "deu": "de", "spa": "es", "fre": "fr", "fra": "fr", "ita": "it", "por": "pt",
        "dut": "nl", "nld": "nl", "cat": "ca", "swe": "sv", "dan": "da", "nor": "no", "fin": "fi", "pol": "pl",
    ]

    /// Returns the ISO 639-1 code of a listed language: "en-US", "eng"; nil for an invalid one.
    static func code(_ listed: String?) -> String? {
        guard let start = listed?.lowercased().prefix(while: \.isLetter), !start.isEmpty else { return nil }
        return start.count == 2 ? String(start) : threeLetters[String(start)]
    }
}
