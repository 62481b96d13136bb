import BookCatalogue
import Foundation
import GRDB

/// The room on the disk of a store, and what works without any.
struct StoreRoom {
    let path: String

    /// Free bytes below which the disk is full: SQLite needs 32 KiB beside a file, and as much for a change.
    private static let least = 128 << 10

    /// Bytes of the reserve: for what a checkpoint by ``checkpoints`` adds to the file, and the journal of a deletion.
    private static let reserveBytes = 4 << 20
    /// Moves the journal's changes into the file after 128 pages of 4 KiB.
    static let checkpoints = "PRAGMA wal_autocheckpoint = 128"
    static let journal = "PRAGMA journal_mode = MEMORY"

    private var reserve: String { path + ".reserve" }

    /// Makes the store's reserve, whose space a deletion on a full disk uses; not on a disk that is nearly full.
    func keepReserve() {
        let attributes = try? FileManager.default.attributesOfItem(atPath: reserve)
        // A link, a pipe or a folder of this name is somebody else's.
        guard attributes == nil || attributes?[.type] as? FileAttributeType == .typeRegular,
            (attributes?[.size] as? NSNumber)?.intValue != Self.reserveBytes,
            free.map({ $0 > 4 * Self.reserveBytes }) == true
        else { return }
        freeReserve()
        try? Data(count: Self.reserveBytes).write(to: URL(filePath: reserve), options: .withoutOverwriting)
    }

    func freeReserve() { unlink(reserve) }

    /// Calls `body`; an error while the disk is full says so, and what to do.
    func explaining<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch {
            guard error is DatabaseError || error is StoreError || error is CocoaError else { throw error }
            if case StoreError.unusable = error { throw error }
            if isFull {
                let problem =
                    "the disk is full; delete a session (spinebench sessions delete ID) or other files, and try again"
                throw StoreError.operation(path: path, problem: problem)
            }
            throw error is StoreError ? error : StoreError.operation(path: path, problem: "\(error)")
        }
    }

    var isFull: Bool { free.map { $0 < Self.least } ?? false }

    private var free: Int? {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
    }

    /// Opens an existing store without a file beside it: no other process may use it meanwhile.
    ///
    /// Its journal is in memory: a process that is killed while it deletes may leave a damaged file.
    static func openAlone(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY")
            // A journal that a killed process left goes into the file with the reserve's space.
            try? database.execute(sql: journal)
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try ContextSchema.migrator.migrate(queue)
        return queue
    }
}
