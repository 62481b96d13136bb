import BookCatalogue
package import Foundation
import GRDB

/// Something that is captured: a picture, a text or an address.
package struct NewCapture: Sendable {
    /// Identifier chosen by the capturing client; capturing the same one twice changes nothing.
    package var id = UUID()
    /// The session that it belongs to; nil for a new one.
    package var sessionID: UUID?
    package var kind: ItemKind
    package var picture: Data?
    package var pictureEnding = "jpg"
    package var text: String?
    package var url: String?
    package var capturedAt: Date
    package var coordinate: Coordinate?
    package var filename: String?
    var mediaType: String?
    package var source: String?

    package init(kind: ItemKind, capturedAt: Date) { (self.kind, self.capturedAt) = (kind, capturedAt) }
}

/// Row of an item in lists.
package struct ItemSummary: Codable, Sendable, Equatable, Identifiable {
    package var id: UUID
    package var parentID: UUID?
    package var kind: ItemKind
    package var state: ItemState
    package var title: String
    package var capturedAt: Date
    var hasThumbnail: Bool
    var hasIcon: Bool
}

/// A picture to be kept with an item.
package struct NewPicture: Sendable {
    var data: Data
    var ending: String

    init(_ data: Data, ending: String) { (self.data, self.ending) = (data, ending) }
}

extension CaptureStore {
    /// Saves a capture in its session or a new one, queued for processing.
    ///
    /// - Returns: the item.
    @discardableResult
    package func capture(_ new: NewCapture) throws -> CapturedItem {
        if let known = try item(new.id) { return known }
        return try keeping(new.picture.map { [.original: NewPicture($0, ending: new.pictureEnding)] } ?? [:]) { files in
            try write { database in
                var session = CaptureSession(id: new.sessionID ?? UUID(), createdAt: new.capturedAt)
                if let id = new.sessionID {
                    session = try Self.existing(id, in: database)
                    if try Self.isArchived(id, in: database) { throw CaptureFault.archived(id) }
                }
                session.updatedAt = max(session.updatedAt, new.capturedAt)
                session.coordinate = session.coordinate ?? new.coordinate
                try session.upsert(database)
                var item = CapturedItem(id: new.id, sessionID: session.id, kind: new.kind, capturedAt: new.capturedAt)
                item.url = new.url
                item.coordinate = new.coordinate
                item.source = new.source
                item.media.filename = new.filename
                item.media.mediaType = new.mediaType
                item.media.fileSize = new.picture?.count ?? new.text?.utf8.count
                item.media.transcription = new.text
                item.pictures = files
                return try Self.save(item, in: database)
            }
        }
    }

    // MARK: - Reading

    package func item(_ id: UUID) throws -> CapturedItem? { try read { try Self.item(id, in: $0) } }

    /// Returns items that were found in another one, in the order in which they were found.
    package func children(of parent: UUID) throws -> [CapturedItem] { try items("parentID = ?", [parent]) }

    /// Returns items of a session, in the order in which they came; those that were found in others among them.
    package func items(of session: UUID) throws -> [CapturedItem] { try items("sessionID = ?", [session]) }

    func items(
        _ condition: String,
        _ arguments: StatementArguments,
        order: String = "sequence"
    ) throws -> [CapturedItem] {
        try read { try Self.items("\(condition) ORDER BY \(order)", arguments, in: $0) }
    }

    static func item(_ id: UUID, in database: Database) throws -> CapturedItem? {
        try items("id = ?", [id], in: database).first
    }

    private static func items(
        _ condition: String,
        _ arguments: StatementArguments,
        in database: Database
    ) throws -> [CapturedItem] {
        let sql = "SELECT \(CapturedItem.columns) FROM item WHERE \(condition)"
        return try Row.fetchAll(database, sql: sql, arguments: arguments).compactMap { try? CapturedItem($0) }
    }

    /// Returns the list rows of a session's items in order of arrival: its first captures, with the items found in
    /// them.
    ///
    /// - Returns: the rows of captures and of the items found in them, and the session's total number of items.
    package func summaries(of session: UUID, captures: Int? = nil) throws -> (lines: [ItemSummary], count: Int) {
        let shown = "SELECT id FROM item WHERE sessionID = ?1 AND parentID IS NULL ORDER BY sequence LIMIT ?2"
        let condition = "sessionID = ?1 AND coalesce(parentID, id) IN (\(shown)) ORDER BY sequence"
        let sql = "SELECT count(*) FROM item WHERE sessionID = ?"
        let count = try read { try Int.fetchOne($0, sql: sql, arguments: [session]) } ?? 0
        return (try summaries(condition, [session, captures ?? -1]), count)
    }

