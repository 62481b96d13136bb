import Basics
import Foundation
import GRDB

/// The books of an owner, the drafts that may become books, and the scans that wait for the back end.
///
/// Several threads and several processes may use the same file. What a call has returned from is on disk: it outlives a
/// process that is killed. Every call throws ``LibraryError`` when the file cannot be read or written.
public final class LibraryStore: Sendable {
    let database: any DatabaseWriter
    let payloads: PayloadFolder
    private let path: String

    /// Opens the library in a file, and makes one where there is none.
    ///
    /// - Parameter path: of the file; the pictures of queued scans lie beside it, in a folder with `.queue` behind its name.
    /// - Throws: ``LibraryError`` when it is no library, of a later version, or cannot be written.
    public convenience init(path: String) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw LibraryError.unusable(path: path, problem: "is a folder; name a file for the library")
        }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try Self.explaining(path) {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        // Processes that open a new library at the same time would each make its tables.
        let lock = Self.lock(folder)
        defer { if lock >= 0 { close(lock) } }
        let database = try Self.explaining(path) {
            try Self.checkTables(path)
            return try DatabasePool(path: path, configuration: Self.configuration)
        }
        try self.init(database, path: path, payloads: PayloadFolder(path + ".queue", isTemporary: false))
    }

    /// A library in memory, gone with the last reference to it.
    ///
    /// - Throws: ``LibraryError`` when there is no room.
    public static func inMemory() throws -> LibraryStore {
        let name = "library in memory"
        let folder = FileManager.default.temporaryDirectory.appending(path: "spinebench-queue-\(UUID().uuidString)")
        let queue = try explaining(name) { try DatabaseQueue(configuration: configuration) }
        return try LibraryStore(queue, path: name, payloads: PayloadFolder(folder.path, isTemporary: true))
    }

    private init(_ database: any DatabaseWriter, path: String, payloads: PayloadFolder) throws {
        self.database = database
        self.path = path
        self.payloads = payloads
        try Self.explaining(path) {
            // What is acknowledged outlives a power failure too; GRDB's NORMAL lets the last transactions go.
            try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            let migrator = LibrarySchema.migrator
            guard try !database.read(migrator.hasBeenSuperseded) else {
                throw LibraryError.unusable(path: path, problem: "is of a later version of this program; update it")
            }
            try migrator.migrate(database)
        }
        try sweepPayloads()
    }

    /// A descriptor that holds the lock of a folder until it is closed, or the process ends.
    ///
    /// After ten seconds, or where a file system has no locks, there is none, and SQLite's own have to do.
    private static func lock(_ folder: String) -> Int32 {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return descriptor }
        for _ in 0..<1_000 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR) { break }
            usleep(10_000)
        }
        return descriptor
    }

    /// Leaves a database of another program, or a catalogue, as it is.
    private static func checkTables(_ path: String) throws {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let size = attributes?[.size] as? NSNumber, size.intValue > 0 else { return }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let tables = try queue.read {
            try Set(String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
        }.filter { !$0.hasPrefix("sqlite_") }
        // A library that is being made has GRDB's table alone.
        guard tables.isSubset(of: ["grdb_migrations"]) || tables.isSuperset(of: ["grdb_migrations", "draft"]) else {
            throw LibraryError.unusable(path: path, problem: "is the database of something else; name another file")
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "library"
        configuration.busyMode = .timeout(10)
        return configuration
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.explaining(path) { try database.read(body) }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.explaining(path) { try database.write(body) }
    }

    private static func explaining<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw LibraryError(error, path: path)
        } catch let error as CocoaError {
            let problem = "cannot be written: \(error.systemReason)"
            switch error.systemErrorNumber {
            case ENOSPC?, EDQUOT?, EIO?, EROFS?: throw LibraryError.operation(path: path, problem: problem)
            default: throw LibraryError.unusable(path: path, problem: "\(problem); name another file")
            }
        }
    }
}
