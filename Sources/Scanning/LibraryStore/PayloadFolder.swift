import Basics
public import Foundation

/// The pictures of queued scans, a file each.
final class PayloadFolder: Sendable {
    private let path: String
    private let isTemporary: Bool

    init(_ path: String, isTemporary: Bool) {
        self.path = path
        self.isTemporary = isTemporary
    }

    deinit {
        if isTemporary { try? FileManager.default.removeItem(atPath: path) }
    }

    func url(of file: String) -> URL { URL(filePath: path).appending(path: file) }

    /// Writes a picture so that it is on disk, whole, when this returns.
    ///
    /// - Throws: ``LibraryError/operation(path:problem:)`` with the system's reason.
    func write(_ data: Data, id: UUID) throws -> String {
        let name = "\(id.uuidString).jpg"
        let (partial, final) = ("\(path)/\(name).partial", "\(path)/\(name)")
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw failure(partial) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
        } catch {
            try? FileManager.default.removeItem(atPath: partial)
            throw LibraryError.operation(path: partial, problem: "cannot be written: \(error.systemReason)")
        }
        guard rename(partial, final) == 0 else { throw failure(final) }
        try synchronizeFolder()
        return name
    }

    func remove(_ id: UUID) {
        // One that stays is swept at the next start.
        try? FileManager.default.removeItem(atPath: "\(path)/\(id.uuidString).jpg")
    }

    /// Calls `body` while no other process sweeps: a picture that has no row yet is not left over.
    func keeping<Value>(_ body: () throws -> Value) throws -> Value {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let lock = try openLock()
        defer { close(lock) }
        while flock(lock, LOCK_SH) != 0 {
            guard errno == EINTR else { throw failure("\(path)/lock") }
        }
        return try body()
    }

    /// Removes the files that `known` does not name; none while another process writes one.
    func sweep(known: () throws -> Set<String>) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let lock = try openLock()
        defer { close(lock) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return }
        let kept = try known()
        for name in try FileManager.default.contentsOfDirectory(atPath: path)
        where name != "lock" && !kept.contains(name) {
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }

    /// The system frees the lock of a process that is killed.
    private func openLock() throws -> Int32 {
        let descriptor = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("\(path)/lock") }
        return descriptor
    }

    private func synchronizeFolder() throws {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    private func failure(_ path: String) -> LibraryError {
        .operation(path: path, problem: "cannot be written: \(String(cString: strerror(errno)))")
    }
}

/// A scan that waits for the back end.
public struct QueuedScan: Sendable, Equatable, Identifiable {
    /// Payload to be sent.
    public enum Payload: Sendable, Equatable {
        case text(String)
        /// The file with the picture; it goes when the scan is done.
        case image(URL)
    }

    /// Given by whoever scans; queueing the same one twice changes nothing.
    public var id: UUID
    /// When it was scanned.
    public var createdAt: Date
    /// Payload to be sent.
    public var payload: Payload
    /// Number of attempts in vain.
    public var attempts: Int
    /// Error of the last attempt.
    public var lastError: String?
    /// Not to be tried before; nil for at once.
    public var notBefore: Date?
}
