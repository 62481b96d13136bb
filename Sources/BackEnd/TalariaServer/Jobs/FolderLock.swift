import Foundation
import ServiceLifecycle

/// A folder that belongs to one process for as long as this is held, and that says by a file what it is.
///
/// The kernel lets go of the lock when the process ends, however it ends.
package final class FolderLock: Sendable {
    /// The file that is locked; what stands in it says whose folder this is.
    static let fileName = ".talaria"
    private let descriptor: CInt
    private let path: String

    /// Takes the folder.
    ///
    /// - Parameter folder: that is there.
    /// - Throws: `TalariaServerError.inUse` when another process has it, `.file` when its file cannot be made.
    init(folder: String) throws {
        path = "\(folder)/\(Self.fileName)"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw TalariaServerError(errno: errno, path: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            throw number == EWOULDBLOCK
                ? TalariaServerError.inUse(path: folder) : TalariaServerError(errno: number, path: path)
        }
    }

    deinit { close(descriptor) }

    /// Makes a folder that only this user can look into; one that is there is left as it is.
    ///
    /// - Parameter path: of the folder.
    /// - Throws: `TalariaServerError.file`.
    static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw TalariaServerError.file(path: path, reason: error.localizedDescription)
        }
    }

    /// Makes a folder that only this user can look into, and whose name nobody can foresee.
    ///
    /// - Parameters:
    ///   - root: the folder in which it is made.
    ///   - prefix: its name begins so.
    /// - Returns: its path.
    /// - Throws: `TalariaServerError` when it cannot be made.
    static func makeTemporaryFolder(in root: String, prefix: String) throws -> String {
        var template = Array("\(root)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TalariaServerError(errno: errno, path: root) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Lets go before the last reference does; later calls do nothing.
    func release() { flock(descriptor, LOCK_UN) }

    /// Label that stands in the file; empty in a new one.
    var label: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    /// Says whose folder this is.
    ///
    /// - Parameter label: takes the place of what stood there.
    /// - Throws: `TalariaServerError` when it cannot be written.
    func write(_ label: String) throws {
        let bytes = Array(label.utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw TalariaServerError(errno: errno, path: path)
        }
    }
}

/// Holds folders until everything else has ended.
struct FolderHold: Service {
    var locks: [FolderLock]

    /// Works until shutdown.
    func run() async throws {
        try? await gracefulShutdown()
        for lock in locks { lock.release() }
    }
}
