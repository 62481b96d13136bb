public import ContextModel
public import Foundation
import GRDB

extension ContextStore {
    /// The user's concepts, the heaviest first.
    public func concepts() throws -> [UserConcept] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM concept ORDER BY weight DESC, name").map {
                UserConcept(name: $0["name"], definition: $0["definition"], weight: $0["weight"])
            }
        }
    }

    /// Keeps a concept; one of the same name, whatever the case of its letters, is replaced.
    public func keep(_ concept: UserConcept) throws {
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO concept (name, definition, weight) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE
                    SET name = excluded.name, definition = excluded.definition, weight = excluded.weight
                    """,
                arguments: [concept.name, concept.definition, concept.weight]
            )
        }
    }

    /// Forgets a concept.
    ///
    /// - Returns: false when there is none of this name.
    @discardableResult
    public func forget(concept name: String) throws -> Bool {
        try write { database in
            try database.execute(sql: "DELETE FROM concept WHERE name = ?", arguments: [name])
            return database.changesCount > 0
        }
    }

    /// Keeps an item's vector; nothing when the item is there no more.
    public func keep(vector: Data, of item: UUID) throws {
        try write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO vector SELECT id, ? FROM item WHERE id = ?",
                arguments: [vector, item.uuidString]
            )
        }
    }

    /// Vectors of all items.
    public func vectors() throws -> [(item: UUID, bytes: Data)] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT itemID, bytes FROM vector").compactMap { row in
                UUID(uuidString: row["itemID"]).map { ($0, row["bytes"]) }
            }
        }
    }

    /// Items that have no vector, the oldest first.
    public func itemsWithoutVector(limit: Int) throws -> [CapturedItem] {
        try read { database in
            let sql = "SELECT body FROM item WHERE id NOT IN (SELECT itemID FROM vector) ORDER BY sequence LIMIT ?"
            return try String.fetchAll(database, sql: sql, arguments: [limit]).map {
                try StoredJSON.decode(CapturedItem.self, $0)
            }
        }
    }

    /// What was told of a day ("2026-11-23"); nil before.
    public func story(of day: String) throws -> String? {
        try read {
            try String.fetchOne($0, sql: "SELECT story FROM dayStory WHERE day = ?", arguments: [day])
        }
    }

    /// Keeps what is told of a day.
    public func keep(story: String, of day: String, at date: Date) throws {
        try write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO dayStory VALUES (?, ?, ?)",
                arguments: [day, story, date.timeIntervalSince1970]
            )
        }
    }

    /// Notes a request that left the device for an item, as a line of the ledger.
    public func note(transfer line: String, for item: UUID?) throws {
        try write { database in
            try database.execute(
                sql: "INSERT INTO transfer (itemID, line) VALUES (?, ?)",
                arguments: [item?.uuidString, line]
            )
        }
    }

    /// Lines of the ledger, the oldest first.
    public func transfers(of item: UUID? = nil) throws -> [String] {
        try read { database in
            try String.fetchAll(
                database,
                sql: "SELECT line FROM transfer WHERE ?1 IS NULL OR itemID = ?1 ORDER BY sequence",
                arguments: [item?.uuidString]
            )
        }
    }

    /// Forgets the arrivals whose files are gone from an inbox: only a file that is still there could come twice.
    public func forgetArrivals(except present: Set<String>) throws {
        let gone = try read { Set(try String.fetchAll($0, sql: "SELECT identity FROM arrival")) }.subtracting(present)
        guard !gone.isEmpty else { return }
        try write { database in
            for identity in gone {
                try database.execute(sql: "DELETE FROM arrival WHERE identity = ?", arguments: [identity])
            }
        }
    }
}
