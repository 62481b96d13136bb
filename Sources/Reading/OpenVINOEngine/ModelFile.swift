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

    /// The file's bytes, for as long as they are needed.
    func mapped() throws(OpenVINOError) -> MappedFile {
        do {
            return try MappedFile(path: path)
        } catch {
            throw .modelUnreadable(path: path, reason: error.systemReason)
        }
    }
}
