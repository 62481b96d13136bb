import Basics
import GRDB

/// The tables of a catalogue, with the meaning of their columns.
enum CatalogueSchema {
    /// Version of the tables below; raised when they change.
    static let version = 3
    /// Identifier of a catalogue among SQLite files: "BkCt" in the file's header.
    static let applicationID = 0x426B_4374
    static let advice = "build one with 'spinebench catalogue build'"

    /// Returns why a database is not a catalogue of this version; nil when it is one.
    static func problem(_ database: Database) throws -> String? {
        func pragma(_ name: String) throws -> Int { try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0 }
        let (pages, id, found) = try (pragma("page_count"), pragma("application_id"), pragma("user_version"))
        // SQLite takes an empty file for an empty database.
        if pages == 0 { return "is not a catalogue; \(CatalogueSchema.advice)" }
        if id != applicationID { return "is another program's database; \(CatalogueSchema.advice)" }
        let supported = "has catalogue schema \(found), but this program"
        if found > version {
            return "\(supported) supports up to \(version); update the program, or rebuild the catalogue"
        }
        return found < version ? "\(supported) needs \(version); \(CatalogueSchema.advice)" : nil
    }

    /// Makes the empty tables.
    ///
    /// The indices come when the rows are there: filling a sorted tree at random costs several times as much.
    static func create(in database: Database) throws {
        try database.execute(
            sql: """
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(version);
                CREATE TABLE information (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                CREATE TABLE book (
                    id INTEGER PRIMARY KEY,
                    title TEXT NOT NULL,
                    authors TEXT NOT NULL,
                    isbn TEXT,
                    series TEXT,
                    publisher TEXT,
                    year INTEGER,
                    language TEXT,
                    coverURL TEXT,
                    popularity REAL,
                    seriesNumber INTEGER,
                    foldedTitle TEXT NOT NULL,
                    foldedAuthors TEXT NOT NULL,
                    foldedSeries TEXT,
                    authorKey TEXT
                );
                CREATE VIRTUAL TABLE bookText USING fts5(
                    foldedTitle, foldedAuthors,
                    content='book', content_rowid='id', tokenize='trigram'
                );
                """
        )
    }

    static func index(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE INDEX bookISBN ON book (isbn) WHERE isbn IS NOT NULL;
                CREATE INDEX bookTitle ON book (foldedTitle, popularity);
                CREATE INDEX bookAuthor ON book (authorKey) WHERE authorKey IS NOT NULL;
                CREATE INDEX bookSeries ON book (foldedSeries) WHERE foldedSeries IS NOT NULL;
                INSERT INTO bookText(bookText, rank) VALUES ('hashsize', 67108864);
                INSERT INTO bookText(bookText) VALUES ('rebuild');
                """
        )
    }
}

/// A book, with the texts that it is found by.
struct CatalogueRow: StoredRecord {
    static let databaseTableName = "book"
    var book: BookRecord

    init(_ book: BookRecord) { self.book = book }

    init(from decoder: any Decoder) throws { book = try BookRecord(from: decoder) }

    private enum CodingKeys: CodingKey { case foldedTitle, foldedAuthors, foldedSeries, authorKey }

    func encode(to encoder: any Encoder) throws {
        try book.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(FoldedText.key(book.title), forKey: .foldedTitle)
        try container.encode(FoldedText.key(book.authors.joined(separator: "\n")), forKey: .foldedAuthors)
        try container.encode(book.series.map(FoldedText.key), forKey: .foldedSeries)
        try container.encode(book.authors.first.map(FoldedText.key), forKey: .authorKey)
    }
}

/// Information of a catalogue about itself.
public struct CatalogueInformation: Sendable, Equatable, Codable {
    /// Version of the tables in the file.
    public var schemaVersion: Int
    /// Name given by its builder; the file's name, mostly.
    public var name: String
    /// Number of books.
    public var books: Int
    /// Number of them with an ISBN.
    public var booksWithISBN: Int
    /// Number of them with an author.
    public var booksWithAuthor: Int
    /// The lists that it was built from, in order.
    public var sources: [CatalogueSource]
    /// Digest of the books in their order, as `fnv1a64:` and sixteen hexadecimal digits; the same books give the same
    /// digest.
    public var contentDigest: String
}

/// A list that a catalogue was built from.
public struct CatalogueSource: Sendable, Equatable, Codable {
    /// The name of its file, without the folders.
    public var name: String
    /// Format that it was read as.
    public var format: String
    /// The rows that were read, bad ones too.
    public var rows: Int

    package init(name: String, format: String, rows: Int) { (self.name, self.format, self.rows) = (name, format, rows) }
}
