import Foundation
import Harness

/// A file that several processes add whole lines to.
///
/// Unchecked: the descriptor does not change, and the system puts each write at the end in one piece.
final class LineLog: @unchecked Sendable {
    private let descriptor: Int32

    /// Opens the file, and makes it where there is none.
    ///
    /// - Throws: `HarnessError.storage` when it cannot be written.
    init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw HarnessError.storage(path: path, problem: String(cString: strerror(errno)))
        }
    }

    deinit { close(descriptor) }

    /// Adds a line; one that cannot be written is left out, as nothing is measured by it.
    func append(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
