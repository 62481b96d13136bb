import Foundation

/// A folder that other processes see only when it is complete: `DIR.part` while it is written, `DIR` afterwards.
package final class PartFolder: Sendable {
    /// Place of the complete folder.
    package let path: String
    /// Place until then.
    package let part: String
    /// Keeps other writers out; the system releases it when this process ends, however it ends.
    private let lock: Int32

    package static let ending = ".part"

    /// Makes `DIR.part`, or opens the one that an earlier process left; throws when another process writes it.
    package init(at path: String) throws {
        (self.path, part) = (path, path + Self.ending)
        do { try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: true) } catch {
            throw RunFolder.notMade(part, error)
        }
        lock = open(part, O_RDONLY | O_CLOEXEC)
        guard lock >= 0 else {
            throw HarnessError.runFolder(path: part, problem: "cannot be opened: \(String(cString: strerror(errno)))")
        }
        // A file system without locks keeps nobody out.
        if flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK { throw HarnessError.busy(path: part) }
    }

    deinit { close(lock) }

    /// Returns the path of a folder without slashes at its end, which completion of a shell adds.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` for a name that is not a folder's own.
    package static func path(_ named: String) throws(HarnessError) -> String {
        var path = named
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let last = path.split(separator: "/").last ?? ""
        guard !["", ".", ".."].contains(last) else {
            throw .configuration(
                "--out \"\(named)\" does not name a folder of its own; the folder gets this name when it is complete"
            )
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
            throw .configuration("--out \(named) is a file; name a folder")
        }
        return path
    }

    /// Gives the folder its name, after these of its files are on the disk.
    package func publish(_ files: [String]) throws {
        for name in files { try synchronize("\(part)/\(name)") }
        try synchronize(part)
        guard rename(part, path) == 0 else {
            throw HarnessError.unwritable(path: path, problem: String(cString: strerror(errno)))
        }
        try synchronize(URL(filePath: path).deletingLastPathComponent().path)
    }

    package func clear() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: part) {
            try FileManager.default.removeItem(atPath: "\(part)/\(name)")
        }
    }

    package func discard() { try? FileManager.default.removeItem(atPath: part) }

    /// Waits until a file, or the names in a folder, are on the disk.
    private func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw HarnessError.unwritable(path: path, problem: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        // Some file systems cannot synchronise folders.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
            throw HarnessError.unwritable(path: path, problem: String(cString: strerror(errno)))
        }
    }
}
