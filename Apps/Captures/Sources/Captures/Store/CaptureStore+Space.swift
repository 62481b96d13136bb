import Basics
package import CaptureSpace
package import Foundation
import GRDB

/// Concepts, vectors and words, by which captures are found.
extension CaptureStore {
    // MARK: - Words

    /// Returns the items that have all words of a query, or with `all` false one of them, the newest thousand, the newest
    /// first; with `beginnings`, the last word may be the beginning of one.
    func items(with query: String, all: Bool = true, beginnings: Bool) throws -> [UUID] {
        guard let pattern = SearchWords.pattern(query, all: all, beginnings: beginnings) else { return [] }
        let sql = """
            SELECT id FROM itemText JOIN item ON sequence = itemText.rowid
            WHERE itemText MATCH ? ORDER BY itemText.rowid DESC LIMIT 1000
            """
        return try read { database in
            try DatabaseValue.fetchAll(database, sql: sql, arguments: [pattern]).compactMap(UUID.fromDatabaseValue)
        }
    }

    // MARK: - Concepts

    /// Returns the user's concepts, the heaviest first.
    package func concepts() throws -> [UserConcept] {
        try read { database in
            // A damaged row is left out: the concept can be set again.
            try Row.fetchAll(database, sql: "SELECT * FROM concept ORDER BY weight DESC, name")
                .compactMap { try? UserConcept(row: $0) }
        }
    }

    /// Items that ``conceptsOfHome()`` looks at: the newest.
    private static let recentItems = 1_000

    /// Returns the names, in lower case, of concepts that came from captures at home, of the newest thousand items.
    func conceptsOfHome() throws -> Set<String> {
        let sql = """
            SELECT DISTINCT lower(name) FROM conceptSource JOIN item ON item.id = itemID
            WHERE item.sequence > (SELECT coalesce(max(sequence), 0) FROM item) - \(Self.recentItems) AND isHome
            """
        return try read { try Set(String.fetchAll($0, sql: sql)) }
    }

    /// Saves a concept of the user's own; one of the same name, ignoring case, is replaced.
    package func keep(_ concept: UserConcept) throws {
        let sql = """
            INSERT INTO concept VALUES (?, ?, ?, 0) ON CONFLICT DO UPDATE
            SET name = excluded.name, definition = excluded.definition, weight = excluded.weight, isAutomatic = 0
            """
        try write { try $0.execute(sql: sql, arguments: [concept.name, concept.definition, concept.weight]) }
    }

    /// Keeps the concepts that an item adds by itself; one that is known stays as it is.
    ///
    /// Such a concept is removed with the last item that it was derived from, unless its owner has saved it.
    package func keep(automatic concepts: [UserConcept], of item: UUID) throws {
        guard !concepts.isEmpty else { return }
        try write { database in
            let names = try String.fetchAll(database, sql: "SELECT name FROM concept")
            let known = Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
            for concept in concepts {
                let name = known[concept.name.lowercased()] ?? concept.name
                try database.execute(
                    sql: "INSERT OR IGNORE INTO concept SELECT ?, ?, ?, 1 FROM item WHERE id = ?",
                    arguments: [name, concept.definition, concept.weight, item]
                )
                let source = "INSERT OR IGNORE INTO conceptSource SELECT id, ? FROM item WHERE id = ?"
                try database.execute(sql: source, arguments: [name, item])
            }
        }
    }

    /// Forgets the automatic concepts that no item has any more.
    static func forgetConcepts(in database: Database) throws {
        let sources = "SELECT 1 FROM conceptSource WHERE conceptSource.name = concept.name"
        try database.execute(sql: "DELETE FROM concept WHERE isAutomatic AND NOT EXISTS (\(sources))")
    }

    /// Forgets a concept; false when there is none of this name.
    @discardableResult
    package func forget(concept name: String) throws -> Bool {
        try write { database in
            try database.execute(sql: "DELETE FROM concept WHERE name = ?", arguments: [name])
            return database.changesCount > 0
        }
    }

    // MARK: - Vectors

    /// Keeps items' vectors of a space, in one transaction; none of an item that is there no more.
    ///
    /// Those of other spaces stay: programs with other models may use the same store.
    package func keep(vectors: [(item: UUID, values: [Float])], space: String) throws {
        let sql = "INSERT OR REPLACE INTO vector (itemID, space, bytes) SELECT id, ?, ? FROM item WHERE id = ?"
        try write { database in
            for (item, values) in vectors {
                let bytes = values.withUnsafeBytes { Data($0) }
                try database.execute(sql: sql, arguments: [space, bytes, item])
            }
        }
    }

