import Foundation
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
        migrator.registerMigration("5: authors as JSON") { database in
            for row in try Row.fetchAll(database, sql: "SELECT id, authors FROM book") {
                let authors = (row["authors"] as String).split(separator: "\n").map(String.init)
                try database.execute(
                    sql: "UPDATE book SET authors = ? WHERE id = ?",
                    arguments: [String(decoding: try JSONEncoder().encode(authors), as: UTF8.self), row["id"]]
                )
            }
        }
        return migrator
    }
}
