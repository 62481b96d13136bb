import Basics
import Foundation

/// Location of a picture's bytes: all of a file, or a part of one.
package struct PictureSource: Sendable, Hashable {
    package var path: String
    package var part: FilePart?

    package init(path: String, part: FilePart? = nil) { (self.path, self.part) = (path, part) }

    package func contents() -> [UInt8]? { try? bytes() }

    /// Returns the bytes of a regular file or its part, the first `limit` at most.
    package func bytes(limit: Int = .max) throws -> [UInt8] {
        func failure(_ code: POSIXErrorCode? = nil) -> POSIXError {
            POSIXError(code ?? POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        // Opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure() }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw failure(.ENODEV) }
        let size = Int(status.st_size)
        let part = part ?? FilePart(offset: 0, length: size)
        // Checked before the allocation: the specified length may be invalid.
        guard part.offset >= 0, part.length >= 0, part.offset <= size, part.length <= size - part.offset else {
            throw failure(.EINVAL)
        }
        let count = min(part.length, limit)
        try file.seek(toOffset: UInt64(part.offset))
        let data = count == 0 ? Data() : try file.read(upToCount: count) ?? Data()
        guard data.count == count else { throw failure(.EINVAL) }
        return [UInt8](data)
    }

    /// Number of bytes; nil when there is no such file.
    package var size: Int? {
        if let part { return part.length }
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }
}

/// Bytes of a file that follow each other.
package struct FilePart: Sendable, Hashable, Codable {
    /// Offset from the file's start, in bytes.
    package var offset: Int
    package var length: Int

    package init(offset: Int, length: Int) { (self.offset, self.length) = (offset, length) }
}
