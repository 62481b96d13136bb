import Basics
import Foundation

/// Location of a picture's bytes: all of a file, or a part of one.
package struct PictureSource: Sendable, Hashable {
    package var path: String
    package var part: FilePart?

    package init(path: String, part: FilePart? = nil) { (self.path, self.part) = (path, part) }

    package func contents() -> [UInt8]? {
        guard let part else { return FileManager.default.contents(atPath: path).map { [UInt8]($0) } }
        return try? RandomAccessFile(path).bytes(of: part)
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

/// A regular file whose bytes are read from any place.
final class RandomAccessFile: Sendable {
    /// Size in bytes, when it was opened.
    let size: Int
    private let descriptor: CInt

    init(_ path: String) throws(POSIXError) {
        // Opening a pipe would wait for its writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw POSIXError(.ENODEV)
        }
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    func bytes(of part: FilePart) throws(POSIXError) -> [UInt8] {
        // Checked before the allocation: the specified length may be invalid.
        guard part.offset >= 0, part.length >= 0, part.offset <= size, part.length <= size - part.offset else {
            throw POSIXError(.EINVAL)
        }
        var failure: POSIXErrorCode?
        let bytes = [UInt8](unsafeUninitializedCapacity: part.length) { buffer, count in
            while count < part.length {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let read = pread(descriptor, rest.baseAddress, rest.count, off_t(part.offset + count))
                if read < 0, errno == EINTR { continue }
                guard read > 0 else {
                    failure = read < 0 ? POSIXErrorCode(rawValue: errno) ?? .EIO : .EINVAL
                    return
                }
                count += read
            }
        }
        if let failure { throw POSIXError(failure) }
        return bytes
    }
}
