import Basics
package import BookCatalogue
package import Foundation
import GRDB

/// Captured items in their sessions, with pictures, concepts and descriptions of the days.
///
/// Several threads and several processes may use the same file; one of them at a time processes the waiting items
/// (``beginProcessing()``). Data is on disk when a call returns: it outlives a killed process. Every call throws
/// `StoreError` when the file cannot be read or written.
package final class CaptureStore: Sendable {
    private let file: StoreFile
    let pictures: DurableFolder
    let path: String

    /// Opens the store in a file, and makes one where there is none.
    package convenience init(path: String) throws {
        func open() throws -> StoreFile {
            let file = try StoreFile(
                path: path,
                kind: "store of sessions",
                table: CaptureSchema.table,
                earlierTable: CaptureSchema.earlierTable,
                migrator: CaptureSchema.migrator
            )
            try file.database.writeWithoutTransaction { database in
                try database.execute(sql: "\(DiskReserve.checkpoints); PRAGMA secure_delete = ON")
            }
            return file
        }
        let room = DiskReserve(path: path)
        let file = try room.explaining {
            do { return try open() } catch let error as StoreError {
                guard case .operation = error, room.freeReserve() else { throw error }
                return try open()
            }
        }
        try self.init(file, pictures: DurableFolder(path + ".pictures", isTemporary: false), path: path)
        try sweepPictures()
        room.keepReserve()
    }

    /// Returns a store in memory, which lasts as long as its last reference.
    package static func inMemory() throws -> CaptureStore {
        let path = FileManager.default.temporaryDirectory.appending(path: "spinebench-context-\(UUID())").path
        return try CaptureStore(
            StoreFile.inMemory(kind: "store of sessions", migrator: CaptureSchema.migrator),
            pictures: DurableFolder(path, isTemporary: true),
            path: path
        )
    }

    private init(_ file: StoreFile, pictures: DurableFolder, path: String) throws {
        (self.file, self.pictures, self.path) = (file, pictures, path)
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

    private func name() throws -> String { try read { try String.fetchOne($0, sql: "SELECT name FROM store") ?? "" } }

    func pictureName(ending: String) throws -> String {
        "\(try name())-\(try revision())-\(UUID().uuidString).\(ending)"
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try explaining { try file.read(body) } }

    /// Writes in one transaction, which increments ``revision()``.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try explaining {
            try file.write { database in
                let value = try body(database)
                try database.execute(sql: "UPDATE store SET revision = revision + 1")
                return value
            }
        }
    }

    /// Calls `body`; its errors say that the disk is full, where it is.
    func explaining<Value>(_ body: () throws -> Value) throws -> Value {
        try DiskReserve(path: path).explaining(body)
    }

    /// Uses the store's reserve for a change that found the disk full; false when there is none, or the disk is not
    /// full.
    func useReserve() -> Bool {
        guard DiskReserve(path: path).freeReserve() else { return false }
        // What a killed process left in the journal goes into the file, and the journal's own space is free.
        try? file.database.writeWithoutTransaction { _ = try $0.checkpoint(.restart) }
        return true
    }

    /// Removes the words of deleted items from the index, whose parts hold them until they are merged, and from the
    /// journal: 8 ms for 2,000 items, 140 ms for 50,000.
    package func forgetWords() {
        // On a full disk, they go with the next deletion.
        try? write { try $0.execute(sql: "INSERT INTO itemText (itemText) VALUES ('optimize')") }
        try? file.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    }

    /// Returns a number that increases with every change, by any process.
    package func revision() throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT revision FROM store") ?? 0 }
    }

    /// Returns the lock of the process that processes the waiting items; nil while another one has it.
    ///
    /// Items that a killed process left unfinished wait again.
    package func beginProcessing() throws -> FileLock? {
        guard let lock = try explaining({ try FileLock(path: path + ".lock") }) else { return nil }
        try write { try $0.execute(sql: "UPDATE item SET state = 'queued' WHERE state = 'processing'") }
        return lock
    }

    /// Waits for the other programs of the store that take files from an inbox, and locks them out.
    package func lockInbox() throws -> FileLock? {
        try explaining { try FileLock(path: path + ".inbox", waits: true) }
    }

    /// Returns bytes of a picture of an item; nil when it has none in that role.
    package func picture(_ role: PictureRole, of item: UUID) throws -> Data? {
        let sql = "SELECT file FROM picture WHERE itemID = ? AND role = ?"
        guard let name = try read({ try String.fetchOne($0, sql: sql, arguments: [item, role.rawValue]) }) else {
            return nil
        }
        guard Self.isPictureName(name) else {
            throw CaptureFault.damaged(row: "picture of item \(item.uuidString)", problem: "its file has no valid name")
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
}
