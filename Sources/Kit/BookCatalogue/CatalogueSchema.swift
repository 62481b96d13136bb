import Basics
import GRDB

/// The tables of a catalogue, with the meaning of their columns.
enum CatalogueSchema {
    /// Version of the tables below; raised when they change.
    static let version = 2
    /// Identifier of a catalogue among SQLite files: "BkCt" in the file's header.
    static let applicationID = 0x426B_4374

    /// Names of authors are joined by a line end, which no list has in a name.
    static let authorSeparator = "\n"

    static let columns = [
        "id", "title", "authors", "isbn", "series", "publisher", "year", "language", "coverURL", "popularity",
        "seriesNumber",
    ]

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

extension BookRecord {
    /// Creates the record of a row with ``CatalogueSchema/columns`` in that order.
    init(row: Row) {
        let authors: String = row[2]
        self.init(
            id: row[0],
            title: row[1],
            authors: authors.isEmpty ? [] : authors.split(separator: "\n").map(String.init),
            isbn: (row[3] as String?).flatMap { ISBN($0) },
            series: row[4],
            seriesNumber: row[10],
            publisher: row[5],
            year: row[6],
            language: row[7],
            coverURL: row[8],
            popularity: row[9]
        )
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
}
