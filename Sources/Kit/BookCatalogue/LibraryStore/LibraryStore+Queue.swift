public import Foundation
import GRDB

extension LibraryStore {
    /// Queues the lines of a spine, as the back end takes them.
    ///
    /// - Returns: false when that scan was queued before, done or not; nothing changes then.
    @discardableResult
    public func enqueue(text: String, id: UUID, createdAt: Date) throws -> Bool {
        try insert(ScanRow(id: id, createdAt: createdAt, text: text))
    }

    /// Queues the bytes of a picture's file, of a spine or of a shelf.
    ///
    /// - Returns: false when that scan was queued before, done or not; nothing changes then.
    @discardableResult
    public func enqueue(image: Data, id: UUID, createdAt: Date) throws -> Bool {
        guard try !read({ try ScanRow.exists($0, key: ["id": id.uuidString]) }) else { return false }
        // The picture first: a row never names one that is not there. A picture without a row is swept at the next
        // start.
        return try payloads.keeping {
            let file = Self.file(of: id)
            try payloads.write(image, as: file)
            return try insert(ScanRow(id: id, createdAt: createdAt, file: file))
        }
    }

    /// Returns the oldest scan that may be tried now, claimed for the caller; nil without one.
    ///
    /// Of several processes, one gets it. A claim ends when the scan is marked as done or as failed, when it is
    /// released, or after its time, because its owner may have been killed.
    public func nextScan(now: Date, claim: Duration) throws -> QueuedScan? {
        let now = now.timeIntervalSince1970
        return try write { database in
            try ScanRow.fetchOne(
                database,
                sql: """
                    UPDATE scan SET claimedUntil = ? WHERE sequence = (
                        SELECT sequence FROM scan WHERE state = 'waiting'
                            AND (notBefore IS NULL OR notBefore <= ?) AND (claimedUntil IS NULL OR claimedUntil <= ?)
                        ORDER BY createdAt, sequence LIMIT 1
                    ) RETURNING *
                    """,
                arguments: [now + claim / .seconds(1), now, now]
            ).map(scan)
        }
    }

    /// Releases a claimed scan whose attempt did not finish.
    public func release(_ id: UUID) throws {
        try write("UPDATE scan SET claimedUntil = NULL WHERE id = ?", [id.uuidString])
    }

    /// Returns the scans that wait, the oldest first.
    public func waitingScans() throws -> [QueuedScan] { try scans(in: "waiting") }

    /// Returns the scans that were given up, the oldest first; their pictures are kept.
    public func failedScans() throws -> [QueuedScan] { try scans(in: "failed") }

    /// Records the back end's answer and deletes the picture; a scan that was never queued is not an error.
    public func markDone(_ id: UUID) throws {
        try write("UPDATE scan SET state = 'done', text = NULL, file = NULL WHERE id = ?", [id.uuidString])
        payloads.remove(Self.file(of: id))
    }

    /// Records a failed attempt; without a time for the next one the scan is given up.
    public func markFailed(_ id: UUID, error: String, retryAt: Date?) throws {
        try write(
            """
            UPDATE scan SET attempts = attempts + 1, lastError = ?, notBefore = ?, state = ?, claimedUntil = NULL
            WHERE id = ? AND state = 'waiting'
            """,
            [error, retryAt?.timeIntervalSince1970, retryAt == nil ? "failed" : "waiting", id.uuidString]
        )
    }

    /// Makes a waiting or abandoned scan due at once.
    ///
    /// - Returns: false when the scan is missing or done.
    @discardableResult
    public func retry(_ id: UUID) throws -> Bool {
        let sql = "UPDATE scan SET state = 'waiting', notBefore = NULL WHERE id = ? AND state IN ('waiting', 'failed')"
        return try write(sql, [id.uuidString])
    }

    /// Removes a waiting or abandoned scan that is not to be sent, with its picture.
    ///
    /// - Returns: false when the scan is missing or done.
    @discardableResult
    public func forget(_ id: UUID) throws -> Bool {
        let sql = """
            UPDATE scan SET state = 'forgotten', text = NULL, file = NULL WHERE id = ? AND state IN ('waiting', 'failed')
            """
        let isForgotten = try write(sql, [id.uuidString])
        if isForgotten { payloads.remove(Self.file(of: id)) }
        return isForgotten
    }

    /// Removes pictures that no scan in the queue names: leftovers of a killed process.
    func sweepPayloads() throws {
        try payloads.sweep {
            UUID(uuidString: $0.replacing(/\.jpg$/, with: "")) != nil
        } known: {
            try read { Set(try String.fetchAll($0, sql: "SELECT file FROM scan WHERE file IS NOT NULL")) }
        }
    }

    private static func file(of scan: UUID) -> String { "\(scan.uuidString).jpg" }

    private func insert(_ row: ScanRow) throws -> Bool {
        try write { database in
            try row.insert(database, onConflict: .ignore)
            return database.changesCount > 0
        }
    }

    private func scans(in state: String) throws -> [QueuedScan] {
        let sql = "SELECT * FROM scan WHERE state = ? ORDER BY createdAt, sequence"
        return try read { try ScanRow.fetchAll($0, sql: sql, arguments: [state]).map(scan) }
    }

    private func scan(_ row: ScanRow) -> QueuedScan {
        QueuedScan(
            id: row.id,
            createdAt: row.createdAt,
            payload: row.file.map { .image(payloads.url(of: $0)) } ?? .text(row.text ?? ""),
            attempts: row.attempts,
            lastError: row.lastError,
            notBefore: row.notBefore
        )
    }
}
