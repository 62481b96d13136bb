import BookCatalogue
import CaptureReading
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
    /// Identity of the file in an inbox, so that it comes once.
    package var arrival: String?

    package init(kind: ItemKind, capturedAt: Date) { (self.kind, self.capturedAt) = (kind, capturedAt) }
}

package struct ItemSummary: Codable, Sendable, Equatable, Identifiable {
    package var id: UUID
    package var parentID: UUID?
    package var kind: ItemKind
    package var state: ItemState
    package var title: String
    package var capturedAt: Date
    var hasThumbnail: Bool
    var hasIcon: Bool
    package var problems: [SourceProblem]
    /// See ``CapturedItem/retryAt``.
    var retryAt: Date?
}

/// A picture to be kept with an item.
package struct NewPicture: Sendable {
    var data: Data
    var ending: String

    init(_ data: Data, ending: String) { (self.data, self.ending) = (data, ending) }
}

extension ContextStore {
    /// Saves a capture in its session or a new one, queued for processing.
    ///
    /// - Returns: the item; nil when its arrival was taken before.
    @discardableResult
    package func capture(_ new: NewCapture) throws -> CapturedItem? {
        if let known = try item(new.id) { return known }
        return try keeping(new.picture.map { [.original: NewPicture($0, ending: new.pictureEnding)] } ?? [:]) { files in
            try write { database in
                if let arrival = new.arrival {
                    try database.execute(
                        sql: "INSERT INTO arrival VALUES (?) ON CONFLICT DO NOTHING",
                        arguments: [arrival]
                    )
                    guard database.changesCount == 1 else { return nil }
                }
                let sessionID = new.sessionID ?? UUID()
                if var session = try Self.session(sessionID, in: database) {
                    if try Self.isArchived(sessionID, in: database) { throw ContextError.archived(sessionID) }
                    session.updatedAt = max(session.updatedAt, new.capturedAt)
                    if session.coordinate == nil { session.coordinate = new.coordinate }
                    try Self.save(session, in: database)
                } else {
                    guard new.sessionID == nil else { throw ContextError.noSession(sessionID) }
                    var session = CaptureSession(id: sessionID, createdAt: new.capturedAt)
                    session.coordinate = new.coordinate
                    try Self.save(session, in: database)
                }
                var item = CapturedItem(id: new.id, sessionID: sessionID, kind: new.kind, capturedAt: new.capturedAt)
                item.url = new.url
                item.coordinate = new.coordinate
                item.source = new.source
                item.media.filename = new.filename
                item.media.mediaType = new.mediaType
                item.media.fileSize = new.picture?.count ?? new.text?.utf8.count
                item.media.transcription = new.text
                item.pictures = files
                try Self.insert(item, childKey: nil, in: database)
                return item
            }
        }
    }

    package func item(_ id: UUID) throws -> CapturedItem? { try read { try Self.item(id.uuidString, in: $0) } }

    /// Returns items that were found in another one, in the order in which they were found.
    package func children(of parent: UUID) throws -> [CapturedItem] {
        try items("parentID = ? ORDER BY sequence", [parent.uuidString])
    }

    /// Returns items of a session, in the order in which they came; those that were found in others among them.
    package func items(of session: UUID) throws -> [CapturedItem] {
        try items("sessionID = ? ORDER BY sequence", [session.uuidString])
    }

    func items(_ condition: String, _ arguments: StatementArguments) throws -> [CapturedItem] {
        try read { try Self.items(condition, arguments, in: $0) }
    }

    /// Returns the list rows of a session's items in order of arrival: its first captures, with the items found in
    /// them.
    ///
    /// - Returns: the rows of captures and of the items found in them, and the session's total number of items.
    package func summaries(of session: UUID, captures: Int? = nil) throws -> (lines: [ItemSummary], count: Int) {
        try read { database in
            let sql = """
                WITH RECURSIVE shown (id) AS (
                    SELECT id FROM (
                        SELECT id FROM item WHERE sessionID = ? AND parentID IS NULL ORDER BY sequence LIMIT ?)
                    UNION SELECT item.id FROM item JOIN shown ON item.parentID = shown.id)
                SELECT \(Self.summaryColumns) FROM shown JOIN item ON item.id = shown.id ORDER BY sequence
                """
            let lines = try Row.fetchAll(database, sql: sql, arguments: [session.uuidString, captures ?? -1])
            let counting = "SELECT count(*) FROM item WHERE sessionID = ?"
            let count = try Int.fetchOne(database, sql: counting, arguments: [session.uuidString])
            return (try lines.map { try ItemSummary.read($0) }, count ?? lines.count)
        }
    }

