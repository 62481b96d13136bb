import Basics
import Foundation
import Harness

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
        return try concurrentMap(names.count) { index in
            try HistoryEntry(Data(contentsOf: URL(filePath: "\(path)/\(names[index])")), from: names[index])
        }
    }

    /// Adds an entry; returns false when it is there already, which leaves it as it is.
    package func add(_ name: String, _ bytes: [UInt8]) throws -> Bool {
        if FileManager.default.fileExists(atPath: "\(path)/\(name)") { return false }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            // Jobs that add one run at the same time write the same.
            try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"), options: .atomic)
            return true
        } catch {
            throw HarnessError.unwritable(path: path, problem: error.systemReason)
        }
    }
}
