import Foundation
import GRDB

/// Access rights and rate limits of jobs.
extension JobStore {
    func addToken(hash: String, job: String, expires: Date) async throws {
        try await database.write { try Self.insertToken(hash, job: job, expires: expires, $0) }
    }

    /// - Returns: when the token ends; nil when the job has no such token.
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
    /// - Returns: how many there are in this window, with this one.
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

/// Events of jobs while they run, and their outcomes.
extension JobStore {
    func add(_ event: JobEvent, to job: String, progress: Double?) async throws {
        try await database.write { database in
            if let progress {
                try database.execute(
                    sql: "UPDATE job SET progress = ? WHERE id = ? AND state IN ('queued', 'processing')",
                    arguments: [progress, job]
                )
                // Canceled or cleaned up in the meantime: the event that reports it is the last one.
                guard database.changesCount > 0 else { return }
            }
            try Self.insert(event, job: job, database)
        }
    }

    func events(of job: String, after sequence: Int64) async throws -> [JobEvent] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT sequence, id, name, data FROM event WHERE job = ? AND sequence > ? ORDER BY sequence",
                arguments: [job, sequence]
            ).map { JobEvent(sequence: $0[0], id: $0[1], name: $0[2], data: $0[3]) }
        }
    }

    func result(of job: String) async throws -> Data? {
        try await database.read {
            try Data.fetchOne($0, sql: "SELECT body FROM result WHERE job = ?", arguments: [job])
        }
    }

    static func insert(_ event: JobEvent, job: String, _ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO event (job, id, name, data) VALUES (?, ?, ?, ?)",
            arguments: [job, event.id, event.name, event.data]
        )
    }
}
