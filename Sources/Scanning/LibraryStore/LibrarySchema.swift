import GRDB

/// The tables of a library, and how older files get them.
enum LibrarySchema {
    /// Brings a file of any earlier version up to date; a step that was ever released is never changed.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: books, drafts and the queue") { database in
            try database.execute(
                sql: """
                    CREATE TABLE book (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        title TEXT NOT NULL,
                        authors TEXT NOT NULL,
                        isbn TEXT UNIQUE,
                        mainTitle TEXT,
                        coverURL TEXT,
                        publisher TEXT,
                        year INTEGER,
                        format TEXT,
                        addedAt REAL NOT NULL,
                        spineConfidence REAL,
                        tier TEXT NOT NULL,
                        enrichment TEXT NOT NULL,
                        state TEXT NOT NULL
                    );
                    CREATE INDEX bookMainTitle ON book (mainTitle);
                    CREATE TABLE draft (
                        id TEXT PRIMARY KEY,
                        lines TEXT NOT NULL,
                        confidence REAL,
                        createdAt REAL NOT NULL,
                        source TEXT,
                        tier TEXT NOT NULL,
                        bookID INTEGER REFERENCES book (id) ON DELETE SET NULL,
                        state TEXT NOT NULL DEFAULT 'open'
                    );
                    CREATE INDEX draftState ON draft (state, createdAt);
                    CREATE INDEX draftBook ON draft (bookID);
                    CREATE TABLE scan (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        id TEXT NOT NULL UNIQUE,
                        createdAt REAL NOT NULL,
                        text TEXT,
                        file TEXT,
                        attempts INTEGER NOT NULL DEFAULT 0,
                        lastError TEXT,
                        notBefore REAL,
                        state TEXT NOT NULL DEFAULT 'waiting'
                    );
                    CREATE INDEX scanState ON scan (state, createdAt, sequence);
                    """
            )
        }
        migrator.registerMigration("2: claims of the queue") { database in
            try database.execute(sql: "ALTER TABLE scan ADD COLUMN claimedUntil REAL")
        }
        migrator.registerMigration("3: pictures of drafts") { database in
            try database.execute(
                sql: "ALTER TABLE draft ADD COLUMN picture TEXT; CREATE INDEX draftPicture ON draft (picture);"
            )
        }
        migrator.registerMigration("4: what was shown") { database in
            try database.execute(
                sql: """
                    CREATE TABLE shown (
                        id TEXT PRIMARY KEY,
                        json TEXT NOT NULL,
                        thumbnail BLOB,
                        shownAt REAL NOT NULL
                    );
                    CREATE INDEX shownThumbnail ON shown (shownAt) WHERE thumbnail IS NOT NULL;
                    """
            )
        }
        return migrator
    }
}

/// Why a library cannot be opened, read or written.
public enum LibraryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file is no library, is damaged, or is of a later version of this program.
    case unusable(path: String, problem: String)
    /// The system or another program keeps the file from being read or written.
    case operation(path: String, problem: String)

    /// Message: what is wrong with which file, and what to do.
    public var description: String {
        switch self {
        case .unusable(let path, let problem), .operation(let path, let problem): "\(path): \(problem)"
        }
    }

    /// Error for whoever opened the file at `path`, after one of SQLite's.
    init(_ error: DatabaseError, path: String) {
        let message = error.message ?? "code \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .unusable(path: path, problem: "is no library; name another file")
        case .SQLITE_CORRUPT:
            self = .unusable(path: path, problem: "is damaged (\(message)); restore it from a copy")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = .operation(path: path, problem: "is in use by another program; try again later")
        case .SQLITE_FULL: self = .operation(path: path, problem: "cannot be written: no space is left")
        case .SQLITE_CANTOPEN, .SQLITE_READONLY:
            self = .operation(path: path, problem: "cannot be opened for writing (\(message))")
        default: self = .operation(path: path, problem: "SQLite says \(message) (\(error.extendedResultCode.rawValue))")
        }
    }
}
