internal import Basics
internal import Foundation

struct ModelFile: Sendable {
    var path: String
    /// Size, place and times of change, which distinguish an old cached blob from a current one: the time of the last
    /// change of any kind cannot be set back.
    var fingerprint: String

    init(path: String) throws(OpenVINOError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw .modelUnreadable(path: path, reason: String(cString: strerror(errno)))
        }
        self.path = path
        #if canImport(Darwin)
        let touched = status.st_ctimespec
        #else
        let touched = status.st_ctim
        #endif
        var hash = FNV1a()
        for part in [
            Int(status.st_ino), Int(status.changedAt.tv_sec), Int(status.changedAt.tv_nsec), Int(touched.tv_sec),
            Int(touched.tv_nsec),
        ] {
            hash.append(word: UInt64(bitPattern: Int64(part)))
        }
        fingerprint = "\(status.st_size)-\(String(hash.value, radix: 16))"
    }

    /// Returns the file's bytes, for as long as they are needed.
    func mapped() throws(OpenVINOError) -> MappedFile {
        do {
            return try MappedFile(path: path)
        } catch {
            throw .modelUnreadable(path: path, reason: error.systemReason)
        }
    }
}
