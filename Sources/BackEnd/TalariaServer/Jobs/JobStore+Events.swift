import Foundation
import GRDB

/// Events of jobs while they run, and their outcomes.
extension JobStore {
    /// Adds an event of an open job.
    ///
    /// - Parameters:
    ///   - event: its sequence is not looked at.
    ///   - job: its id.
    ///   - progress: of the job from now on.
    /// - Throws: the database's error.
    func add(_ event: JobEvent, to job: String, progress: Double?) async throws {
        try await database.write { database in
            if let progress {
                try database.execute(
                    sql: "UPDATE job SET progress = ? WHERE id = ? AND state IN ('queued', 'processing')",
                    arguments: [progress, job]
                )
                // Canceled or cleaned up in the meantime: nothing follows the event that says so.
                guard database.changesCount > 0 else { return }
            }
            try Self.insert(event, job: job, database)
        }
    }

    /// - Parameters:
    ///   - job: its id.
    ///   - sequence: of the last event that is known.
    /// - Returns: those after it, in order.
    /// - Throws: the database's error.
    func events(of job: String, after sequence: Int64) async throws -> [JobEvent] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT sequence, id, name, data FROM event WHERE job = ? AND sequence > ? ORDER BY sequence",
                arguments: [job, sequence]
            ).map { JobEvent(sequence: $0[0], id: $0[1], name: $0[2], data: $0[3]) }
        }
    }

    /// - Parameter job: its id.
    /// - Returns: what was kept when it was completed.
    /// - Throws: the database's error.
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