    /// Returns captures that are of a kind or on which one was found, or all, the newest first; archived ones are omitted.
    package func recent(limit: Int, kind: ItemKind? = nil) throws -> [ItemSummary] {
        let hasOne = "EXISTS (SELECT 1 FROM item AS found WHERE found.parentID = item.id AND found.kind = ?1)"
        let condition = "parentID IS NULL AND state <> 'archived' AND (?1 IS NULL OR kind = ?1 OR \(hasOne))"
        return try summaries("\(condition) ORDER BY capturedAt DESC, sequence DESC LIMIT ?2", [kind?.rawValue, limit])
    }

    /// Returns the list row of an item; nil when there is no such item.
    package func summary(_ id: UUID) throws -> ItemSummary? { try summaries("item.id = ?", [id]).first }

    /// Returns the first item of a session with a small picture, else its first item; nil for an empty session.
    package func cover(of session: UUID) throws -> ItemSummary? {
        let first = "ORDER BY sequence LIMIT 1"
        return try summaries("sessionID = ? AND hasThumbnail \(first)", [session]).first
            ?? summaries("sessionID = ? \(first)", [session]).first
    }

    private func summaries(_ condition: String, _ arguments: StatementArguments) throws -> [ItemSummary] {
        func has(_ role: PictureRole) -> String {
            "EXISTS (SELECT 1 FROM picture WHERE itemID = item.id AND role = '\(role.rawValue)')"
        }
        let sql = """
            SELECT id, parentID, kind, state, title, capturedAt,
                \(has(.thumbnail)) AS hasThumbnail, \(has(.icon)) AS hasIcon FROM item WHERE \(condition)
            """
        return try read { database in
            try Row.fetchAll(database, sql: sql, arguments: arguments).compactMap { try? ItemSummary(row: $0) }
        }
    }

    // MARK: - Processing

    /// Takes the oldest waiting item for processing, else one of which a failed source is to be asked again and is one
    /// of `sources`; items whose lane is one of `lanes` stay.
    ///
    /// - Returns: the item and its lane; nil when there is none.
    func startNext(
        at date: Date = Date(),
        except lanes: [String] = [],
        asking sources: [SourceID] = SourceID.allCases
    ) throws -> (item: CapturedItem, lane: String?)? {
        guard try read({ try Self.waiting(at: date, except: lanes, asking: sources, in: $0) }) != nil else {
            return nil
        }
        return try write { database in
            while let row = try Self.waiting(at: date, except: lanes, asking: sources, in: database) {
                guard var item = try? CapturedItem(row), item.state != .failed else {
                    // That of a damaged row must not be taken again.
                    let sql = "UPDATE item SET state = 'failed', retryAt = NULL WHERE sequence = ?"
                    try database.execute(sql: sql, arguments: [row["sequence"] as DatabaseValue])
                    continue
                }
                if item.state == .incomplete { item.asks = item.problems.map(\.source) }
                let lane = item.lane
                return try Self.change(item.id, in: database) { ($0.asks, $0.state) = (item.asks, .processing) }
                    .map { ($0, lane) }
            }
            return nil
        }
    }

    /// Returns whether an item waits, was left in work, or has a failed source that is to be asked again at that time
    /// and is one of `sources`.
    package func isWaiting(at date: Date, asking sources: [SourceID] = SourceID.allCases) throws -> Bool {
        try read { database in
            let sql = "SELECT EXISTS (SELECT 1 FROM item WHERE state = 'processing')"
            return try Self.waiting(at: date, asking: sources, in: database) != nil
                || Bool.fetchOne(database, sql: sql) == true
        }
    }

    private static func waiting(
        at date: Date,
        except lanes: [String] = [],
        asking sources: [SourceID],
        in database: Database
    ) throws -> Row? {
        let busy = try StoredJSON.encode(lanes)
        func first(_ condition: String, _ more: StatementArguments = []) throws -> Row? {
            let sql = """
                SELECT sequence, \(CapturedItem.columns) FROM item
                WHERE (lane IS NULL OR lane NOT IN (SELECT value FROM json_each(?))) AND \(condition) LIMIT 1
                """
            return try Row.fetchOne(database, sql: sql, arguments: [busy] + more)
        }
        return try first("state = 'queued' ORDER BY sequence")
            ?? first(
                """
                retryAt <= ? AND EXISTS (
                    SELECT 1 FROM json_each(problems) AS problem, json_each(?) AS source
                    WHERE json_extract(problem.value, '$.source') = source.value
                ) ORDER BY retryAt
                """,
                [date.timeIntervalSince1970, StoredJSON.encode(sources)]
            )
    }