    /// Returns vectors of a space that were added after another one, in the order of addition; 0 for all of them.
    package func vectors(
        of space: String,
        after sequence: Int = 0
    ) throws -> [(sequence: Int, item: UUID, values: [Float])] {
        let sql = "SELECT sequence, itemID, bytes FROM vector WHERE space = ? AND sequence > ? ORDER BY sequence"
        return try read { database in
            try Row.fetchAll(database, sql: sql, arguments: [space, sequence]).compactMap { row in
                guard let item = UUID.fromDatabaseValue(row["itemID"]) else { return nil }
                let bytes = Data.fromDatabaseValue(row["bytes"]) ?? Data()
                let values = [Float](unsafeUninitializedCapacity: bytes.count / 4) { buffer, count in
                    count = bytes.count / 4
                    _ = bytes.copyBytes(to: UnsafeMutableRawBufferPointer(buffer), count: 4 * count)
                }
                return (row["sequence"], item, values)
            }
        }
    }

    /// Returns items that were added after a place and have no vector of a space, the oldest first, with the place of
    /// the last one and the number of others; no item for a row with a damaged id.
    ///
    /// `place`: 0 for all; places only grow.
    func itemsWithoutVector(
        of space: String,
        after place: Int,
        limit: Int
    ) throws -> (items: [CapturedItem], place: Int, more: Int) {
        let missing = """
            FROM item WHERE sequence > ?
            AND NOT EXISTS (SELECT 1 FROM vector WHERE itemID = item.id AND space = ?)
            """
        let sql = "SELECT sequence, \(CapturedItem.columns) \(missing) ORDER BY sequence LIMIT \(limit)"
        return try read { database in
            let rows = try Row.fetchAll(database, sql: sql, arguments: [place, space])
            let last = rows.last.map { $0["sequence"] as Int } ?? place
            let count = "SELECT count(*) \(missing)"
            let more =
                rows.count < limit ? 0 : try Int.fetchOne(database, sql: count, arguments: [last, space]) ?? 0
            return (rows.compactMap { try? CapturedItem($0) }, last, more)
        }
    }

    // MARK: - Ledger

    /// Notes a request that left the device, as a line of the ledger.
    package func note(transfer line: String) throws {
        try write { try $0.execute(sql: "INSERT INTO transfer (line) VALUES (?)", arguments: [line]) }
    }

    /// Returns lines of the ledger, the oldest first.
    package func transfers() throws -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT line FROM transfer ORDER BY sequence") }
    }
}

/// Words of texts and queries, as SQLite's full-text search (FTS5) has them: that folds case and diacritics.
enum SearchWords {
    /// Letters of one item that can be found.
    private static let most = 200_000

    /// Returns the text as it is indexed, with the other spellings of words that have more than plain letters.
    static func indexed(_ text: String) -> String {
        let text = separated(text.bounded(to: most))
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return ([text] + text.split(whereSeparator: \.isWhitespace).flatMap { spellings(of: String($0)).dropFirst() })
            .joined(separator: " ")
    }

    /// Returns the query by which the index is asked; nil for one without letters and digits.
    static func pattern(_ query: String, all: Bool, beginnings: Bool) -> String? {
        let words = query.split(whereSeparator: \.isWhitespace).map(String.init)
            .filter { $0.contains { $0.isLetter || $0.isNumber } }
        let patterns = words.enumerated().map { place, word in
            let end = beginnings && (place == words.count - 1 || !all) ? "\"*" : "\""
            let forms = spellings(of: word).map { "\"" + separated($0).replacing("\"", with: "\"\"") + end }
            return "(\(forms.joined(separator: " OR ")))"
        }
        return patterns.isEmpty ? nil : patterns.joined(separator: all ? " AND " : " OR ")
    }

    /// Returns a word, and how it is written with plain letters: "Müller", "mueller", "muller".
    private static func spellings(of word: String) -> [String] {
        if word.utf8.allSatisfy({ $0 < 0x80 }) { return [word] }
        let umlauts = ["ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"]
        let german = umlauts.reduce(word.lowercased()) { $0.replacing($1.key, with: $1.value) }
        return [word, FoldedText(german).description, FoldedText(word).description].filter { $0 != "" }
    }

    /// Returns a text with spaces around the characters of scripts that have none between words.
    private static func separated(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0: scalars.append(" ")
            case 0x0E00...0x0E7F, 0x2E80...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
                scalars.append(contentsOf: [" ", scalar, " "])
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}
