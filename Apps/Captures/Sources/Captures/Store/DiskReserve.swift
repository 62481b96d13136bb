import BookCatalogue
import Foundation
import GRDB

/// A file beside a store that keeps room on the disk, so that deleting works on a full one.
struct DiskReserve {
    let path: String

    /// Free bytes below which the disk is full: SQLite needs 32 KiB beside a file, and as much for a change.
    private static let least = 128 << 10
    /// Bytes of the reserve: for what a checkpoint by ``checkpoints`` adds to the file, and the journal of a deletion.
    private static let reserveBytes = 4 << 20
    /// Moves the journal's changes into the file after 128 pages of 4 KiB.
    static let checkpoints = "PRAGMA wal_autocheckpoint = 128"

    private var reserve: String { path + ".reserve" }

    /// Makes the reserve; not on a disk that is nearly full.
    func keepReserve() {
        let attributes = try? FileManager.default.attributesOfItem(atPath: reserve)
        // A link, a pipe or a folder of this name is somebody else's.
        guard attributes == nil || attributes?[.type] as? FileAttributeType == .typeRegular,
            (attributes?[.size] as? NSNumber)?.intValue != Self.reserveBytes,
            free.map({ $0 > 4 * Self.reserveBytes }) == true
        else { return }
        unlink(reserve)
        try? Data(count: Self.reserveBytes).write(to: URL(filePath: reserve), options: .withoutOverwriting)
    }

    /// Gives the reserve's space to the disk, if that is full; false when it is not, or there is no reserve.
    func freeReserve() -> Bool { isFull && unlink(reserve) == 0 }

    /// Calls `body`; an error while the disk is full says so, and what to do.
    func explaining<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch {
            guard error is DatabaseError || error is StoreError || error is CocoaError else { throw error }
            if case StoreError.unusable = error { throw error }
            if isFull {
                let problem =
                    "the disk is full, and nothing was deleted or saved; delete a session (captures sessions delete ID) or other files, and try again"
                throw StoreError.operation(path: path, problem: problem)
            }
            throw error is StoreError ? error : StoreError.operation(path: path, problem: "\(error)")
        }
    }

    private var isFull: Bool { free.map { $0 < Self.least } ?? false }

    private var free: Int? {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
    }
}
