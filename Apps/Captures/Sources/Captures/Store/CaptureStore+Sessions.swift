package import Foundation
import GRDB

package struct SessionSummary: Codable, Sendable, Equatable, Identifiable {
    package var session: CaptureSession
    /// Number of items, including those found in others.
    package var items: Int
    /// Number of items that wait or are being processed.
    package var unfinished: Int
    package var failed: Int
    /// Number of items with a source that failed.
    package var incomplete: Int
    package var isArchived: Bool
    /// Item whose picture stands for the session.
    package var cover: ItemSummary?

    package var id: UUID { session.id }
}

extension CaptureStore {
    /// Returns sessions, the newest first.
    package func sessions(limit: Int, offset: Int = 0, archived: Bool = false) throws -> [SessionSummary] {
        // The other states follow this one alphabetically, so that one index lookup suffices.
        let isSeen = "EXISTS (SELECT 1 FROM item WHERE sessionID = session.id AND state > 'archived')"
        let isEmpty = "NOT EXISTS (SELECT 1 FROM item WHERE sessionID = session.id)"
        let condition = archived ? "NOT (\(isSeen) OR \(isEmpty))" : "\(isSeen) OR \(isEmpty)"
        func count(_ states: String) -> String { "coalesce(sum(item.state IN (\(states))), 0)" }
        let sql = """
            SELECT page.*, count(item.id) AS items, \(count("'queued', 'processing'")) AS waiting,
                \(count("'failed'")) AS failed, \(count("'incomplete'")) AS incomplete
            FROM (
                SELECT id, createdAt, body FROM session WHERE \(condition)
                ORDER BY createdAt DESC, id LIMIT ? OFFSET ?) AS page
            LEFT JOIN item ON item.sessionID = page.id
            GROUP BY page.id ORDER BY page.createdAt DESC, page.id
            """
        return try read { database in
            try Row.fetchAll(database, sql: sql, arguments: [limit, offset]).compactMap { row in
                CaptureSession(row).map { session in
                    SessionSummary(
                        session: session,
                        items: row["items"],
                        unfinished: row["waiting"],
                        failed: row["failed"],
                        incomplete: row["incomplete"],
                        isArchived: archived
                    )
                }
            }
        }
    }

