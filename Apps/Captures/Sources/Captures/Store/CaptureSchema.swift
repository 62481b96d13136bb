import GRDB

/// Tables of a store of captures.
enum CaptureSchema {
    /// A table that every store has, and one that stores of earlier programs had in its place.
    static let (table, earlierTable) = ("session", "captureSession")

    /// Creates the tables of a new file.
    ///
    /// No version was released yet: a file of an earlier one is refused.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("captures 1") { try $0.execute(sql: sql) }
        return migrator
    }

    /// Beside its `body`, an item has in columns what is queried; `words` is what a search for words looks in.
    ///
    /// Triggers keep `itemText`, which finds words, in step with `words`, and forget the story of a day that has a
    /// deleted item's words.
    private static let sql = """
        CREATE TABLE store (name TEXT NOT NULL, revision INTEGER NOT NULL, settings TEXT NOT NULL);
        INSERT INTO store VALUES (lower(hex(randomblob(4))), 0, '{}');
        CREATE TABLE session (
            id BLOB PRIMARY KEY, createdAt REAL NOT NULL, title TEXT NOT NULL DEFAULT '', placeName TEXT, body TEXT NOT NULL
        );
        CREATE INDEX sessionTime ON session (createdAt, id);
        CREATE TABLE item (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE,
            sessionID BLOB NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            parentID BLOB REFERENCES item (id) ON DELETE CASCADE,
            childKey TEXT,
            original BLOB,
            kind TEXT NOT NULL,
            state TEXT NOT NULL,
            title TEXT NOT NULL,
            capturedAt REAL NOT NULL,
            updatedAt REAL,
            isHome INTEGER NOT NULL DEFAULT 0,
            lane TEXT,
            retryAt REAL,
            problems TEXT NOT NULL DEFAULT '[]',
            features TEXT NOT NULL DEFAULT '[]',
            words TEXT NOT NULL DEFAULT '',
            body TEXT NOT NULL,
            UNIQUE (parentID, childKey)
        );
        CREATE INDEX itemSession ON item (sessionID, sequence);
        CREATE INDEX itemCapture ON item (sessionID, sequence) WHERE parentID IS NULL;
        CREATE INDEX itemCount ON item (sessionID, state);
        CREATE INDEX itemState ON item (state, sequence);
        CREATE INDEX itemTime ON item (capturedAt);
        CREATE INDEX itemRetry ON item (retryAt) WHERE retryAt IS NOT NULL;
        CREATE VIRTUAL TABLE itemText USING fts5 (
            words, content='item', content_rowid='sequence', tokenize='unicode61 remove_diacritics 2'
        );
        CREATE TRIGGER itemAdded AFTER INSERT ON item BEGIN
            INSERT INTO itemText (rowid, words) VALUES (NEW.sequence, NEW.words);
        END;
        CREATE TRIGGER itemChanged AFTER UPDATE OF words ON item WHEN OLD.words IS NOT NEW.words BEGIN
            INSERT INTO itemText (itemText, rowid, words) VALUES ('delete', OLD.sequence, OLD.words);
            INSERT INTO itemText (rowid, words) VALUES (NEW.sequence, NEW.words);
        END;
        CREATE TRIGGER itemDeleted AFTER DELETE ON item BEGIN
            INSERT INTO itemText (itemText, rowid, words) VALUES ('delete', OLD.sequence, OLD.words);
            DELETE FROM day WHERE startsAt <= OLD.capturedAt AND endsAt > OLD.capturedAt;
        END;
        CREATE TABLE itemSecret (
            itemID BLOB PRIMARY KEY REFERENCES item (id) ON DELETE CASCADE, payload TEXT, url TEXT
        );
        CREATE TABLE picture (
            itemID BLOB NOT NULL REFERENCES item (id) ON DELETE CASCADE,
            role TEXT NOT NULL,
            file TEXT NOT NULL,
            PRIMARY KEY (itemID, role)
        );
        CREATE INDEX pictureFile ON picture (file);
        CREATE TABLE vector (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            itemID BLOB NOT NULL REFERENCES item (id) ON DELETE CASCADE,
            space TEXT NOT NULL,
            bytes BLOB NOT NULL,
            UNIQUE (itemID, space)
        );
        CREATE INDEX vectorSpace ON vector (space, sequence);
        CREATE TABLE concept (
            name TEXT PRIMARY KEY COLLATE NOCASE,
            definition TEXT NOT NULL,
            weight REAL NOT NULL,
            isAutomatic INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE conceptSource (
            itemID BLOB NOT NULL REFERENCES item (id) ON DELETE CASCADE,
            name TEXT NOT NULL COLLATE NOCASE REFERENCES concept (name) ON DELETE CASCADE ON UPDATE CASCADE,
            PRIMARY KEY (itemID, name)
        );
        CREATE INDEX conceptSourceName ON conceptSource (name);
        CREATE TABLE day (day TEXT PRIMARY KEY, startsAt REAL NOT NULL, endsAt REAL NOT NULL, body TEXT NOT NULL);
        CREATE TABLE transfer (sequence INTEGER PRIMARY KEY, line TEXT NOT NULL);
        """
}