    /// Queues an item whose sources failed, for these alone; one that failed itself is queued as a whole.
    ///
    /// - Returns: false when there is no such item, or nothing of it failed.
    @discardableResult
    package func retry(item id: UUID) throws -> Bool {
        let item = try update(id) { item in
            if [.incomplete, .failed].contains(item.state) { item.queue(failedOnly: item.state == .incomplete) }
        }
        return item?.state == .queued
    }

    // MARK: - Changing

    /// Changes an item's current state in one transaction, and saves new pictures with it.
    ///
    /// - Returns: the item afterwards; nil when it is there no more, and the pictures are not kept then.
    @discardableResult
    package func update(
        _ id: UUID,
        pictures: [PictureRole: NewPicture] = [:],
        _ change: (inout CapturedItem) throws -> Void
    ) throws -> CapturedItem? {
        var replaced: [String] = []
        let item = try keeping(pictures) { files in
            try write { database in
                try Self.change(id, in: database) { item in
                    try change(&item)
                    replaced = files.keys.compactMap { item.pictures[$0] }
                    item.pictures.merge(files) { $1 }
                }
            }
        }
        removeUnnamed(replaced)
        return item
    }

    @discardableResult
    static func change(
        _ id: UUID,
        in database: Database,
        _ change: (inout CapturedItem) throws -> Void
    ) throws -> CapturedItem? {
        guard let old = try item(id, in: database) else { return nil }
        var new = old
        try change(&new)
        guard new.state == old.state || old.state.mayBecome(new.state) else {
            throw CaptureFault.badState(old.id, from: old.state, to: new.state)
        }
        // The contents of an item cannot change its identity or its session.
        (new.id, new.sessionID, new.parentID) = (old.id, old.sessionID, old.parentID)
        return try save(new, replacing: old, in: database)
    }

    /// Saves an item, its pictures' names, and, apart from it, the secrets of its code and address.
    private static func save(
        _ item: CapturedItem,
        replacing old: CapturedItem? = nil,
        in database: Database
    ) throws -> CapturedItem {
        var item = item
        let secret = item.takeSecrets()
        if item != old {
            item.updatedAt = old.map { max($0.updatedAt, Date()) } ?? item.updatedAt
            try item.upsert(database)
        }
        for (role, file) in item.pictures where file != old?.pictures[role] {
            let sql = "INSERT OR REPLACE INTO picture VALUES (?, ?, ?)"
            try database.execute(sql: sql, arguments: [item.id, role.rawValue, file])
        }
        if let secret {
            // The code and the address may come one after the other.
            let sql = """
                INSERT INTO itemSecret VALUES (?, ?, ?) ON CONFLICT DO UPDATE
                SET payload = coalesce(excluded.payload, payload), url = coalesce(excluded.url, url)
                """
            try database.execute(sql: sql, arguments: [item.id, secret.payload, secret.url])
        }
        return item
    }

    /// Returns the whole content of an item's code, and its whole address, where they have secrets; nil for an item
    /// without any.
    package func secret(of item: UUID) throws -> ItemSecret? {
        let sql = "SELECT payload, url FROM itemSecret WHERE itemID = ?"
        var secret = try read { try ItemSecret.fetchOne($0, sql: sql, arguments: [item]) }
        if let payload = secret?.payload { secret?.password = CodeMeaning.password(in: payload) }
        return secret
    }

    /// Saves the items found in an item: known keys are updated, others added; none is removed.
    @discardableResult
    package func keepChildren(
        of parent: UUID,
        _ found: [(key: String, kind: ItemKind, change: (inout CapturedItem) -> Void)]
    ) throws -> [CapturedItem] {
        try write { database in
            guard let owner = try Self.item(parent, in: database) else { return [] }
            return try found.compactMap { child in
                let sql = "SELECT id FROM item WHERE parentID = ? AND childKey = ?"
                if let id = try UUID.fetchOne(database, sql: sql, arguments: [parent, child.key]) {
                    return try Self.change(id, in: database, child.change)
                }
                var item = CapturedItem(
                    sessionID: owner.sessionID,
                    parentID: parent,
                    kind: child.kind,
                    capturedAt: owner.capturedAt
                )
                (item.coordinate, item.source) = (owner.coordinate, owner.source)
                child.change(&item)
                item = try Self.save(item, in: database)
                // The key may have the secret of a code, and is no fact of the item.
                let keep = "UPDATE item SET childKey = ? WHERE id = ?"
                try database.execute(sql: keep, arguments: [child.key, item.id])
                return item
            }
        }
    }

