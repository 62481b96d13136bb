package import Foundation
import GRDB

/// What lists show.
extension ContextStore {
    /// Columns of ``ItemSummary``, of the table `item`.
    static let summaryColumns = """
        item.id, parentID, kind, state, title, capturedAt,
        EXISTS (SELECT 1 FROM picture WHERE itemID = item.id AND role = 'thumbnail') AS hasThumbnail,
        EXISTS (SELECT 1 FROM picture WHERE itemID = item.id AND role = 'icon') AS hasIcon,
        CASE WHEN json_valid(item.body) THEN json_extract(item.body, '$.problems') END AS problems, retryAt
        """

    /// Returns captures that are of a kind or on which one was found, or all, the newest first; archived ones are omitted.
    package func recent(limit: Int, kind: ItemKind? = nil) throws -> [ItemSummary] {
        let hasOne = "EXISTS (SELECT 1 FROM item AS found WHERE found.parentID = item.id AND found.kind = ?1)"
        let condition = "parentID IS NULL AND state <> 'archived' AND (?1 IS NULL OR kind = ?1 OR \(hasOne))"
        return try summaries("\(condition) ORDER BY capturedAt DESC, sequence DESC LIMIT ?2", [kind?.rawValue, limit])
    }

    /// Returns the list row of an item; nil when there is no such item.
    package func summary(_ id: UUID) throws -> ItemSummary? { try summaries("item.id = ?", [id.uuidString]).first }

    /// Returns the first item of a session with a small picture, else its first item; nil for an empty session.
    package func cover(of session: UUID) throws -> ItemSummary? {
        let first = "ORDER BY sequence LIMIT 1"
        return try summaries("sessionID = ? AND hasThumbnail \(first)", [session.uuidString]).first
            ?? summaries("sessionID = ? \(first)", [session.uuidString]).first
    }

    private func summaries(_ condition: String, _ arguments: StatementArguments) throws -> [ItemSummary] {
        try read { database in
            let sql = "SELECT \(Self.summaryColumns) FROM item WHERE \(condition)"
            return try Row.fetchAll(database, sql: sql, arguments: arguments).map { try ItemSummary.read($0) }
        }
    }

    /// Gives an item a title that no program changes.
    @discardableResult
    package func rename(item id: UUID, _ title: String) throws -> CapturedItem? {
        try update(id) { ($0.title, $0.isTitledByUser) = (title, true) }
    }

    /// Moves a capture, and what was found in it, to another session; a session that becomes empty is deleted.
    ///
    /// - Throws: when the item was found in another one, or the session does not exist or is archived.
    package func move(item id: UUID, into target: UUID) throws {
        try write { database in
            guard let item = try Self.item(id.uuidString, in: database) else { throw ContextError.noItem(id) }
            guard item.parentID == nil else { throw ContextError.partOfItem(id) }
            guard var session = try Self.session(target, in: database) else { throw ContextError.noSession(target) }
            if item.state == .archived { throw ContextError.archived(item.sessionID) }
            if try Self.isArchived(target, in: database) { throw ContextError.archived(target) }
            let family = """
                WITH RECURSIVE family (id) AS (
                    VALUES (?1) UNION SELECT item.id FROM item JOIN family ON item.parentID = family.id)
                """
            try database.execute(
                sql: """
                    \(family) UPDATE item SET sessionID = ?2, body = json_set(body, '$.sessionID', ?2)
                    WHERE id IN (SELECT id FROM family)
                    """,
                arguments: [id.uuidString, target.uuidString]
            )
            session.updatedAt = max(session.updatedAt, Date())
            try Self.save(session, in: database)
            try Self.deleteIfEmpty(session: item.sessionID, in: database)
        }
    }
}
