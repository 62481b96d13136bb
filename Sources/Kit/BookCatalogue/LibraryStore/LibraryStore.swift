import Foundation
import GRDB

/// The books of an owner, the drafts that may become books, and the scans that wait for the back end.
///
/// Several threads and several processes may use the same file. What a call has returned from is on disk: it outlives a
/// process that is killed. Every call throws ``StoreError`` when the file cannot be read or written.
public final class LibraryStore: Sendable {
    private let file: StoreFile
    let payloads: DurableFolder

    /// Opens the library in a file, and makes one where there is none.
    ///
    /// - Parameter path: of the file; the pictures of queued scans lie beside it, in a folder with `.queue` behind its name.
    /// - Throws: ``StoreError`` when it is no library, of a later version, or cannot be written.
    public convenience init(path: String) throws {
        let file = try StoreFile(path: path, kind: "library", table: "draft", migrator: LibrarySchema.migrator)
        try self.init(file, payloads: DurableFolder(path + ".queue", isTemporary: false))
    }

    /// A library in memory, gone with the last reference to it.
    ///
    /// - Throws: ``StoreError`` when there is no room.
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

    func write<Value>(_ body: (Database) throws -> Value) throws -> Value { try file.write(body) }
}
