import Foundation

/// Lock of a file among processes, until it is ended or its last reference is released.
///
/// The system frees that of a killed process.
public final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock, and creates a missing file; nil while another process has it, unless this one `waits`.
    ///
    /// Those with `isShared` may have it at the same time.
    public init?(path: String, isShared: Bool = false, waits: Bool = false) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)) != 0 {
            if errno == EWOULDBLOCK { return nil }
            guard errno == EINTR else { throw Self.failure(path) }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Releases the lock.
    public func end() { flock(descriptor, LOCK_UN) }

    static func failure(_ path: String) -> StoreError {
        .operation(path: path, problem: "cannot be written: \(String(cString: strerror(errno)))")
    }
}
