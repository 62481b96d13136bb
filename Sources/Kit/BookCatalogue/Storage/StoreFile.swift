import Basics
import Foundation
public import GRDB

/// A database in a file that several threads and several processes use, opened with its tables brought up to date.
public final class StoreFile: Sendable {
    /// The database.
    public let database: any DatabaseWriter
    private let path: String
    private let kind: String

    /// Opens the database in a file, and creates a missing one.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - kind: name of such a file in messages, such as "library".
    ///   - table: a table that every such file has; one that has others and not this one is left unchanged.
    ///   - earlierTable: a table of files of an earlier version of the program, which this one does not read.
    ///   - migrator: makes the tables.
    /// - Throws: ``StoreError`` when it is the file of something else, of a later version, or cannot be written.
    public convenience init(
        path: String,
        kind: String,
        table: String,
        earlierTable: String? = nil,
        migrator: DatabaseMigrator
    ) throws {
        if FileManager.default.isFolder(path) {
            throw StoreError.unusable(path: path, problem: "is a folder; specify a file for the \(kind)")
        }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try Self.explaining(path, kind) {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        // Processes that open a new file at the same time would each make its tables.
        let lock = Self.lock(folder)
        defer { if lock >= 0 { close(lock) } }
        let database = try Self.explaining(path, kind) {
            try Self.checkTables(path, kind, table, earlierTable)
            // A new file is private to its owner; files that SQLite makes beside it get the same rights.
            let new = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if new >= 0 { close(new) }
            return try DatabasePool(path: path, configuration: Self.configuration(kind))
        }
        try self.init(database, path: path, kind: kind, migrator: migrator)
    }

    /// Returns a database in memory, gone with the last reference to it.
    public static func inMemory(kind: String, migrator: DatabaseMigrator) throws -> StoreFile {
        let name = "\(kind) in memory"
        let queue = try explaining(name, kind) { try DatabaseQueue(configuration: configuration(kind)) }
        return try StoreFile(queue, path: name, kind: kind, migrator: migrator)
    }

    private init(_ database: any DatabaseWriter, path: String, kind: String, migrator: DatabaseMigrator) throws {
        self.database = database
        self.path = path
        self.kind = kind
        try Self.explaining(path, kind) {
            // Acknowledged data survives a power failure too; GRDB's NORMAL can lose the last transactions.
            try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            guard try !database.read(migrator.hasBeenSuperseded) else {
                throw StoreError.unusable(
                    path: path,
                    problem: "was written by a later version of this program; update the program"
                )
            }
            try migrator.migrate(database)
        }
    }

    /// Reads.
    public func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.explaining(path, kind) { try database.read(body) }
    }

    /// Writes, in one transaction.
    public func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.explaining(path, kind) { try database.write(body) }
    }

    /// Returns a descriptor that holds the lock of a folder until it is closed, or the process ends.
    ///
    /// After ten seconds, or on a file system without locks, there is none, and SQLite's own have to suffice.
    private static func lock(_ folder: String) -> Int32 {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return descriptor }
        for _ in 0..<1_000 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR) { break }
            usleep(10_000)
        }
        return descriptor
    }

    /// Refuses a database of another program, and leaves it unchanged.
    private static func checkTables(_ path: String, _ kind: String, _ own: String, _ earlier: String?) throws {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let size = attributes?[.size] as? NSNumber, size.intValue > 0 else { return }
        let queue = try DatabaseQueue(path: path, configuration: configuration(kind))
        let tables = try queue.read {
            try Set(String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
        }.filter { !$0.hasPrefix("sqlite_") }
        if let earlier, tables.contains(earlier) {
            let problem =
                "is a \(kind) of an earlier version, which alone can read or export it; use that, or another file or folder"
            throw StoreError.unusable(path: path, problem: problem)
        }
        // A file that is being made has GRDB's table alone.
        guard tables.isSubset(of: ["grdb_migrations"]) || tables.isSuperset(of: ["grdb_migrations", own]) else {
            throw StoreError.unusable(path: path, problem: "is the database of another program; specify another file")
        }
    }

    private static func configuration(_ kind: String) -> Configuration {
        var configuration = Configuration()
        configuration.label = kind
        configuration.busyMode = .timeout(10)
        return configuration
    }

    private static func explaining<Value>(_ path: String, _ kind: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path, kind: kind)
        } catch let error as CocoaError {
            let problem = "cannot be written: \(error.systemReason)"
            switch error.systemErrorNumber {
            case ENOSPC?, EDQUOT?, EIO?, EROFS?: throw StoreError.operation(path: path, problem: problem)
            default: throw StoreError.unusable(path: path, problem: "\(problem); specify another file")
            }
        }
    }
}

/// The reason why a file of the user's data cannot be opened, read or written.
public enum StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file is of another kind, is damaged, or is of a later version of this program.
    case unusable(path: String, problem: String)
    /// The system or another program prevents reading or writing the file.
    case operation(path: String, problem: String)

    /// Message with the file, its fault and the remedy.
    public var description: String {
        switch self {
        case .unusable(let path, let problem), .operation(let path, let problem): "\(path): \(problem)"
        }
    }

    /// Creates the error of the file at `path`, from one of SQLite's; `advice` is the remedy of a file that is none.
    init(_ error: DatabaseError, path: String, kind: String, advice: String? = nil) {
        let words = error.message ?? "code \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_NOTADB:
            self = .unusable(path: path, problem: "is not a \(kind); \(advice ?? "specify another file")")
        case .SQLITE_CORRUPT:
            self = .unusable(path: path, problem: "is damaged (\(words)); \(advice ?? "restore it from a copy")")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = .operation(path: path, problem: "is in use by another program; try again later")
        case .SQLITE_FULL: self = .operation(path: path, problem: "cannot be written: no space is left")
        case .SQLITE_CANTOPEN, .SQLITE_READONLY:
            self = .operation(path: path, problem: "cannot be opened (\(words))")
        default:
            let code = error.extendedResultCode.rawValue
            self = .operation(path: path, problem: "SQLite: \(words) (\(code))")
        }
    }
}
