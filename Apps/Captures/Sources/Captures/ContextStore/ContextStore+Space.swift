package import ContextSpace
package import Foundation
import GRDB

extension ContextStore {
    /// Returns the user's concepts, the heaviest first.
    package func concepts() throws -> [UserConcept] {
        try read { database in
            // A damaged row is left out: the concept can be set again.
            try Row.fetchAll(database, sql: "SELECT * FROM concept ORDER BY weight DESC, name").compactMap { row in
                guard let name: String = try? row.value("name"), let weight: Double = try? row.value("weight")
                else { return nil }
                var concept = UserConcept(name: name, definition: (try? row.value("definition")) ?? "", weight: weight)
                concept.isAutomatic = Bool.fromDatabaseValue(row["isAutomatic"]) == true ? true : nil
                return concept
            }
        }
    }

    /// Items that ``conceptsOfHome()`` looks at: the newest.
    private static let recentItems = 1_000

    /// Returns the names, in lower case, of concepts that came from captures at home, of the newest thousand items.
    func conceptsOfHome() throws -> Set<String> {
        try read { database in
            let sql = """
                SELECT DISTINCT lower(name) FROM conceptSource JOIN item ON item.id = itemID
                WHERE item.sequence > (SELECT coalesce(max(sequence), 0) FROM item) - \(Self.recentItems)
                    AND json_extract(\(Self.json), '$.enrichment.placeContext.name') = ?
                    AND json_extract(\(Self.json), '$.enrichment.placeContext.placeID') IS NULL
                """
            return try Set(String.fetchAll(database, sql: sql, arguments: [PlaceContext.homeName]))
        }
    }

    /// Saves a concept of the user's own; one of the same name, ignoring case, is replaced.
    package func keep(_ concept: UserConcept) throws {
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO concept (name, definition, weight) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE
                    SET name = excluded.name, definition = excluded.definition, weight = excluded.weight, isAutomatic = 0
                    """,
                arguments: [concept.name, concept.definition, concept.weight]
            )
        }
    }

    /// Keeps the concepts that an item adds by itself; one that is known stays as it is.
    ///
    /// Such a concept is removed with the last item that it was derived from, unless its owner has saved it.
    package func keep(automatic concepts: [UserConcept], of item: UUID) throws {
        guard !concepts.isEmpty else { return }
        try write { database in
            guard try Self.item(item.uuidString, in: database) != nil else { return }
            var known: [String: String] = [:]
            for name in try String.fetchAll(database, sql: "SELECT name FROM concept") {
                known[name.lowercased()] = name
            }
            for concept in concepts {
                if known[concept.name.lowercased()] == nil {
                    try database.execute(
                        sql: """
                            INSERT INTO concept (name, definition, weight, isAutomatic) VALUES (?, ?, ?, 1)
                            ON CONFLICT DO NOTHING
                            """,
                        arguments: [concept.name, concept.definition, concept.weight]
                    )
                }
                try database.execute(
                    sql: "INSERT INTO conceptSource (itemID, name) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    arguments: [item.uuidString, known[concept.name.lowercased()] ?? concept.name]
                )
            }
        }
    }

    /// Forgets the automatic concepts that no item has any more.
    static func forgetConcepts(in database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM concept WHERE isAutomatic
                AND NOT EXISTS (SELECT 1 FROM conceptSource WHERE conceptSource.name = concept.name)
                """
        )
    }

    /// Forgets a concept; false when there is none of this name.
    @discardableResult
    package func forget(concept name: String) throws -> Bool {
        try write { database in
            try database.execute(sql: "DELETE FROM concept WHERE name = ?", arguments: [name])
            return database.changesCount > 0
        }
    }

    /// Keeps items' vectors of a space, in one transaction; none of an item that is there no more.
    ///
    /// Those of other spaces stay: programs with other models may use the same store.
    package func keep(vectors: [(item: UUID, bytes: Data)], space: String) throws {
        try write { database in
            for (item, bytes) in vectors {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO vector (itemID, space, bytes) SELECT id, ?, ? FROM item WHERE id = ?",
                    arguments: [space, bytes, item.uuidString]
                )
            }
        }
    }

    /// Returns vectors of a space that were added after another one, in the order of addition; 0 for all of them.
    package func vectors(of space: String, after sequence: Int) throws -> [(sequence: Int, item: UUID, bytes: Data)] {
        try read { database in
            let sql = "SELECT sequence, itemID, bytes FROM vector WHERE space = ? AND sequence > ? ORDER BY sequence"
            return try Row.fetchAll(database, sql: sql, arguments: [space, sequence]).compactMap { row in
                UUID(uuidString: row["itemID"]).map { (row["sequence"], $0, row["bytes"]) }
            }
        }
    }

    /// Returns the number of items after a place without a vector of a space; `place`: 0 for all.
    func countWithoutVector(of space: String, after place: Int) throws -> Int {
        try read { database in
            let sql = """
                SELECT count(*) FROM item WHERE sequence > ?
                AND NOT EXISTS (SELECT 1 FROM vector WHERE itemID = item.id AND space = ?)
                """
            return try Int.fetchOne(database, sql: sql, arguments: [place, space]) ?? 0
        }
    }

    /// Returns items that were added after a place and have no vector of a space, with their places, the oldest
    /// first; no item for a row with a damaged id.
    ///
    /// `place`: 0 for all; places only grow.
    func itemsWithoutVector(
        of space: String,
        after place: Int,
        limit: Int
    ) throws -> [(place: Int, item: CapturedItem?)] {
        try read { database in
            let sql = """
                SELECT sequence, id FROM item WHERE sequence > ?
                AND NOT EXISTS (SELECT 1 FROM vector WHERE itemID = item.id AND space = ?) ORDER BY sequence LIMIT ?
                """
            return try Row.fetchAll(database, sql: sql, arguments: [place, space, limit]).map {
                (try $0.value("sequence"), try Self.item($0.value("id"), in: database))
            }
        }
    }

    /// Notes a request that left the device for an item, as a line of the ledger.
    package func note(transfer line: String, for item: UUID?) throws {
        try write { database in
            try database.execute(
                sql: "INSERT INTO transfer (itemID, line) VALUES (?, ?)",
                arguments: [item?.uuidString, line]
            )
        }
    }

    /// Returns lines of the ledger, the oldest first.
    package func transfers(of item: UUID? = nil) throws -> [String] {
        try read { database in
            try String.fetchAll(
                database,
                sql: "SELECT line FROM transfer WHERE ?1 IS NULL OR itemID = ?1 ORDER BY sequence",
                arguments: [item?.uuidString]
            )
        }
    }

    /// Removes the arrivals whose files are missing from an inbox: only an existing file could arrive twice.
    package func forgetArrivals(in folder: String, except present: Set<String>) throws {
        let all = try read { try String.fetchAll($0, sql: "SELECT identity FROM arrival") }
        let gone = Set(all.filter { $0.hasPrefix("\(folder)|") }).subtracting(present)
        guard !gone.isEmpty else { return }
        try write { database in
            for identity in gone {
                try database.execute(sql: "DELETE FROM arrival WHERE identity = ?", arguments: [identity])
            }
        }
    }
}
