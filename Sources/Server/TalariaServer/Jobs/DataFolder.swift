import Basics
import Foundation

/// Folder that belongs to one process for this object's lifetime.
///
/// The kernel releases the lock when the process ends, however it ends.
final class FolderLock: Sendable {
    private let descriptor: CInt

    /// Takes a folder, and creates a missing one, which only this user can look into.
    ///
    /// - Throws: `TalariaServerError.inUse` when another process has it, `.file` when it cannot be used.
    init(folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw TalariaServerError.file(path: folder, reason: error.systemReason)
        }
        let path = "\(folder)/.talaria"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        let number = errno
        if descriptor >= 0 { close(descriptor) }
        throw number == EWOULDBLOCK
            ? TalariaServerError.inUse(path: folder) : .file(path: path, reason: String(cString: strerror(number)))
    }

    deinit { close(descriptor) }

    /// Releases the folder before the last reference does; later calls do nothing.
    func release() { flock(descriptor, LOCK_UN) }
}