    /// Takes the oldest waiting item for processing, else one whose failed sources are to be asked again; items whose
    /// lane is one of `lanes` stay.
    ///
    /// - Returns: the item and its lane; nil when there is none.
    func takeNext(at date: Date = Date(), except lanes: [String] = []) throws -> (item: CapturedItem, lane: String?)? {
        guard let id = try read({ try Self.waiting(at: date, except: lanes, in: $0) }) else { return nil }
        var lane: String?
        let item = try write { database -> CapturedItem? in
            let item = try Self.change(id, in: database) { item in
                if item.state == .incomplete { item.asks = item.problems.map(\.source) }
                lane = item.lane
                item.state = .processing
            }
            // An item with a damaged id cannot be changed, and must not be taken again.
            let failing = "UPDATE item SET state = 'failed', retryAt = NULL WHERE id = ? OR length(id) <> 36"
            if item == nil { try database.execute(sql: failing, arguments: [id]) }
            return item
        }
        return try item.map { ($0, lane) } ?? takeNext(at: date, except: lanes)
    }

    /// Returns whether an item waits, was left in work, or has failed sources that are to be asked again at that time.
    package func isWaiting(at date: Date) throws -> Bool {
        try read { database in
            let sql = "SELECT id FROM item WHERE state = 'processing' LIMIT 1"
            return try Self.waiting(at: date, in: database) != nil || String.fetchOne(database, sql: sql) != nil
        }
    }

