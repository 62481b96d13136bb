import Foundation

/// Folder of the job database: a named one, or a temporary one that is removed with the process.
///
/// A process that was killed leaves its folder behind; the next one to start removes it.
package struct DataFolder: Sendable {
    package let path: String
    package let lock: FolderLock
    private let isTemporary: Bool

    /// Label in the lock file of a temporary folder, and in no other.
    private static let label = "temporary"
    private static let prefix = "talaria-"

    /// Creates a folder at a path, or a temporary one, which only this user can look into and whose name cannot be
    /// guessed.
    ///
    /// - Throws: `TalariaServerError` when it cannot be made, or when another process has it.
    package init(path: String?, root: String? = nil) throws {
        let root = root ?? FileManager.default.temporaryDirectory.path
        isTemporary = path == nil
        if let path {
            self.path = path
            try FolderLock.makeFolder(path)
            lock = try FolderLock(folder: path)
        } else {
            Self.sweep(root)
            self.path = try FolderLock.makeTemporaryFolder(in: root, prefix: Self.prefix)
            lock = try FolderLock(folder: self.path)
            try lock.write(Self.label)
        }
    }

    package func removeIfTemporary() {
        guard isTemporary else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes temporary folders of this user whose processes have ended.
    private static func sweep(_ root: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(root)/\(name)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard attributes?[.type] as? FileAttributeType == .typeDirectory,
                attributes?[.ownerAccountID] as? NSNumber == NSNumber(value: geteuid()),
                // Written under the lock: a folder without it is being made, or is none of ours.
                (try? String(contentsOfFile: "\(path)/\(FolderLock.fileName)", encoding: .utf8)) == label,
                let lock = try? FolderLock(folder: path)
            else { continue }
            withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: path) }
        }
    }
}

/// Folder that belongs to one process for this object's lifetime, labelled by a file.
///
/// The kernel lets go of the lock when the process ends, however it ends.
package final class FolderLock: Sendable {
    /// Name of the locked file; its content names the folder's owner.
    static let fileName = ".talaria"
    private let descriptor: CInt
    private let path: String

    /// Takes the folder.
    ///
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

    /// Creates a folder with access for this user alone and an unpredictable name.
    static func makeTemporaryFolder(in root: String, prefix: String) throws -> String {
        var template = Array("\(root)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TalariaServerError(errno: errno, path: root) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Lets go before the last reference does; later calls do nothing.
    func release() { flock(descriptor, LOCK_UN) }

    /// Label in the file; empty in a new one.
    var label: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    /// Writes the owner of this folder.
    func write(_ label: String) throws {
        let bytes = Array(label.utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw TalariaServerError(errno: errno, path: path)
        }
    }
}
