import Basics
public import Foundation

/// Files that rows of a database name, each on disk, whole, before its row is.
public final class DurableFolder: Sendable {
    private let path: String
    private let isTemporary: Bool

    /// Creates a folder that is made when the first file comes; a temporary one is deleted with its last reference.
    public init(_ path: String, isTemporary: Bool) {
        self.path = path
        self.isTemporary = isTemporary
    }

    deinit {
        if isTemporary { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Returns the URL of a file.
    public func url(of file: String) -> URL { URL(filePath: path).appending(path: file) }

    /// Writes a file so that it is on disk, whole, when this returns.
    ///
    /// - Throws: ``StoreError/operation(path:problem:)`` with the system's reason.
    public func write(_ data: Data, as name: String) throws {
        let (partial, final) = ("\(path)/\(name).partial", "\(path)/\(name)")
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw FileLock.failure(partial) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
        } catch {
            try? FileManager.default.removeItem(atPath: partial)
            throw StoreError.operation(path: partial, problem: "cannot be written: \(error.systemReason)")
        }
        guard rename(partial, final) == 0 else { throw FileLock.failure(final) }
        try synchronizeFolder()
    }

    /// Removes a file that no row names any more; one that stays is swept at the next start.
    public func remove(_ name: String) { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    /// Calls `body` while no other process sweeps: a file that has no row yet is not left over.
    public func keeping<Value>(_ body: () throws -> Value) throws -> Value {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let lock = try FileLock(path: "\(path)/lock", isShared: true, waits: true)
        return try withExtendedLifetime(lock) { try body() }
    }

    /// Removes the files that are not in `known`; none while another process writes one.
    ///
    /// - Parameters:
    ///   - isOwn: whether a leftover file with such a name is this database's: other files stay.
    ///   - known: names of those in rows.
    /// - Throws: ``StoreError``, and the errors of `known`.
    public func sweep(isOwn: (String) -> Bool, known: () throws -> Set<String>) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        guard let lock = try FileLock(path: "\(path)/lock") else { return }
        defer { lock.end() }
        let kept = try known()
        for name in try FileManager.default.contentsOfDirectory(atPath: path)
        where name != "lock" && !kept.contains(name) && isOwn(name.replacing(/\.partial$/, with: "")) {
            // Files alone: this call removes no folder.
            unlink("\(path)/\(name)")
        }
    }

    private func synchronizeFolder() throws {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw FileLock.failure(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileLock.failure(path) }
    }
}
