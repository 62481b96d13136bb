package import Foundation

/// A file's bytes, mapped into memory read-only: a page occupies memory after its first use, and can be reloaded from
/// the file.
///
/// The file must not be shortened while it is mapped; writers replace it by `rename`, which leaves the mapped one
/// intact.
///
/// `@unchecked Sendable`: the bytes are read-only and are set once.
package final class MappedFile: @unchecked Sendable {
    private let bytes: UnsafeRawBufferPointer
    /// All mapped bytes: ``bytes``, and the rest of the file.
    private let mapping: UnsafeRawBufferPointer

    /// Maps a whole file.
    ///
    /// - Throws: the system's error when it is not a file or cannot be read.
    package convenience init(path: String) throws(POSIXError) {
        let mapping = try Self.mapping(of: path)
        self.init(mapping, count: mapping.count)
    }

    private init(_ mapping: UnsafeRawBufferPointer, count: Int) {
        (self.mapping, bytes) = (mapping, UnsafeRawBufferPointer(rebasing: mapping.prefix(count)))
    }

    private static func mapping(of path: String) throws(POSIXError) -> UnsafeRawBufferPointer {
        func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        // Opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw POSIXError(.EISDIR) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw POSIXError(.ENODEV) }
        // The system maps nothing of no bytes.
        guard status.st_size > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let mapping = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let mapping, mapping != MAP_FAILED else { throw failure() }
        return UnsafeRawBufferPointer(start: mapping, count: Int(status.st_size))
    }

    deinit {
        if let start = mapping.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), mapping.count) }
    }

    /// Calls `body` with the bytes.
    ///
    /// Their address is constant as long as this object lives, as a C library that stores it requires.
    package func withBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(bytes)
    }

    /// Prevents the system from reading unrequested pages ahead.
    package func expectRandomAccess() { advise(MADV_RANDOM) }

    /// Frees the resident pages; they are read again from the file when touched.
    package func dropPages() { advise(MADV_DONTNEED) }

    private func advise(_ advice: CInt) {
        if let start = mapping.baseAddress { madvise(UnsafeMutableRawPointer(mutating: start), mapping.count, advice) }
    }
}

// MARK: Kept files

extension MappedFile {
    /// Size of the checksum after the content, over the content and the file's name.
    private static let footer = 8

    /// Returns the file that ``keep(at:write:)`` stored under this name; nil for a foreign, truncated or damaged
    /// file.
    package static func kept(at path: String) -> MappedFile? {
        guard let mapping = try? mapping(of: path) else { return nil }
        let file = MappedFile(mapping, count: max(0, mapping.count - footer))
        guard mapping.count >= footer,
            mapping.loadUnaligned(fromByteOffset: mapping.count - footer, as: UInt64.self)
                == checksum(of: file.bytes, name: path)
        else { return nil }
        return file
    }

    /// Stores the output of `write` for later processes; nil if it cannot be stored.
    ///
    /// The file is renamed to its path when it is complete: a partial file is never mapped, even with concurrent
    /// writers or a killed process.
    package static func keep(at path: String, write: (_ path: String) throws -> Void) -> MappedFile? {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil
        else { return nil }
        removeLeftovers(in: folder)
        let temporary = "\(path).\(UUID().uuidString)\(leftover)"
        defer { unlink(temporary) }
        guard (try? write(temporary)) != nil, let content = try? MappedFile(path: temporary),
            let handle = FileHandle(forWritingAtPath: temporary)
        else { return nil }
        let sum = withUnsafeBytes(of: checksum(of: content.bytes, name: path)) { Data($0) }
        guard (try? handle.seekToEnd()) != nil, (try? handle.write(contentsOf: sum)) != nil,
            (try? handle.synchronize()) != nil, (try? handle.close()) != nil, rename(temporary, path) == 0
        else { return nil }
        return kept(at: path)
    }

    private static let leftover = ".tmp"

    /// Removes files of killed writers: those without a write for an hour.
    private static func removeLeftovers(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasSuffix(leftover) {
            let path = "\(folder)/\(name)"
            let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            if let date, date.timeIntervalSinceNow < -3600 { unlink(path) }
        }
    }

    /// Returns the FNV-1a of the name, and then of the bytes, eight at a time.
    private static func checksum(of bytes: UnsafeRawBufferPointer, name path: String) -> UInt64 {
        var hash = FNV1a()
        hash.append(URL(filePath: path).lastPathComponent.utf8)
        let words = bytes.count / 8
        for word in 0..<words { hash.append(word: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) }
        hash.append(bytes[(words * 8)...])
        return hash.value
    }
}

/// 64-bit FNV-1a (Fowler, Noll and Vo).
public struct FNV1a {
    /// The hash of what was appended so far.
    public var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates the hash of nothing.
    public init() {}

    /// Appends a byte.
    @inlinable public mutating func append(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    @inlinable package mutating func append(_ bytes: some Sequence<UInt8>) { for byte in bytes { append(byte) } }

    /// Appends eight bytes at once: the result differs from the FNV-1a of each byte, and distinguishes files as well.
    ///
    /// A product's lower bits do not depend on a factor's upper ones: these are folded down, or a change there would
    /// be lost.
    package mutating func append(word: UInt64) {
        value = (value ^ word) &* 0x100_0000_01B3
        value ^= value >> 29
    }
}

extension stat {
    /// Time of the file's last write.
    package var changedAt: timespec {
        #if canImport(Darwin)
        st_mtimespec
        #else
        st_mtim
        #endif
    }
}