    package func counts() throws -> (sessions: Int, items: Int, unfinished: Int) {
        try read { database in
            func count(_ rows: String) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \(rows)") ?? 0
            }
            return (try count("session"), try count("item"), try count("item WHERE \(Self.isUnfinished)"))
        }
    }

    private static let isUnfinished = "state IN ('queued', 'processing')"

    package func session(_ id: UUID) throws -> CaptureSession? { try read { try Self.session(id, in: $0) } }

    /// Sessions whose id begins so, at most two: for a person who names one by its first letters.
    package func sessions(idPrefix: String) throws -> [UUID] {
        let prefix = idPrefix.uppercased().filter { $0 != "-" }
        let sql = "SELECT id FROM session WHERE substr(hex(id), 1, length(?1)) = ?1 LIMIT 2"
        return try read { try UUID.fetchAll($0, sql: sql, arguments: [prefix]) }
    }

    /// Changes a session's current state.
    @discardableResult
    package func update(session id: UUID, _ change: (inout CaptureSession) throws -> Void) throws -> CaptureSession {
        try write { database in
            let old = try Self.existing(id, in: database)
            var session = old
            try change(&session)
            (session.id, session.createdAt) = (old.id, old.createdAt)
            guard session != old else { return old }
            session.updatedAt = max(old.updatedAt, Date())
            try session.upsert(database)
            return session
        }
    }

    /// Copies a session, titled "Copy of …", with every field, picture and vector of its items.
    ///
    /// Copying to the same id twice changes nothing.
    @discardableResult
    package func duplicate(session id: UUID, as copy: UUID = UUID(), at date: Date) throws -> CaptureSession {
        try write { database in
            if let known = try Self.session(copy, in: database) { return known }
            var session = try Self.existing(id, in: database)
            let name = session.title.isEmpty ? session.createdAt.formatted(.iso8601) : session.title
            (session.id, session.title, session.titleSource) = (copy, "Copy of \(name)", .user)
            (session.createdAt, session.updatedAt) = (date, date)
            try session.upsert(database)
            let same = """
                original, childKey, kind, title, capturedAt, updatedAt, isHome, lane, retryAt, problems, features,
                words, body
                """
            var copies: [UUID: UUID] = [:]
            let sql = "SELECT id, parentID FROM item WHERE sessionID = ? ORDER BY sequence"
            for row in try Row.fetchAll(database, sql: sql, arguments: [id]) {
                guard let old = UUID.fromDatabaseValue(row["id"]) else { continue }
                let (own, parent) = (UUID(), UUID.fromDatabaseValue(row["parentID"]).flatMap { copies[$0] })
                copies[old] = own
                // The copy waits itself for the original's pending processing.
                try database.execute(
                    sql: """
                        INSERT INTO item (id, sessionID, parentID, state, \(same))
                        SELECT ?, ?, ?, iif(state = 'processing', 'queued', state), \(same) FROM item WHERE id = ?
                        """,
                    arguments: [own, copy, parent, old]
                )
                for (table, columns) in [
                    ("picture", "role, file"), ("vector", "space, bytes"), ("itemSecret", "payload, url"),
                    ("conceptSource", "name"),
                ] {
                    let values = "SELECT ?, \(columns) FROM \(table) WHERE itemID = ?"
                    let sql = "INSERT INTO \(table) (itemID, \(columns)) \(values)"
                    try database.execute(sql: sql, arguments: [own, old])
                }
            }
            return session
        }
    }

    /// Queues all items of a session for processing again; known facts are kept.
    ///
    /// - Returns: how many wait now.
    @discardableResult
    package func reprocess(session id: UUID) throws -> Int {
        try change(session: id, where: "state IN ('ready', 'incomplete', 'failed', 'review')") { $0.queue() }
    }

    /// Queues the items of a session of which a source failed, for these sources alone, and those that failed.
    ///
    /// - Returns: how many wait now.
    package func retry(session id: UUID) throws -> Int {
        try change(session: id, where: "state IN ('incomplete', 'failed')") { item in
            item.queue(failedOnly: item.state == .incomplete)
        }
    }

    /// Archives a session: all of its items, which lists and searches leave out.
    ///
    /// Nothing of them is lost.
    @discardableResult
    package func archive(session id: UUID) throws -> Int {
        try write { database in
            _ = try Self.existing(id, in: database)
            let sql = "SELECT count(*) FROM item WHERE sessionID = ? AND \(Self.isUnfinished)"
            let waiting = try Int.fetchOne(database, sql: sql, arguments: [id]) ?? 0
            guard waiting == 0 else { throw CaptureFault.unfinished(id, count: waiting) }
            let archive =
                "UPDATE item SET state = 'archived', retryAt = NULL WHERE sessionID = ? AND state <> 'archived'"
            try database.execute(sql: archive, arguments: [id])
            return database.changesCount
        }
    }

    /// Restores an archived session, each item in its earlier state.
    ///
    /// - Returns: how many were brought back.
    @discardableResult
    package func unarchive(session id: UUID) throws -> Int {
        try change(session: id, where: "state = 'archived'") { $0.state = $0.stateAfterProcessing }
    }

    /// Changes some of a session's items in one transaction; returns how many.
    private func change(
        session id: UUID,
        where condition: String,
        _ change: (inout CapturedItem) throws -> Void
    ) throws -> Int {
        try write { database in
            _ = try Self.existing(id, in: database)
            let sql = "SELECT id FROM item WHERE sessionID = ? AND \(condition) ORDER BY sequence"
            let ids = try UUID.fetchAll(database, sql: sql, arguments: [id])
            for id in ids { try Self.change(id, in: database, change) }
            return ids.count
        }
    }

    /// Deletes a session with its items and their pictures; false when there is no such session.
    @discardableResult
    package func delete(session id: UUID) throws -> Bool {
        let files = "SELECT file FROM picture JOIN item ON item.id = itemID WHERE sessionID = ?"
        return try deleting(id, files: files) { database in
            try database.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id])
            return database.changesCount > 0
        }
    }

    /// Moves the items of one session into another, and deletes the one that is empty then.
    ///
    /// The target's missing place, summary and tags are copied from the source.
    package func merge(session source: UUID, into target: UUID) throws {
        try write { database in
            let old = try Self.existing(source, in: database)
            var session = try Self.existing(target, in: database)
            guard source != target else { return }
            let isArchived = try [source, target].map { try Self.isArchived($0, in: database) }
            guard isArchived[0] == isArchived[1] else { throw CaptureFault.archived(isArchived[0] ? source : target) }
            let sql = "UPDATE item SET sessionID = ? WHERE sessionID = ?"
            try database.execute(sql: sql, arguments: [target, source])
            if session.title.isEmpty { (session.title, session.titleSource) = (old.title, old.titleSource) }
            session.coordinate = session.coordinate ?? old.coordinate
            for text in [\CaptureSession.placeName, \.summary, \.purpose] {
                session[keyPath: text] = session[keyPath: text] ?? old[keyPath: text]
            }
            session.tags.unite(old.tags)
            session.statements.unite(old.statements)
            session.updatedAt = max(session.updatedAt, old.updatedAt)
            try session.upsert(database)
            try database.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [source])
        }
    }

    // MARK: - Inside a transaction

    /// Returns whether a session has items, and all of them are archived.
    static func isArchived(_ id: UUID, in database: Database) throws -> Bool {
        let sql = "SELECT count(*) > 0 AND sum(state <> 'archived') = 0 FROM item WHERE sessionID = ?"
        return try Bool.fetchOne(database, sql: sql, arguments: [id]) ?? false
    }

    static func session(_ id: UUID, in database: Database) throws -> CaptureSession? {
        let sql = "SELECT id, createdAt, body FROM session WHERE id = ?"
        return try Row.fetchOne(database, sql: sql, arguments: [id]).flatMap { CaptureSession($0) }
    }

    static func existing(_ id: UUID, in database: Database) throws -> CaptureSession {
        guard let session = try session(id, in: database) else { throw CaptureFault.noSession(id) }
        return session
    }
}
