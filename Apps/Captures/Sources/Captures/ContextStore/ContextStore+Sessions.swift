import BookCatalogue
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

/// A session that was split from an earlier one, which is to have its items.
package typealias SplitSession = (session: CaptureSession, into: CaptureSession)

extension ContextStore {
    /// Returns sessions, the newest first.
    package func sessions(limit: Int, offset: Int = 0, archived: Bool = false) throws -> [SessionSummary] {
        try read { database in
            // The other states follow this one alphabetically, so that one index lookup suffices.
            let isSeen = "EXISTS (SELECT 1 FROM item WHERE sessionID = captureSession.id AND state > 'archived')"
            let isEmpty = "NOT EXISTS (SELECT 1 FROM item WHERE sessionID = captureSession.id)"
            let condition = archived ? "NOT (\(isSeen) OR \(isEmpty))" : "\(isSeen) OR \(isEmpty)"
            let sql = """
                SELECT page.id, page.createdAt, page.body, count(item.id) AS items, coalesce(sum(item.state IN ('queued', 'processing')), 0) AS waiting,
                    coalesce(sum(item.state = 'failed'), 0) AS failed,
                    coalesce(sum(item.state = 'incomplete'), 0) AS incomplete
                FROM (
                    SELECT id, createdAt, body FROM captureSession WHERE \(condition)
                    ORDER BY createdAt DESC, id LIMIT ? OFFSET ?) AS page
                LEFT JOIN item ON item.sessionID = page.id
                GROUP BY page.id ORDER BY page.createdAt DESC, page.id
                """
            return try Row.fetchAll(database, sql: sql, arguments: [limit, offset]).compactMap { row in
                guard let session = Self.session(row) else { return nil }
                return SessionSummary(
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

    package func counts() throws -> (sessions: Int, items: Int, unfinished: Int) {
        try read { database in
            func count(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
            return (
                try count("SELECT count(*) FROM captureSession"), try count("SELECT count(*) FROM item"),
                try count("SELECT count(*) FROM item WHERE state IN ('queued', 'processing')")
            )
        }
    }

    package func session(_ id: UUID) throws -> CaptureSession? { try read { try Self.session(id, in: $0) } }

    /// Sessions whose id begins so, at most two: for a person who names one by its first letters.
    package func sessions(idPrefix: String) throws -> [UUID] {
        try read { database in
            let sql = "SELECT id FROM captureSession WHERE substr(id, 1, length(?1)) = ?1 LIMIT 2"
            return try String.fetchAll(database, sql: sql, arguments: [idPrefix.uppercased()])
                .compactMap(UUID.init(uuidString:))
        }
    }

    /// Changes a session's current state.
    @discardableResult
    package func update(session id: UUID, _ change: (inout CaptureSession) throws -> Void) throws -> CaptureSession {
        try write { database in
            var session = try Self.existing(id, in: database)
            let old = session
            try change(&session)
            (session.id, session.createdAt) = (old.id, old.createdAt)
            guard session != old else { return old }
            session.updatedAt = max(old.updatedAt, Date())
            try Self.save(session, in: database)
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
            session.id = copy
            session.title = "Copy of \(name)"
            session.titleSource = .user
            (session.createdAt, session.updatedAt) = (date, date)
            try Self.save(session, in: database)
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT body, childKey FROM item WHERE sessionID = ? ORDER BY sequence",
                arguments: [id.uuidString]
            )
            let items = try rows.map { try StoredJSON.decode(CapturedItem.self, $0.value("body")) }
            let ids = Dictionary(items.map { ($0.id, UUID()) }) { first, _ in first }
            for (row, old) in zip(rows, items) {
                var item = old
                item.id = ids[old.id] ?? UUID()
                item.copyOf = old.copyOf ?? old.id
                item.sessionID = copy
                item.parentID = old.parentID.flatMap { ids[$0] }
                // The copy waits itself for the original's pending processing.
                if item.state == .processing { item.state = .queued }
                try Self.insert(item, childKey: row["childKey"], in: database)
                try database.execute(
                    sql:
                        "INSERT INTO vector (itemID, space, bytes) SELECT ?, space, bytes FROM vector WHERE itemID = ?",
                    arguments: [item.id.uuidString, old.id.uuidString]
                )
                try database.execute(
                    sql: "INSERT INTO itemSecret SELECT ?, body FROM itemSecret WHERE itemID = ?",
                    arguments: [item.id.uuidString, old.id.uuidString]
                )
                try database.execute(
                    sql: "INSERT INTO conceptSource (itemID, name) SELECT ?, name FROM conceptSource WHERE itemID = ?",
                    arguments: [item.id.uuidString, old.id.uuidString]
                )
            }
            return session
        }
    }

    /// Queues all items of a session for processing again; known facts are kept.
    ///
    /// - Returns: how many wait now.
    @discardableResult
    package func reprocess(session id: UUID) throws -> Int {
        try change(session: id, where: "state IN ('ready', 'incomplete', 'failed', 'review')") { item, _ in item.queue()
        }
    }

    /// Queues the items of a session of which a source failed, for these sources alone, and those that failed.
    ///
    /// - Returns: how many wait now.
    package func retry(session id: UUID) throws -> Int {
        try change(session: id, where: "state IN ('incomplete', 'failed')") { item, _ in
            item.queue(failedOnly: item.state == .incomplete)
        }
    }

    /// Puts a session away: all of its items are archived, and lists and searches leave them out.
    ///
    /// Nothing of them is lost.
    @discardableResult
    package func archive(session id: UUID) throws -> Int {
        try change(session: id, where: "state <> 'archived'") { item, waiting in
            guard waiting == 0 else { throw ContextError.unfinished(id, count: waiting) }
            item.state = .archived
        }
    }

    /// Restores an archived session, each item in its earlier state.
    ///
    /// - Returns: how many were brought back.
    @discardableResult
    package func unarchive(session id: UUID) throws -> Int {
        try change(session: id, where: "state = 'archived'") { item, _ in
            item.state = item.stateAfterProcessing
        }
    }

    /// Changes some of a session's items in one transaction; the change receives the number of waiting items.
    private func change(
        session id: UUID,
        where condition: String,
        _ change: (inout CapturedItem, _ waiting: Int) throws -> Void
    ) throws -> Int {
        try write { database in
            _ = try Self.existing(id, in: database)
            let items = "FROM item WHERE sessionID = ?"
            let waits = "SELECT count(*) \(items) AND state IN ('queued', 'processing')"
            let waiting = try Int.fetchOne(database, sql: waits, arguments: [id.uuidString]) ?? 0
            let sql = "SELECT id \(items) AND \(condition) ORDER BY sequence"
            let ids = try String.fetchAll(database, sql: sql, arguments: [id.uuidString])
            for id in ids { try Self.change(id, in: database) { try change(&$0, waiting) } }
            return ids.count
        }
    }

    /// Deletes a session with its items and their pictures; false when there is no such session.
    @discardableResult
    package func delete(session id: UUID) throws -> Bool {
        let files = "SELECT file FROM picture JOIN item ON item.id = itemID WHERE sessionID = ?"
        return try deleting(id, files: files) { database in
            let id: StatementArguments = [id.uuidString]
            try database.execute(
                sql: "DELETE FROM transfer WHERE itemID IN (SELECT id FROM item WHERE sessionID = ?)",
                arguments: id
            )
            try database.execute(sql: "DELETE FROM captureSession WHERE id = ?", arguments: id)
            return database.changesCount > 0
        }
    }

    /// Moves the items of one session into another, and deletes the one that is empty then.
    ///
    /// The target's missing place, summary and tags are copied from the source.
    package func merge(session source: UUID, into target: UUID) throws {
        try write { try Self.merge(source, into: target, in: $0) }
    }

    private static func merge(_ source: UUID, into target: UUID, in database: Database) throws {
        let old = try existing(source, in: database)
        var session = try existing(target, in: database)
        guard source != target else { return }
        let isArchived = try (isArchived(source, in: database), isArchived(target, in: database))
        guard isArchived.0 == isArchived.1 else { throw ContextError.archived(isArchived.0 ? source : target) }
        let sql = "SELECT body FROM item WHERE sessionID = ?"
        for var item in try StoredJSON.all(CapturedItem.self, sql, [source.uuidString], in: database) {
            item.sessionID = target
            try database.execute(
                sql: "UPDATE item SET sessionID = ?, body = ? WHERE id = ?",
                arguments: [target.uuidString, try StoredJSON.encode(item), item.id.uuidString]
            )
        }
        if session.title.isEmpty { (session.title, session.titleSource) = (old.title, old.titleSource) }
        session.coordinate = session.coordinate ?? old.coordinate
        for text in [\CaptureSession.placeName, \.summary, \.purpose] {
            session[keyPath: text] = session[keyPath: text] ?? old[keyPath: text]
        }
        session.tags.unite(old.tags)
        session.statements.unite(old.statements)
        session.updatedAt = max(session.updatedAt, old.updatedAt)
        try Self.save(session, in: database)
        try database.execute(sql: "DELETE FROM captureSession WHERE id = ?", arguments: [source.uuidString])
    }

    /// Merges sessions that one capture was split into: adjacent ones that began less than 5 s apart, at the same
    /// place (|Δlatitude| + |Δlongitude| < 0.0005), and without a user's title.
    ///
    /// Source of the rule: the original pipeline, which merges sessions of one place within five seconds.
    ///
    /// - Returns: those that were merged, each with the earlier one that has its items now.
    @discardableResult
    package func consolidate(from start: Date = .distantPast) throws -> [SplitSession] {
        try write { database in
            let split = try Self.splitSessions(from: start, in: database)
            for (session, earlier) in split { try Self.merge(session.id, into: earlier.id, in: database) }
            return split
        }
    }

    /// Returns the sessions that ``consolidate(from:)`` would merge; nothing is changed.
    package func splitSessions(from start: Date = .distantPast) throws -> [SplitSession] {
        try read { try Self.splitSessions(from: start, in: $0) }
    }

    private static func splitSessions(from start: Date, in database: Database) throws -> [SplitSession] {
        let sql = "SELECT id, createdAt, body FROM captureSession WHERE createdAt >= ? ORDER BY createdAt, id"
        let found = try Row.fetchAll(database, sql: sql, arguments: [start.timeIntervalSince1970])
            .compactMap { session($0) }
        let isArchived = try found.map { try Self.isArchived($0.id, in: database) }
        var split: [SplitSession] = []
        var first = found.first
        for (index, (earlier, session)) in zip(found, found.dropFirst()).enumerated() {
            if let target = first, earlier.isOneCapture(with: session), isArchived[index] == isArchived[index + 1] {
                split.append((session, target))
            } else {
                first = session
            }
        }
        return split
    }

    // MARK: - Inside a transaction

    /// Returns whether a session has items, and all of them are archived.
    static func isArchived(_ id: UUID, in database: Database) throws -> Bool {
        let sql = "SELECT count(*) > 0 AND sum(state <> 'archived') = 0 FROM item WHERE sessionID = ?"
        return try Bool.fetchOne(database, sql: sql, arguments: [id.uuidString]) ?? false
    }

    static func session(_ id: UUID, in database: Database) throws -> CaptureSession? {
        let sql = "SELECT id, createdAt, body FROM captureSession WHERE id = ?"
        return try Row.fetchOne(database, sql: sql, arguments: [id.uuidString]).flatMap { session($0) }
    }

    /// Returns the session of a row; that of a damaged one has a title that says so, and can be deleted.
    private static func session(_ row: Row) -> CaptureSession? {
        let body = String.fromDatabaseValue(row["body"]) ?? ""
        if let session = try? StoredJSON.decode(CaptureSession.self, body) { return session }
        guard let id = String.fromDatabaseValue(row["id"]).flatMap({ UUID(uuidString: $0) }) else { return nil }
        let time = Date(timeIntervalSince1970: Double.fromDatabaseValue(row["createdAt"]) ?? 0)
        var session = CaptureSession(id: id, createdAt: time)
        (session.title, session.titleSource) = ("Damaged session", .user)
        return session
    }

    private static func existing(_ id: UUID, in database: Database) throws -> CaptureSession {
        guard let session = try session(id, in: database) else { throw ContextError.noSession(id) }
        return session
    }

    static func save(_ session: CaptureSession, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO captureSession (id, createdAt, body) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET body = excluded.body
                """,
            arguments: [session.id.uuidString, session.createdAt.timeIntervalSince1970, try StoredJSON.encode(session)]
        )
    }
}

extension CaptureSession {
    /// Returns whether two sessions, this one the earlier, are one capture that was split.
    func isOneCapture(with later: CaptureSession) -> Bool {
        guard titleSource == .automatic, later.titleSource == .automatic else { return false }
        guard later.createdAt.timeIntervalSince(createdAt) < 5 else { return false }
        switch (coordinate, later.coordinate) {
        case (nil, nil): return true
        case (let here?, let there?):
            return abs(here.latitude - there.latitude) + abs(here.longitude - there.longitude) < 0.0005
        default: return false
        }
    }
}
