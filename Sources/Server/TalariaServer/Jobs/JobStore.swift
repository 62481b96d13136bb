import Foundation
import GRDB

/// Jobs, their events, results and tokens, and the rate windows, in one SQLite file that outlives the process.
struct JobStore: Sendable {
    static let fileName = "talaria.sqlite"

    /// Used by the extensions of this type alone.
    let database: DatabasePool

    /// Opens or makes the file, which only this user can read.
    init(path: String) throws {
        do {
            // SQLite gives the files beside it the same rights. A file that exists is not opened here: closing it would drop the
            // locks that this process holds on it (POSIX).
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 || errno == EEXIST else { throw TalariaServerError(errno: errno, path: path) }
            if descriptor >= 0 { close(descriptor) }
            chmod(path, 0o600)
            var configuration = Configuration()
            configuration.label = "talaria.jobs"
            // A server that ends may still hold a lock.
            configuration.busyMode = .timeout(10)
            // A killed process loses nothing in WAL mode with this setting; only a power failure may cost the last jobs.
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
            database = try DatabasePool(path: path, configuration: configuration)
            try Self.migrator.migrate(database)
        } catch {
            throw TalariaServerError.database(path: path, reason: "\(error)")
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("jobs") { database in
            try database.execute(
                sql: """
                    CREATE TABLE job (
                        id TEXT PRIMARY KEY, device TEXT NOT NULL, state TEXT NOT NULL, photos INTEGER NOT NULL,
                        created DATETIME NOT NULL, finished DATETIME, idempotencyKey TEXT, digest TEXT NOT NULL,
                        uploadMilliseconds INTEGER NOT NULL, progress DOUBLE NOT NULL,
                        UNIQUE (device, idempotencyKey)
                    );
                    CREATE TABLE event (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        job TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE,
                        id TEXT NOT NULL, name TEXT NOT NULL, data TEXT NOT NULL
                    );
                    CREATE INDEX eventsOfJob ON event(job, sequence);
                    CREATE TABLE result (
                        job TEXT PRIMARY KEY REFERENCES job(id) ON DELETE CASCADE, body BLOB NOT NULL
                    );
                    CREATE TABLE token (
                        hash TEXT PRIMARY KEY, job TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE,
                        expires DATETIME NOT NULL
                    );
                    CREATE TABLE rateWindow (
                        client TEXT NOT NULL, bucket TEXT NOT NULL, start INTEGER NOT NULL, count INTEGER NOT NULL,
                        PRIMARY KEY (client, bucket)
                    ) WITHOUT ROWID;
                    """
            )
        }
        migrator.registerMigration("probe") { try $0.execute(sql: "CREATE TABLE probe (bytes BLOB NOT NULL)") }
        return migrator
    }

    // MARK: Jobs

    enum Addition: Sendable, Equatable {
        case added
        case existing(Job)
    }

    func add(_ job: Job, event: JobEvent, tokenHash: String, expires: Date) async throws -> Addition {
        try await database.write { database in
            if let key = job.idempotencyKey, let known = try Self.job(device: job.device, key: key, database) {
                return .existing(known)
            }
            try job.insert(database)
            try Self.insert(event, job: job.id, database)
            try Self.insertToken(tokenHash, job: job.id, expires: expires, database)
            return .added
        }
    }

    func job(_ id: String, device: String) async throws -> Job? {
        try await database.read {
            try Job.fetchOne(
                $0,
                sql: "SELECT * FROM job WHERE id = ? AND device = ? AND state <> 'cleaned'",
                arguments: [id, device]
            )
        }
    }

    func job(device: String, idempotencyKey: String) async throws -> Job? {
        try await database.read { try Self.job(device: device, key: idempotencyKey, $0) }
    }

    /// - Returns: nil when it was cleaned up.
    func state(of id: String) async throws -> Job.State? {
        try await database.read {
            try String.fetchOne($0, sql: "SELECT state FROM job WHERE id = ? AND state <> 'cleaned'", arguments: [id])
                .flatMap(Job.State.init)
        }
    }

    /// Jobs that are to be done still, oldest first.
    ///
    /// - Returns: queued ones and those that a dead process was at.
    func openJobs() async throws -> [Job] {
        try await database.read {
            try Job.fetchAll(
                $0,
                sql: "SELECT * FROM job WHERE state IN ('queued', 'processing') ORDER BY created, id"
            )
        }
    }

    /// Moves a job on, unless it is over; false when the job was already finished or is missing: then nothing changed.
    func move(
        _ id: String,
        to state: Job.State,
        at date: Date,
        events: [JobEvent] = [],
        result: Data? = nil,
        releasesKey: Bool = false
    ) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE job SET state = ?, finished = ?, progress = CASE WHEN ? THEN 1 ELSE progress END,
                        idempotencyKey = CASE WHEN ? THEN NULL ELSE idempotencyKey END
                    WHERE id = ? AND state IN ('queued', 'processing')
                    """,
                arguments: [state.rawValue, state.isFinal ? date : nil, state == .completed, releasesKey, id]
            )
            guard database.changesCount > 0 else { return false }
            if let result {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO result (job, body) VALUES (?, ?)",
                    arguments: [id, result]
                )
            }
            for event in events { try Self.insert(event, job: id, database) }
            return true
        }
    }

    /// Removes a job with all that belongs to it; its key is kept as long as its results would have been.
    func remove(_ id: String) async throws {
        try await database.write { database in
            try database.execute(sql: "UPDATE job SET state = 'cleaned' WHERE id = ?", arguments: [id])
            for table in ["event", "result", "token"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE job = ?", arguments: [id])
            }
        }
    }

    /// Removes jobs that ended before a date, tokens that are over, and rate windows that are.
    func purge(at date: Date, resultLife: Duration) async throws -> Int {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM job WHERE finished < ?",
                arguments: [date.addingTimeInterval(-resultLife.seconds)]
            )
            let removed = database.changesCount
            try database.execute(sql: "DELETE FROM token WHERE expires < ?", arguments: [date])
            try database.execute(
                sql: "DELETE FROM rateWindow WHERE start < ?",
                arguments: [Int(date.timeIntervalSince1970) - 3_600]
            )
            return removed
        }
    }

    /// Writes as much as a job needs, and removes it again.
    func probe() async throws {
        try await database.write {
            try $0.execute(sql: "INSERT INTO probe (bytes) VALUES (zeroblob(?))", arguments: [Self.probeBytes])
        }
        try await database.write { try $0.execute(sql: "DELETE FROM probe") }
    }

    /// Size of a probe, more than the events and the result of a job of five photos.
    private static let probeBytes = 128 << 10

    private static func job(device: String, key: String, _ database: Database) throws -> Job? {
        try Job.fetchOne(
            database,
            sql: "SELECT * FROM job WHERE device = ? AND idempotencyKey = ?",
            arguments: [device, key]
        )
    }
}

extension Error {
    /// Whether a file or the database could not be written for want of room.
    var isNoSpace: Bool {
        switch self as any Error {
        case let error as TalariaServerError: if case .noSpace = error { true } else { false }
        // SQLite reports some files that cannot grow as an I/O error.
        case let error as DatabaseError: [.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode)
        case let error as CocoaError: error.code == .fileWriteOutOfSpace
        default: false
        }
    }

    var isDatabaseFailure: Bool { self is DatabaseError }
}

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
