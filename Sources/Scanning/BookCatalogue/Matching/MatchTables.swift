import Foundation
import GRDB

/// Where the matcher's index is in a catalogue.
enum MatchTables {
    /// Part that is kept whole.
    enum Part: String {
        /// Number of books in the index, as decimal digits.
        case books
        /// A byte a book: ``GramWeight``.
        case gramWeights
        /// A ``WordSketch`` of all words.
        case words
        /// One of the words of authors' names.
        case names
    }

    static func create(in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE matchGram (gram INTEGER PRIMARY KEY, books INTEGER NOT NULL, postings BLOB NOT NULL);
                CREATE TABLE matchBlock (id INTEGER PRIMARY KEY, books BLOB NOT NULL);
                CREATE TABLE matchPart (name TEXT PRIMARY KEY, data BLOB NOT NULL);
                """
        )
    }

    static let insertGram = "INSERT INTO matchGram (gram, books, postings) VALUES (?, ?, ?)"
    static let insertBlock = "INSERT INTO matchBlock (id, books) VALUES (?, ?)"
    static let selectCounts = "SELECT gram, books FROM matchGram"
    static let selectPostings = "SELECT postings FROM matchGram WHERE gram = ?"
    static let selectBlock = "SELECT books FROM matchBlock WHERE id = ?"

    static func write(_ part: Part, _ data: Data, to db: Database) throws {
        try db.execute(sql: "INSERT INTO matchPart (name, data) VALUES (?, ?)", arguments: [part.rawValue, data])
    }

    static func read(_ part: Part, from db: Database) throws -> Data? {
        try Data.fetchOne(db, sql: "SELECT data FROM matchPart WHERE name = ?", arguments: [part.rawValue])
    }
}
