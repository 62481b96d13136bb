#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads integers and texts from a file's bytes. Every function returns nil, or false, past the end.
extension UnsafeBufferPointer<UInt8> {
    func bigEndian16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(self[offset]) << 8 | Int(self[offset + 1])
    }

    func bigEndian32(at offset: Int) -> Int? {
        guard let high = bigEndian16(at: offset), let low = bigEndian16(at: offset + 2) else { return nil }
        return high << 16 | low
    }

    /// Returns whether `text`, in ASCII, is at `offset`.
    func holds(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[offset + $0] == text.utf8Start[$0] }
    }

    /// Returns whether `text`, in ASCII, is anywhere.
    func holds(_ text: StaticString) -> Bool { indices.contains { holds(text, at: $0) } }

    func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: self[range]) }
}

/// Files off the disk, with the size checked before memory is taken.
enum FileBytes {
    /// - Throws: `unreadable` with `errno`, or `tooManyBytes`.
    static func load(_ path: String, limit: Int) throws(ImageFault) -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unreadable(operation: "opening the file", code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            // A folder, or a device or pipe that may never end.
            let code = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL
            throw .unreadable(operation: "reading the file", code: code)
        }
        let size = Int(status.st_size)
        guard size <= limit else { throw .tooManyBytes(found: size, limit: limit) }
        guard let file = fopen(path, "rbe") else { throw .unreadable(operation: "opening the file", code: errno) }
        defer { fclose(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { $1 = fread($0.baseAddress, 1, size, file) }
        guard ferror(file) == 0 else { throw .unreadable(operation: "reading the file", code: errno) }
        return bytes
    }
}

func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