    /// Gives an item a title that no program changes.
    @discardableResult
    package func rename(item id: UUID, _ title: String) throws -> CapturedItem? {
        try update(id) { item in
            item.title = title
            item.answerByUser { $0.title = title }
        }
    }

    /// Moves a capture, and what was found in it, to another session; a session that becomes empty is deleted.
    ///
    /// - Throws: when the item was found in another one, or the session does not exist or is archived.
    package func move(item id: UUID, into target: UUID) throws {
        try write { database in
            guard let item = try Self.item(id, in: database) else { throw CaptureFault.noItem(id) }
            guard item.parentID == nil else { throw CaptureFault.partOfItem(id) }
            var session = try Self.existing(target, in: database)
            if item.state == .archived { throw CaptureFault.archived(item.sessionID) }
            if try Self.isArchived(target, in: database) { throw CaptureFault.archived(target) }
            let sql = "UPDATE item SET sessionID = ?2 WHERE id = ?1 OR parentID = ?1"
            try database.execute(sql: sql, arguments: [id, target])
            session.updatedAt = max(session.updatedAt, Date())
            try session.upsert(database)
            try Self.deleteIfEmpty(session: item.sessionID, in: database)
        }
    }

    // MARK: - Deleting

    /// Deletes an item, the items found in it, and its pictures; a session that becomes empty is also deleted.
    ///
    /// - Returns: false when there is no such item.
    @discardableResult
    package func delete(item id: UUID) throws -> Bool {
        let files = "SELECT file FROM picture JOIN item ON item.id = itemID WHERE item.id = ?1 OR parentID = ?1"
        return try deleting(id, files: files) { database in
            guard let item = try Self.item(id, in: database) else { return false }
            try database.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [id])
            try Self.deleteIfEmpty(session: item.sessionID, in: database)
            return true
        }
    }

    /// Deletes rows, the concepts of none but them, and then the pictures' files that no row names any more.
    ///
    /// On a full disk, the store's reserve makes room for the change of the rows. If that fails, nothing is deleted.
    ///
    /// - Parameters:
    ///   - id: the item's or the session's.
    ///   - query: for the names of the rows' files, by `id`.
    ///   - rows: deletes the rows; false when there are none.
    /// - Returns: what `rows` returned.
    /// - Throws: `StoreError`, and the errors of `rows`.
    func deleting(_ id: UUID, files query: String, _ rows: (Database) throws -> Bool) throws -> Bool {
        func delete() throws -> [String]? {
            try write { database in
                let files = try String.fetchAll(database, sql: query, arguments: [id])
                guard try rows(database) else { return nil }
                try Self.forgetConcepts(in: database)
                return try Self.unnamed(files, in: database)
            }
        }
        let files: [String]?
        do { files = try delete() } catch let error as StoreError {
            guard case .operation = error, useReserve() else { throw error }
            files = try delete()
        }
        for file in files ?? [] { pictures.remove(file) }
        if files != nil { forgetWords() }
        return files != nil
    }

    /// Deletes a session that has no items any more.
    static func deleteIfEmpty(session id: UUID, in database: Database) throws {
        let sql = "DELETE FROM session WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM item WHERE sessionID = ?1)"
        try database.execute(sql: sql, arguments: [id])
    }

    /// Returns the files that no row names; none can from here on, as rows take names from rows.
    static func unnamed(_ files: some Sequence<String>, in database: Database) throws -> [String] {
        let sql = "SELECT EXISTS (SELECT 1 FROM picture WHERE file = ?)"
        return try Set(files.filter(isPictureName)).filter {
            try Bool.fetchOne(database, sql: sql, arguments: [$0]) != true
        }
    }

    /// Writes pictures before the rows that name them.
    private func keeping<Value>(
        _ new: [PictureRole: NewPicture],
        _ body: (_ files: [PictureRole: String]) throws -> Value
    ) throws -> Value {
        guard !new.isEmpty else { return try body([:]) }
        return try explaining {
            try pictures.keeping {
                var files: [PictureRole: String] = [:]
                // Files that no row refers to, as the change failed or had nothing to change, are removed.
                defer { removeUnnamed(files.values) }
                for (role, picture) in new {
                    let name = try pictureName(ending: picture.ending)
                    files[role] = name
                    try pictures.write(picture.data, as: name)
                }
                return try body(files)
            }
        }
    }

    /// Removes files without a row; without a database, the next start removes them.
    private func removeUnnamed(_ files: some Sequence<String>) {
        for file in (try? read { try Self.unnamed(files, in: $0) }) ?? [] { pictures.remove(file) }
    }
}
