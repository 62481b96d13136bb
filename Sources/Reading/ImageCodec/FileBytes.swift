#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files off the disk, with the size checked before memory is taken.
enum FileBytes {
    /// - Throws: `unreadable` with `errno`, or `tooManyBytes`.
    static func load(_ path: String, limit: Int) throws(ImageCodecError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(name: path, operation: "opening the file", code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .unreadable(name: path, operation: "asking for the file's size", code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            // A folder, or a device or pipe that may never end.
            let code = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL
            throw .unreadable(name: path, operation: "reading the file", code: code)
        }
        let size = Int(status.st_size)
        guard size <= limit else { throw .tooManyBytes(name: path, found: size, limit: limit) }
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initializedCount in
            while initializedCount < size {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[initializedCount..<size])
                let count = read(descriptor, rest.baseAddress, rest.count)
                if count > 0 { initializedCount += count }
                if count == 0 { return }
                if count < 0, errno != EINTR {
                    code = errno
                    return
                }
            }
        }
        guard code == 0 else { throw .unreadable(name: path, operation: "reading the file", code: code) }
        return bytes
    }
}

/// The system's words for an `errno`.
func systemMessage(_ code: Int32) -> String {
    String(cString: strerror(code))
}
