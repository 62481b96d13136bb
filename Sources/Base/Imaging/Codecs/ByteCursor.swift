/// Reads the fields of a HEIC's box one after the other.
struct ByteCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var offset: Int
    private let end: Int

    /// Begins at the start of `range`, which must be inside `bytes`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    var exhausted: ImageFault { .corrupt(.heic, "a box that ends early at byte \(offset)") }

    var rest: Range<Int> { offset..<end }

    /// Returns an unsigned number of 0 to 8 bytes; one of more than 63 bits counts as not fitting.
    mutating func number(_ count: Int) throws(ImageFault) -> Int {
        guard count <= end - offset else { throw exhausted }
        var value = 0
        for index in 0..<count {
            guard value < 1 << 55 else { throw exhausted }
            value = value << 8 | Int(bytes[offset + index])
        }
        offset += count
        return value
    }

    mutating func take(_ count: Int) throws(ImageFault) -> Range<Int> {
        guard count >= 0, count <= end - offset else { throw exhausted }
        defer { offset += count }
        return offset..<offset + count
    }

    /// Returns the version of a full box and its flags, which precede its fields.
    mutating func versionAndFlags() throws(ImageFault) -> (version: Int, flags: Int) {
        (try number(1), try number(3))
    }
}

/// Reads integers from a file's bytes. Every function returns nil past the end.
extension UnsafeBufferPointer<UInt8> {
    func bigEndian16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(self[offset]) << 8 | Int(self[offset + 1])
    }

    func bigEndian32(at offset: Int) -> Int? {
        guard let high = bigEndian16(at: offset), let low = bigEndian16(at: offset + 2) else { return nil }
        return high << 16 | low
    }

    func littleEndian16(at offset: Int) -> Int? {
        bigEndian16(at: offset).map { $0 >> 8 | ($0 & 0xFF) << 8 }
    }

    func littleEndian32(at offset: Int) -> Int? {
        guard let low = littleEndian16(at: offset), let high = littleEndian16(at: offset + 2) else { return nil }
        return high << 16 | low
    }

    /// Returns whether `text`, in ASCII, is at `offset`.
    func holds(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[offset + $0] == text.utf8Start[$0] }
    }

    func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: self[range]) }
}

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
    static func load(_ path: String, limit: Int) throws(ImageFault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(operation: "opening the file", code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .unreadable(operation: "asking for the file's size", code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            // A folder, or a device or pipe that may never end.
            let code = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL
            throw .unreadable(operation: "reading the file", code: code)
        }
        let size = Int(status.st_size)
        guard size <= limit else { throw .tooManyBytes(found: size, limit: limit) }
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
        guard code == 0 else { throw .unreadable(operation: "reading the file", code: code) }
        return bytes
    }
}

func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
