import Foundation

/// A new file for a photo, open for writing.
final class PhotoFile {
    /// Writes as `write(2)` does; tests let it fail.
    typealias Write = @Sendable (CInt, UnsafeRawPointer, Int) -> Int

    private let path: String
    private let writing: Write
    private var descriptor: CInt

    /// - Parameters:
    ///   - path: of no file yet.
    ///   - writing: the system's call.
    /// - Throws: `TalariaServerError` when it cannot be made.
    init(path: String, writing: @escaping Write) throws {
        self.path = path
        self.writing = writing
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TalariaServerError(errno: errno, path: path) }
    }

    deinit { if descriptor >= 0 { Foundation.close(descriptor) } }

    /// - Parameter bytes: that come next.
    /// - Throws: `TalariaServerError.noSpace` when the disk is full, `.file` otherwise.
    func write(contentsOf bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
                let count = writing(descriptor, start, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw TalariaServerError(errno: count == 0 ? ENOSPC : errno, path: path) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// - Throws: `TalariaServerError` when what was written did not reach the file.
    func close() throws {
        guard descriptor >= 0 else { return }
        let result = Foundation.close(descriptor)
        descriptor = -1
        if result != 0 { throw TalariaServerError(errno: errno, path: path) }
    }
}