    private static func waiting(at date: Date, except lanes: [String] = [], in database: Database) throws -> String? {
        let isFree = "(lane IS NULL OR lane NOT IN (SELECT value FROM json_each(?)))"
        let busy = try StoredJSON.encode(lanes)
        return try String.fetchOne(
            database,
            sql: "SELECT id FROM item WHERE state = 'queued' AND \(isFree) ORDER BY sequence LIMIT 1",
            arguments: [busy]
        )
            ?? String.fetchOne(
                database,
                sql: "SELECT id FROM item WHERE retryAt <= ? AND \(isFree) ORDER BY retryAt LIMIT 1",
                arguments: [date.timeIntervalSince1970, busy]
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
                try Self.change(id.uuidString, in: database) { item in
                    try change(&item)
                    replaced = files.keys.compactMap { item.pictures[$0] }
                    for (role, file) in files { item.pictures[role] = file }
                }
            }
        }
        removeUnnamed(replaced)
        return item
    }

    /// Saves the items found in an item: known keys are updated, others added; none is removed.
    @discardableResult
    package func keepChildren(
        of parent: UUID,
        _ found: [(key: String, kind: ItemKind, change: (inout CapturedItem) -> Void)]
    ) throws -> [CapturedItem] {
        try write { database in
            guard let owner = try Self.item(parent.uuidString, in: database) else { return [] }
            return try found.compactMap { child in
                let sql = "SELECT id FROM item WHERE parentID = ? AND childKey = ?"
                if let id = try String.fetchOne(database, sql: sql, arguments: [parent.uuidString, child.key]) {
                    return try Self.change(id, in: database, child.change)
                }
                var item = CapturedItem(
                    sessionID: owner.sessionID,
                    parentID: parent,
                    kind: child.kind,
                    capturedAt: owner.capturedAt
                )
                item.coordinate = owner.coordinate
                item.source = owner.source
                child.change(&item)
                try Self.insert(item, childKey: child.key, in: database)
                return item
            }
        }
    }

    /// Deletes an item, the items found in it, and its pictures; a session that becomes empty is also deleted.
    ///
    /// - Returns: false when there is no such item.
    @discardableResult
    package func delete(item id: UUID) throws -> Bool {
        let files = """
            WITH RECURSIVE gone (id) AS (
                VALUES (?) UNION SELECT item.id FROM item JOIN gone ON item.parentID = gone.id)
            SELECT file FROM picture WHERE itemID IN gone
            """
        return try deleting(id, files: files) { database in
            guard let item = try Self.item(id.uuidString, in: database) else { return false }
            try database.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [id.uuidString])
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
                let files = try String.fetchAll(database, sql: query, arguments: [id.uuidString])
                guard try rows(database) else { return nil }
                try Self.forgetConcepts(in: database)
                return try Self.unnamed(files, in: database)
            }
        }
        let files: [String]?
        do { files = try delete() } catch let error as StoreError {
            guard case .operation = error, useReserve() else { throw error }
            do { files = try delete() } catch is StoreError {
                let problem = "the disk is full, and nothing was deleted; delete other files, and try again"
                throw StoreError.operation(path: path, problem: problem)
            }
        }
        for file in files ?? [] { pictures.remove(file) }
        try? makeRoom()
        return files != nil
    }

    static func item(_ id: String, in database: Database) throws -> CapturedItem? {
        try items("id = ?", [id], in: database).first
    }

    /// Returns items; one of a damaged row is a failed item with the reason, its pictures and no other facts.
    static func items(
        _ condition: String,
        _ arguments: StatementArguments,
        in database: Database
    ) throws -> [CapturedItem] {
        let sql = "SELECT body, id, sessionID, parentID, kind, title, capturedAt FROM item WHERE \(condition)"
        return try Row.fetchAll(database, sql: sql, arguments: arguments).compactMap { row in
            do {
                let item = try StoredJSON.decode(CapturedItem.self, row.value("body"))
                if try item.id.uuidString == row.value("id") { return item }
                throw ContextError.damaged(row: "item", problem: "its id is another one")
            } catch let error as ContextError {
                func text(_ column: String) -> String? { String.fromDatabaseValue(row[column]) }
                func id(_ column: String) -> UUID? { text(column).flatMap { UUID(uuidString: $0) } }
                guard let own = id("id"), let session = id("sessionID") else { return nil }
                var item = CapturedItem(
                    id: own,
                    sessionID: session,
                    parentID: id("parentID"),
                    kind: text("kind").flatMap(ItemKind.init) ?? .image,
                    state: .failed,
                    capturedAt: Date(timeIntervalSince1970: Double.fromDatabaseValue(row["capturedAt"]) ?? 0)
                )
                (item.title, item.lastError) = (text("title") ?? "", "\(error)")
                let sql = "SELECT role, file FROM picture WHERE itemID = ?"
                for row in try Row.fetchAll(database, sql: sql, arguments: [own.uuidString]) {
                    item.pictures[try PictureRole(rawValue: row.value("role")) ?? .original] = try row.value("file")
                }
                return item
            }
        }
    }

    /// Deletes a session that has no items any more.
    static func deleteIfEmpty(session id: UUID, in database: Database) throws {
        let sql = """
            DELETE FROM captureSession WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM item WHERE sessionID = ?1)
            """
        try database.execute(sql: sql, arguments: [id.uuidString])
    }

    static func insert(_ item: CapturedItem, childKey: String?, in database: Database) throws {
        var item = item
        let secret = item.takeSecrets()
        try database.execute(
            sql: """
                INSERT INTO item (id, sessionID, parentID, childKey, kind, state, title, capturedAt, body, lane, retryAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                item.id.uuidString, item.sessionID.uuidString, item.parentID?.uuidString, childKey, item.kind.rawValue,
                item.state.rawValue, item.title, item.capturedAt.timeIntervalSince1970, try StoredJSON.encode(item),
                item.lane, item.dueAt,
            ]
        )
        try save(secret, of: item.id.uuidString, in: database)
        try savePictures(of: item, in: database)
    }

    private static func save(_ secret: ItemSecret?, of id: String, in database: Database) throws {
        guard let secret else { return }
        // The code and the address may come one after the other.
        try database.execute(
            sql: """
                INSERT INTO itemSecret VALUES (?, ?)
                ON CONFLICT (itemID) DO UPDATE SET body = json_patch(itemSecret.body, excluded.body)
                """,
            arguments: [id, try StoredJSON.encode(secret)]
        )
    }

    /// Returns the whole content of an item's code, and its whole address, where they have secrets; nil for an item
    /// without any.
    package func secret(of item: UUID) throws -> ItemSecret? {
        try read { database in
            let sql = "SELECT body FROM itemSecret WHERE itemID = ?"
            var secret = try StoredJSON.all(ItemSecret.self, sql, [item.uuidString], in: database).first
            if let payload = secret?.payload { secret?.password = CodeMeaning.password(in: payload) }
            return secret
        }
    }

    @discardableResult
    static func change(
        _ id: String,
        in database: Database,
        _ change: (inout CapturedItem) throws -> Void
    ) throws -> CapturedItem? {
        guard let old = try item(id, in: database) else { return nil }
        var new = old
        try change(&new)
        guard new.state == old.state || old.state.mayBecome(new.state) else {
            throw ContextError.badState(old.id, from: old.state, to: new.state)
        }
        // The contents of an item cannot change its identity or its session.
        (new.id, new.sessionID, new.parentID) = (old.id, old.sessionID, old.parentID)
        try save(new.takeSecrets(), of: id, in: database)
        guard new != old else { return old }
        new.updatedAt = max(old.updatedAt, Date())
        try database.execute(
            sql: """
                UPDATE item SET kind = ?, state = ?, title = ?, capturedAt = ?, body = ?, lane = ?, retryAt = ?
                WHERE id = ?
                """,
            arguments: [
                new.kind.rawValue, new.state.rawValue, new.title, new.capturedAt.timeIntervalSince1970,
                try StoredJSON.encode(new), new.lane, new.dueAt, id,
            ]
        )
        if new.pictures != old.pictures { try savePictures(of: new, in: database) }
        return new
    }

    private static func savePictures(of item: CapturedItem, in database: Database) throws {
        for (role, file) in item.pictures {
            try database.execute(
                sql: "INSERT OR REPLACE INTO picture (itemID, role, file) VALUES (?, ?, ?)",
                arguments: [item.id.uuidString, role.rawValue, file]
            )
        }
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

extension CapturedItem {
    /// Time at which its failed sources are to be asked again, in seconds since 1970; nil while it is archived or
    /// waits anyway.
    fileprivate var dueAt: Double? { state == .incomplete ? retryAt?.timeIntervalSince1970 : nil }
}
