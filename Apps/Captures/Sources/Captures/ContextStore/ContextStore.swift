import Basics
import BookCatalogue
package import Foundation
import GRDB

/// Captured items in their sessions, with pictures, concepts and descriptions of the days.
///
/// Several threads and several processes may use the same file; one of them at a time processes the waiting items
/// (``beginProcessing()``). Data is on disk when a call returns: it outlives a killed process. Every call throws
/// `StoreError` when the file cannot be read or written.
///
/// On a full disk, an existing store is opened without the files that SQLite needs beside it: by this process alone,
/// and with the journal in memory. It can be read, and deleting from it makes room.
package final class ContextStore: Sendable {
    private enum File: Sendable {
        case whole(StoreFile)
        /// On a full disk.
        case alone(DatabaseQueue)
    }

    private let file: File
    let pictures: DurableFolder
    let path: String

    /// Opens the store in a file, and makes one where there is none.
    package convenience init(path: String) throws {
        let room = StoreRoom(path: path)
        let file: File = try room.explaining {
            do {
                let file = try StoreFile(
                    path: path,
                    kind: "store of sessions",
                    table: "captureSession",
                    migrator: ContextSchema.migrator
                )
                try file.database.writeWithoutTransaction { try $0.execute(sql: StoreRoom.checkpoints) }
                return .whole(file)
            } catch let error as StoreError {
                guard case .operation = error, room.isFull else { throw error }
                return .alone(try StoreRoom.openAlone(path))
            }
        }
        try self.init(file, pictures: DurableFolder(path + ".pictures", isTemporary: false), path: path)
        room.keepReserve()
    }

    /// Returns a store in memory, which lasts as long as its last reference.
    package static func inMemory() throws -> ContextStore {
        let name = FileManager.default.temporaryDirectory.appending(path: "spinebench-context-\(UUID().uuidString)")
            .path
        return try ContextStore(
            .whole(StoreFile.inMemory(kind: "store of sessions", migrator: ContextSchema.migrator)),
            pictures: DurableFolder(name, isTemporary: true),
            path: name
        )
    }

    private init(_ file: File, pictures: DurableFolder, path: String) throws {
        (self.file, self.pictures, self.path) = (file, pictures, path)
        if case .whole = file { try sweepPictures() }
    }

    /// Removes pictures that a killed process left.
    ///
    /// A picture's name has the store's own and the revision at which it was written: those of another store, or of a
    /// later state of this one, of which an older copy was put back, stay.
    private func sweepPictures() throws {
        let (name, revision) = try (name(), revision())
        try pictures.sweep { file in
            let parts = file.split(separator: "-", maxSplits: 2)
            return parts.count == 3 && parts[0] == name && Int(parts[1]).map { $0 <= revision } == true
        } known: {
            try read { Set(try String.fetchAll($0, sql: "SELECT file FROM picture")) }
        }
    }

    /// Returns the store's random name.
    private func name() throws -> String {
        try read { try String.fetchOne($0, sql: "SELECT name FROM identity") ?? "" }
    }

    func pictureName(ending: String) throws -> String {
        "\(try name())-\(try revision())-\(UUID().uuidString).\(ending)"
    }

    /// Returns the texts that a narrative must not contain, such as the home's address.
    package func secrets() throws -> [String] { try read { try String.fetchAll($0, sql: "SELECT text FROM secret") } }

    /// Replaces the texts that a narrative must not contain.
    package func keep(secrets: [String]) throws {
        guard try Set(self.secrets()) != Set(secrets) else { return }
        try write { database in
            try database.execute(sql: "DELETE FROM secret")
            for secret in Set(secrets) {
                try database.execute(sql: "INSERT INTO secret VALUES (?)", arguments: [secret])
            }
        }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try StoreRoom(path: path).explaining {
            switch file {
            case .whole(let file): try file.read(body)
            case .alone(let queue): try queue.read(body)
            }
        }
    }

    /// Calls `body`; its errors say that the disk is full, where it is.
    func explaining<Value>(_ body: () throws -> Value) throws -> Value {
        try StoreRoom(path: path).explaining(body)
    }

    /// Uses the store's reserve for a change that found the disk full; false when the disk is not full.
    func useReserve() -> Bool {
        let room = StoreRoom(path: path)
        guard room.isFull else { return false }
        room.freeReserve()
        switch file {
        // What a killed process left in the journal goes into the file, and the journal's own space is free for this change.
        case .whole(let file): try? file.database.writeWithoutTransaction { _ = try $0.checkpoint(.restart) }
        case .alone(let queue): try? queue.writeWithoutTransaction { try $0.execute(sql: StoreRoom.journal) }
        }
        return true
    }

    /// Returns the space of deleted rows to the disk, if that is full.
    func makeRoom() throws {
        guard case .alone(let queue) = file else { return }
        try explaining { try queue.vacuum() }
    }

    /// Writes in one transaction, which increments ``revision()``.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        func whole(_ database: Database) throws -> Value {
            let value = try body(database)
            try database.execute(sql: "UPDATE revision SET number = number + 1")
            return value
        }
        return try explaining {
            switch file {
            case .whole(let file): try file.write(whole)
            case .alone(let queue): try queue.write(whole)
            }
        }
    }

    /// Returns a number that increases with every change, by any process.
    package func revision() throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT number FROM revision") ?? 0 }
    }

    /// Takes the turn to process the waiting items; nil while another process has it.
    ///
    /// Items that a killed process left unfinished wait again, and those of damaged rows fail.
    package func beginProcessing() throws -> ProcessingTurn? {
        guard let turn = try ProcessingTurn(path: path + ".lock") else { return nil }
        try write { database in
            let sql = "SELECT id FROM item WHERE state IN ('queued', 'processing') OR retryAt IS NOT NULL"
            for id in try String.fetchAll(database, sql: sql) {
                let item = try Self.change(id, in: database) { item in
                    switch item.state {
                    case .processing: item.state = .queued
                    case .queued, .incomplete: break
                    default: item.failureCount += 1
                    }
                }
                if item != nil { continue }
                let sql = "UPDATE item SET state = 'failed', retryAt = NULL WHERE CAST(id AS TEXT) = ?"
                try database.execute(sql: sql, arguments: [id])
            }
        }
        return turn
    }

    /// Returns bytes of a picture of an item; nil when it has none in that role.
    package func picture(_ role: PictureRole, of item: UUID) throws -> Data? {
        let name = try read { database in
            try String.fetchOne(
                database,
                sql: "SELECT file FROM picture WHERE itemID = ? AND role = ?",
                arguments: [item.uuidString, role.rawValue]
            )
        }
        guard let name else { return nil }
        guard Self.isPictureName(name) else {
            throw ContextError.damaged(row: "picture of item \(item.uuidString)", problem: "its file has no valid name")
        }
        let url = pictures.url(of: name)
        do { return try Data(contentsOf: url) } catch {
            throw StoreError.operation(path: url.path, problem: "cannot be read: \(error.systemReason)")
        }
    }

    /// Returns whether a name from a row is that of a file in the folder of pictures.
    package static func isPictureName(_ name: String) -> Bool {
        name.contains(".") && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0")
    }

    /// Returns the names of the files of all pictures, for a check that each has an item.
    package func pictureFiles() throws -> (named: Set<String>, present: Set<String>) {
        let named = try read { Set(try String.fetchAll($0, sql: "SELECT file FROM picture")) }
        let folder = pictures.url(of: "").path
        let present = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return (named, Set(present.filter { $0 != "lock" }))
    }
}

/// Turn of one process to process the waiting items, until it is ended or its last reference is released.
package final class ProcessingTurn: Sendable {
    private let descriptor: Int32

    /// Takes the turn; nil while another process has it.
    init?(path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError.operation(path: path, problem: "cannot be written: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
    package func end() { flock(descriptor, LOCK_UN) }
}
