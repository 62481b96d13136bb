import BookCatalogue
import Foundation
import GRDB

/// The room on the disk of a store, and what works without any.
struct StoreRoom {
    let path: String

    /// Free bytes below which the disk is full: SQLite needs 32 KiB beside a file, and as much for a change.
    private static let least = 128 << 10

    /// Calls `body`; an error while the disk is full says so, and what to do.
    func explaining<Value>(_ body: (_ isFull: () -> Bool) throws -> Value) throws -> Value {
        do { return try body { isFull } } catch {
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

    private var isFull: Bool {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (attributes?[.systemFreeSize] as? NSNumber).map { $0.intValue < Self.least } ?? false
    }

    /// Opens an existing store without a file beside it: no other process may use it meanwhile.
    ///
    /// Its journal is in memory: a process that is killed while it deletes may leave a damaged file.
    static func openAlone(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { database in
            for setting in ["locking_mode = EXCLUSIVE", "temp_store = MEMORY", "journal_mode = MEMORY"] {
                try database.execute(sql: "PRAGMA \(setting)")
            }
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try ContextSchema.migrator.migrate(queue)
        return queue
    }
}
