package import Foundation

/// A file's bytes, mapped into memory read-only: a page takes memory when it is touched, and can be had again from the
/// file.
///
/// Nobody may shorten the file while it is mapped; writers replace it by `rename`, which leaves this one its own.
///
/// `@unchecked Sendable`: the bytes are read-only and are set once.
package final class MappedFile: @unchecked Sendable {
    private let bytes: UnsafeRawBufferPointer

    /// Maps a whole file.
    ///
    /// - Throws: the system's error when it is no file or cannot be read.
    package init(path: String) throws(POSIXError) {
        func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw POSIXError(.EISDIR) }
        // The system maps nothing of no bytes.
        guard status.st_size > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        let mapping = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let mapping, mapping != MAP_FAILED else { throw failure() }
        bytes = UnsafeRawBufferPointer(start: mapping, count: Int(status.st_size))
    }

    deinit {
        if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
    }

    /// Lends the bytes.
    ///
    /// They stay where they are as long as this object lives, which a C library may rely on that keeps the address.
    package func withBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(bytes)
    }

    /// Keeps the system from reading pages ahead that are not asked for.
    package func expectRandomAccess() { advise(MADV_RANDOM) }

    /// Gives the resident pages back; they are read again from the file when touched.
    package func dropPages() { advise(MADV_DONTNEED) }

    private func advise(_ advice: CInt) {
        if let start = bytes.baseAddress { madvise(UnsafeMutableRawPointer(mutating: start), bytes.count, advice) }
    }
}
