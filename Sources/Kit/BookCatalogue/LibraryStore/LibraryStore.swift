import Basics
import Foundation
import GRDB

/// The books of an owner, the drafts that may become books, and the scans that wait for the back end.
///
/// Several threads and several processes may use the same file. The data of a finished call is on disk: it outlives a
/// process that is killed. Every call throws ``StoreError`` when the file cannot be read or written.
public final class LibraryStore: Sendable {
    private let file: StoreFile
    let payloads: DurableFolder

    /// Opens the library in a file, and creates a missing one.
    ///
    /// - Parameter path: of the file; the pictures of queued scans are beside it, in a folder with `.queue` behind
    ///   its name.
    /// - Throws: ``StoreError`` when it is not a library, is of a later version, or cannot be written.
    public convenience init(path: String) throws {
        let file = try StoreFile(path: path, kind: "library", table: "draft", migrator: LibrarySchema.migrator)
        try self.init(file, payloads: DurableFolder(path + ".queue", isTemporary: false))
    }

    /// Returns a library in memory, deleted with the last reference to it.
    ///
    /// - Throws: ``StoreError`` when memory is short.
    public static func inMemory() throws -> LibraryStore {
        let folder = FileManager.default.temporaryDirectory.appending(path: "spinebench-queue-\(UUID().uuidString)")
        return try LibraryStore(
            StoreFile.inMemory(kind: "library", migrator: LibrarySchema.migrator),
            payloads: DurableFolder(folder.path, isTemporary: true)
        )
    }

    private init(_ file: StoreFile, payloads: DurableFolder) throws {
        self.file = file
        self.payloads = payloads
        try sweepPayloads()
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try file.read(body) }

    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let (value, rows) = try file.write { database in
            let before = database.totalChangesCount
            return (try body(database), database.totalChangesCount - before)
        }
        WorkMeter.count(.rowsWritten, rows)
        return value
    }

    /// Writes one statement, and returns whether it changed a row.
    @discardableResult
    func write(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
        try write { database in
            try database.execute(sql: sql, arguments: arguments)
            return database.changesCount > 0
        }
    }
}
