import Foundation
import Synchronization

/// Whether there is room for new jobs.
final class Storage: Sendable {
    private let full = Mutex(false)
    private let paths: [String]

    init(paths: [String]) { self.paths = paths }

    /// Whether new jobs can be taken in.
    var hasRoom: Bool { has(1) }

    /// Whether something could not be written, and nothing that large has been since.
    var isFull: Bool { full.withLock { $0 } }

    /// Records that the disk is full, or writable again.
    func set(isFull: Bool) { full.withLock { $0 = isFull } }

    /// Returns whether there is room for pictures of so many bytes: a part of each disk is reserved for the database,
    /// which must be able to end the open jobs.
    func has(_ bytes: Int) -> Bool {
        !isFull
            && paths.allSatisfy { path in
                var disk = statvfs()
                guard statvfs(path, &disk) == 0 else { return true }
                let (free, size) = (Int(disk.f_bavail) * Int(disk.f_frsize), Int(disk.f_blocks) * Int(disk.f_frsize))
                return free - min(64 << 20, size / 10) >= bytes
            }
    }
}
