import Foundation
import GRDB

/// Who may see what, and how often.
extension JobStore {
    /// Adds a token to those of a job.
    ///
    /// - Parameters:
    ///   - hash: of the token.
    ///   - job: its id.
    ///   - expires: when it is no longer good.
    /// - Throws: the database's error.
    func addToken(hash: String, job: String, expires: Date) async throws {
        try await database.write { try Self.insertToken(hash, job: job, expires: expires, $0) }
    }

    /// - Parameters:
    ///   - hash: of the token.
    ///   - job: its id.
    /// - Returns: when the token ends; nil when the job has no such token.
    /// - Throws: the database's error.
    func tokenExpiry(hash: String, job: String) async throws -> Date? {
        try await database.read {
            try Date.fetchOne($0, sql: "SELECT expires FROM token WHERE hash = ? AND job = ?", arguments: [hash, job])
        }
    }

    static func insertToken(_ hash: String, job: String, expires: Date, _ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO token (hash, job, expires) VALUES (?, ?, ?)",
            arguments: [hash, job, expires]
        )
    }

    /// Counts a request in its client's window.
    ///
    /// - Parameters:
    ///   - client: a device or an address.
    ///   - bucket: the kind of request.
    ///   - windowStart: seconds since 1970; an older window is forgotten.
    /// - Returns: how many there are in this window, with this one.
    /// - Throws: the database's error.
    func countRequest(client: String, bucket: String, windowStart: Int) async throws -> Int {
        try await database.write { database in
            try Int.fetchOne(
                database,
                sql: """
                    INSERT INTO rateWindow (client, bucket, start, count) VALUES (?, ?, ?, 1)
                    ON CONFLICT (client, bucket) DO UPDATE SET
                        count = CASE WHEN start = excluded.start THEN count + 1 ELSE 1 END, start = excluded.start
                    RETURNING count
                    """,
                arguments: [client, bucket, windowStart]
            ) ?? 1
        }
    }
}
