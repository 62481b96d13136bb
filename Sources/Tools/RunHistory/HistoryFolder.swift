import Basics
import Foundation
import Harness
import SpineDatasets

/// Folder with the entries of a history, a file each, to which any number of jobs may add at once.
package struct HistoryFolder: Sendable {
    let path: String

    /// - Throws: ``HarnessError/configuration(_:)`` for an address of anything but a folder.
    package init(_ path: String) throws {
        guard !path.isEmpty, !path.contains("://"), !path.hasPrefix("git:") else {
            throw HarnessError.configuration(
                "Invalid store '\(path)': expected a folder, which your CI commits or copies ('git', 'aws s3 sync')"
            )
        }
        self.path = path
    }

    /// Returns all entries in the order of time; none where nothing was added yet.
    package func entries() throws -> [HistoryEntry] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter(HistoryEntry.isName).sorted()
        let entries = Parallel.map(names.count) { index in
            Result {
                try HistoryEntry(
                    [UInt8](try Data(contentsOf: URL(filePath: "\(path)/\(names[index])"))),
                    from: names[index]
                )
            }
        }
        return try entries.map { try $0.get() }
    }

    /// Adds an entry; returns false when it is there already, which leaves it as it is.
    ///
    /// Writes the file under a name that no reader takes, and links it to its own once it is on the disk.
    package func add(_ name: String, _ bytes: [UInt8]) throws -> Bool {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let draft = "\(path)/.\(name).\(getpid())"
            try Data(bytes).write(to: URL(filePath: draft))
            defer { unlink(draft) }
            let handle = try FileHandle(forUpdating: URL(filePath: draft))
            try handle.synchronize()
            try handle.close()
            if link(draft, "\(path)/\(name)") != 0 {
                if errno == EEXIST { return false }
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            let folder = open(path, O_RDONLY)
            if folder >= 0 {
                fsync(folder)
                close(folder)
            }
            return true
        } catch {
            throw HarnessError.unwritable(path: path, problem: error.systemReason)
        }
    }
}
