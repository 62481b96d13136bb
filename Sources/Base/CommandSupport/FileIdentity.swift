import Foundation

/// Which file a path leads to: two paths of one file, by symbolic or hard links, are the same.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// nil when there is no such file.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// Whether there is something at `path` that is neither a file nor a folder.
    package static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }
}
