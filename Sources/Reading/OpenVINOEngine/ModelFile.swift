internal import Basics
internal import Foundation

struct ModelFile: Sendable {
    var path: String
    /// Size and time of change, which tell an old cached blob from a current one.
    var fingerprint: String

    init(path: String) throws(OpenVINOError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw .modelUnreadable(path: path, reason: String(cString: strerror(errno)))
        }
        self.path = path
        #if canImport(Darwin)
        let seconds = status.st_mtimespec.tv_sec
        #else
        let seconds = status.st_mtim.tv_sec
        #endif
        fingerprint = "\(status.st_size)-\(seconds)"
    }

    func bytes() throws(OpenVINOError) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw .modelUnreadable(path: path, reason: error.systemReason)
        }
    }
}

/// A file mapped into memory, read-only, for as long as this object lives.
///
/// `@unchecked Sendable`: the mapping is read-only and never changes.
final class MappedFile: @unchecked Sendable {
    private let mapping: UnsafeMutableRawPointer
    let count: Int

    /// nil when the file is missing, empty or cannot be mapped.
    init?(path: String) {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return nil }
        guard let mapping = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0),
            mapping != MAP_FAILED
        else { return nil }
        self.mapping = mapping
        count = Int(status.st_size)
    }

    deinit { munmap(mapping, count) }

    var start: UnsafePointer<CChar> { UnsafePointer(mapping.assumingMemoryBound(to: CChar.self)) }

    /// Gives the resident pages back; they are read again from the file when touched.
    func dropPages() { madvise(mapping, count, MADV_DONTNEED) }
}
