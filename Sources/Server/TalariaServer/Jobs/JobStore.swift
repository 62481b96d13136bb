import BookCatalogue
import Foundation
import GRDB

/// Jobs with their pictures, events and tokens, in one SQLite file that outlives the process, or in memory.
struct JobStore: Sendable {
    static let fileName = "talaria.sqlite"

    let database: any DatabaseWriter

    /// Opens or makes the file in a folder, which only this user can read; nil for a database in memory.
    ///
    /// - Throws: `StoreError` when the file cannot be used.
    init(folder: String?) throws {
        let kind = "job database"
        let file = try folder.map {
            try StoreFile(
                path: "\($0)/\(Self.fileName)",
                kind: kind,
                table: "job",
                earlierTable: "rateWindow",
                migrator: Self.migrator
            )
        }
        database = try (file ?? .inMemory(kind: kind, migrator: Self.migrator)).database
        // A killed process loses nothing in WAL mode with NORMAL; only a power failure may cost the last jobs. What is
        // deleted is overwritten.
        try database.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON")
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("jobs with pictures") { database in
            try database.execute(
                sql: """
                    CREATE TABLE job (
                        id TEXT PRIMARY KEY, device TEXT NOT NULL, state TEXT NOT NULL, photos INTEGER NOT NULL,
                        created DATETIME NOT NULL, finished DATETIME, idempotencyKey TEXT, digest TEXT NOT NULL,
                        uploadMilliseconds INTEGER NOT NULL, progress DOUBLE NOT NULL,
                        UNIQUE (device, idempotencyKey)
                    );
                    CREATE INDEX openJobs ON job(created, id) WHERE state IN ('queued', 'processing');
                    CREATE TABLE picture (
                        job TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE, number INTEGER NOT NULL,
                        bytes BLOB NOT NULL, PRIMARY KEY (job, number)
                    );
                    CREATE TABLE event (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        job TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE,
                        id TEXT NOT NULL, name TEXT NOT NULL, data TEXT NOT NULL
                    );
                    CREATE INDEX eventsOfJob ON event(job, sequence);
                    CREATE TABLE token (
                        hash TEXT PRIMARY KEY, job TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE,
                        expires DATETIME NOT NULL
                    );
                    """
            )
        }
        return migrator
    }

    // MARK: Jobs

    enum Addition: Sendable, Equatable {
        case added
        case existing(Job)
        /// The queue has no place; so many photos are too many.
        case full(excess: Int)
    }

    /// Adds a job, unless its key is known or there are more photos than places.
    ///
    /// A batch that has no place although nothing waits is let in: it would never have any.
    func add(
        _ job: Job,
        _ pictures: [ArraySlice<UInt8>],
        event: JobEvent,
        token: JobToken,
        places: Int
    ) async throws -> Addition {
        try await database.write { database in
            if let key = job.idempotencyKey, let known = try Self.job(device: job.device, key: key, database) {
                return .existing(known)
            }
            let open = try Self.openPhotos(database)
            guard open == 0 || open + job.photos <= places else { return .full(excess: open + job.photos - places) }
            try job.insert(database)
            for (number, bytes) in pictures.enumerated() {
                try Picture(job: job.id, number: number, bytes: Data(bytes)).insert(database)
            }
            try event.insert(database)
            try token.insert(database)
            return .added
        }
    }

    func job(_ id: String) async throws -> Job? { try await database.read { try Job.fetchOne($0, key: id) } }

    func job(device: String, idempotencyKey: String) async throws -> Job? {
        try await database.read { try Self.job(device: device, key: idempotencyKey, $0) }
    }

    private static func job(device: String, key: String, _ database: Database) throws -> Job? {
        try Job.fetchOne(database, key: ["device": device, "idempotencyKey": key])
    }

    /// Returns the first jobs that are to be done still, oldest first: queued ones and those that a dead process was
    /// at.
    func openJobs(limit: Int) async throws -> [Job] {
        try await database.read {
            try Job.filter(sql: Self.isOpen).order(Column("created"), Column("id")).limit(limit).fetchAll($0)
        }
    }

    /// Returns the number of photos of all open jobs.
    func openPhotos() async throws -> Int { try await database.read(Self.openPhotos) }

    private static func openPhotos(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT SUM(photos) FROM job WHERE \(isOpen)") ?? 0
    }

    private static let isOpen = "state IN ('queued', 'processing')"

    /// Moves a job on, and removes its pictures when it is over; false when it was over already or is missing: then
    /// nothing changed.
    func move(
        _ id: String,
        to state: Job.State,
        at date: Date,
        events: [JobEvent] = [],
        releasesKey: Bool = false
    ) async throws -> Bool {
        try await update(id) { job, database in
            job.state = state
            if state == .completed { job.progress = 1 }
            if releasesKey { job.idempotencyKey = nil }
            if state.isFinal {
                job.finished = date
                try Picture.filter(Column("job") == id).deleteAll(database)
            }
            for event in events { try event.insert(database) }
        }
    }

    /// Adds an event of a job that is still open: the event that reports its end is the last one.
    func add(_ event: JobEvent, progress: Double) async throws -> Bool {
        try await update(event.job) { job, database in
            job.progress = progress
            try event.insert(database)
        }
    }

    /// Changes an open job; false when it is over or missing.
    private func update(
        _ id: String,
        _ change: @escaping @Sendable (inout Job, Database) throws -> Void
    ) async throws -> Bool {
        try await database.write { database in
            guard var job = try Job.fetchOne(database, key: id), !job.state.isFinal else { return false }
            try change(&job, database)
            try job.update(database)
            return true
        }
    }

    /// Removes a finished job with all that belongs to it; its key is kept as long as its results would have been.
    func clean(_ id: String) async throws {
        try await database.write { database in
            guard var job = try Job.fetchOne(database, key: id) else { return }
            job.state = .cleaned
            try job.update(database)
            try JobEvent.filter(Column("job") == id).deleteAll(database)
            try JobToken.filter(Column("job") == id).deleteAll(database)
        }
    }

    /// Removes jobs that ended before a date, and tokens that are over.
    ///
    /// - Returns: number of jobs.
    func purge(at date: Date, resultLife: Duration) async throws -> Int {
        try await database.write { database in
            try JobToken.filter(Column("expires") < date).deleteAll(database)
            return try Job.filter(Column("finished") < date.addingTimeInterval(-resultLife.seconds)).deleteAll(database)
        }
    }

    // MARK: What belongs to a job

    func picture(_ number: Int, of job: String) async throws -> [UInt8]? {
        try await database.read {
            try Picture.fetchOne($0, key: ["job": job, "number": number]).map { [UInt8]($0.bytes) }
        }
    }

    func events(of job: String, after sequence: Int64 = 0) async throws -> [JobEvent] {
        let sequences = Column("sequence")
        return try await database.read {
            try JobEvent.filter(Column("job") == job && sequences > sequence).order(sequences).fetchAll($0)
        }
    }

    func add(_ token: JobToken) async throws { try await database.write { try token.insert($0) } }

    func token(_ hash: String) async throws -> JobToken? {
        try await database.read { try JobToken.fetchOne($0, key: hash) }
    }

    /// Empties SQLite's log of changes, in which deleted pictures are otherwise found until it is overwritten.
    func emptyLog() async throws { _ = try await database.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
}

extension Error {
    /// Whether the database could not be written for want of room; SQLite reports some files that cannot grow as an I/O
    /// error.
    var isNoSpace: Bool { [.SQLITE_FULL, .SQLITE_IOERR].contains((self as? DatabaseError)?.resultCode) }
    var isDatabaseFailure: Bool { self is DatabaseError }
}
