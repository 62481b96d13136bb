import CaptureReading
import GRDB

/// The tables of a context store, and how older files get them.
enum ContextSchema {
    /// Brings a file of any earlier version up to date; a step that was ever released is never changed.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: sessions, items, concepts and days") { database in
            try database.execute(
                sql: """
                    CREATE TABLE captureSession (
                        id TEXT PRIMARY KEY,
                        createdAt REAL NOT NULL,
                        body TEXT NOT NULL
                    );
                    CREATE INDEX captureSessionTime ON captureSession (createdAt, id);
                    CREATE TABLE item (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        id TEXT NOT NULL UNIQUE,
                        sessionID TEXT NOT NULL REFERENCES captureSession (id) ON DELETE CASCADE,
                        parentID TEXT REFERENCES item (id) ON DELETE CASCADE,
                        childKey TEXT,
                        kind TEXT NOT NULL,
                        state TEXT NOT NULL,
                        title TEXT NOT NULL,
                        capturedAt REAL NOT NULL,
                        body TEXT NOT NULL,
                        UNIQUE (parentID, childKey)
                    );
                    CREATE INDEX itemSession ON item (sessionID, sequence);
                    CREATE INDEX itemState ON item (state, sequence);
                    CREATE INDEX itemTime ON item (capturedAt);
                    CREATE TABLE picture (
                        itemID TEXT NOT NULL REFERENCES item (id) ON DELETE CASCADE,
                        role TEXT NOT NULL,
                        file TEXT NOT NULL,
                        PRIMARY KEY (itemID, role)
                    ) WITHOUT ROWID;
                    CREATE INDEX pictureFile ON picture (file);
                    CREATE TABLE vector (
                        itemID TEXT PRIMARY KEY REFERENCES item (id) ON DELETE CASCADE,
                        bytes BLOB NOT NULL
                    ) WITHOUT ROWID;
                    CREATE TABLE concept (
                        name TEXT PRIMARY KEY COLLATE NOCASE,
                        definition TEXT NOT NULL,
                        weight REAL NOT NULL
                    ) WITHOUT ROWID;
                    CREATE TABLE arrival (identity TEXT PRIMARY KEY) WITHOUT ROWID;
                    CREATE TABLE dayStory (day TEXT PRIMARY KEY, story TEXT NOT NULL, writtenAt REAL NOT NULL) WITHOUT ROWID;
                    CREATE TABLE transfer (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        itemID TEXT,
                        line TEXT NOT NULL
                    );
                    CREATE TABLE revision (number INTEGER NOT NULL);
                    INSERT INTO revision VALUES (0);
                    """
            )
        }
        migrator.registerMigration("2: pictures by their roles") { database in
            try database.execute(
                sql: """
                    UPDATE item SET body = json_set(body, '$.pictures', json(coalesce(
                        (SELECT json_group_object(role, file) FROM picture WHERE itemID = item.id), '{}'
                    )));
                    """
            )
        }
        migrator.registerMigration("3: vectors of several spaces, in the order in which they came") { database in
            try database.execute(
                sql: """
                    DROP TABLE vector;
                    DROP TABLE dayStory;
                    CREATE TABLE vector (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        itemID TEXT NOT NULL REFERENCES item (id) ON DELETE CASCADE,
                        space TEXT NOT NULL,
                        bytes BLOB NOT NULL,
                        UNIQUE (itemID, space)
                    );
                    CREATE INDEX vectorSpace ON vector (space, sequence);
                    """
            )
        }
        migrator.registerMigration("4: items counted and paged without reading them") { database in
            try database.execute(
                sql: """
                    CREATE INDEX itemCount ON item (sessionID, state);
                    CREATE INDEX itemCapture ON item (sessionID, sequence) WHERE parentID IS NULL;
                    """
            )
        }
        migrator.registerMigration("5: which items an automatic concept came from") { database in
            // The author of existing titles is unknown: they are kept as if their owner had written them.
            try database.execute(
                sql: """
                    ALTER TABLE concept ADD COLUMN isAutomatic INTEGER NOT NULL DEFAULT 0;
                    CREATE TABLE conceptSource (
                        itemID TEXT NOT NULL REFERENCES item (id) ON DELETE CASCADE,
                        name TEXT NOT NULL COLLATE NOCASE REFERENCES concept (name) ON DELETE CASCADE ON UPDATE CASCADE,
                        PRIMARY KEY (itemID, name)
                    ) WITHOUT ROWID;
                    CREATE INDEX conceptSourceName ON conceptSource (name);
                    """
            )
        }
        migrator.registerMigration("6: what the store is called, and what no narrative says") { database in
            try database.execute(
                sql:
                    "CREATE TABLE identity (name TEXT NOT NULL); CREATE TABLE secret (text TEXT PRIMARY KEY) WITHOUT ROWID"
            )
            let name = String(UInt32.random(in: 0...UInt32.max), radix: 16)
            try database.execute(sql: "INSERT INTO identity VALUES (?)", arguments: [name])
        }
        migrator.registerMigration("7: sources that failed, and what an item waits for") { database in
            try database.execute(
                sql: """
                    ALTER TABLE item ADD COLUMN lane TEXT;
                    ALTER TABLE item ADD COLUMN retryAt REAL;
                    CREATE INDEX itemRetry ON item (retryAt) WHERE retryAt IS NOT NULL;
                    UPDATE item SET body = json_set(
                        body, '$.problems', json('[]'), '$.retryCount', 0, '$.enrichment.sources', json('{}'),
                        '$.enrichment.candidates', json('[]'));
                    CREATE TABLE itemSecret (
                        itemID TEXT PRIMARY KEY REFERENCES item (id) ON DELETE CASCADE, body TEXT NOT NULL
                    ) WITHOUT ROWID;
                    """
            )
            let (code, url) = ("$.enrichment.qrContext.payload", "$.url")
            let sql = """
                SELECT id, json_extract(body, '\(code)') AS payload, json_extract(body, '\(url)') AS url FROM item
                WHERE payload IS NOT NULL OR url IS NOT NULL
                """
            for row in try Row.fetchAll(database, sql: sql) {
                var secret = ItemSecret(payload: row["payload"], url: row["url"])
                let shown = [secret.payload, secret.url].map { $0.map { TextSecrets(in: $0).redacted } }
                if shown[0] == secret.payload { secret.payload = nil }
                if shown[1] == secret.url { secret.url = nil }
                guard secret != ItemSecret() else { continue }
                let id: String = row["id"]
                try database.execute(
                    sql: "INSERT INTO itemSecret VALUES (?, ?)",
                    arguments: [id, try StoredJSON.encode(secret)]
                )
                for (path, text) in zip([code, url], shown) where text != nil {
                    try database.execute(
                        sql: "UPDATE item SET body = json_set(body, ?, ?, '$.hasSecret', json('true')) WHERE id = ?",
                        arguments: [path, text, id]
                    )
                }
            }
        }
        migrator.registerMigration("story: days, uses, edits of the taste and settings") { database in
            // A deleted item's words are in no story.
            try database.execute(
                sql: """
                    CREATE TABLE day (
                        day TEXT PRIMARY KEY,
                        startsAt REAL NOT NULL,
                        endsAt REAL NOT NULL,
                        body TEXT NOT NULL
                    ) WITHOUT ROWID;
                    CREATE TRIGGER dayForgets AFTER DELETE ON item BEGIN
                        DELETE FROM day WHERE startsAt <= OLD.capturedAt AND endsAt > OLD.capturedAt;
                    END;
                    CREATE TABLE interaction (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        itemID TEXT REFERENCES item (id) ON DELETE CASCADE,
                        action TEXT NOT NULL,
                        at REAL NOT NULL,
                        concepts TEXT NOT NULL
                    );
                    CREATE INDEX interactionItem ON interaction (itemID);
                    CREATE TABLE tasteEdit (name TEXT PRIMARY KEY COLLATE NOCASE, weight REAL NOT NULL) WITHOUT ROWID;
                    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                    """
            )
        }
        migrator.registerMigration("9: names that a person gave") { database in
            let path = "'$." + "told" + "'"
            let name = "CASE WHEN json_valid(body) THEN json_extract(body, \(path)) END"
            let renamed = "json_set(json_remove(body, \(path)), '$.givenName', \(name))"
            try database.execute(sql: "UPDATE item SET body = \(renamed) WHERE \(name) IS NOT NULL")
        }
        migrator.registerMigration("10: no taste") { database in
            try database.execute(sql: "DROP TABLE interaction; DROP TABLE tasteEdit")
        }
        return migrator
    }
}
