import Foundation

/// Where the job database is: a folder that was named, or one that goes with the process.
///
/// A process that was killed leaves its folder behind; the next one to start removes it.
package struct DataFolder: Sendable {
    package let path: String
    package let lock: FolderLock
    private let isTemporary: Bool

    /// Stands in the lock file of a temporary folder, and in no other.
    private static let label = "temporary"
    private static let prefix = "talaria-"

    /// Takes the folder.
    ///
    /// - Parameters:
    ///   - path: nil for a temporary one, which only this user can look into and whose name cannot be guessed.
    ///   - root: where temporary ones are; the system's folder for them when nil.
    /// - Throws: `TalariaServerError` when it cannot be made, or when another process has it.
    package init(path: String?, root: String? = nil) throws {
        let root = root ?? FileManager.default.temporaryDirectory.path
        isTemporary = path == nil
        if let path {
            self.path = path
            try FolderLock.makeFolder(path)
            lock = try FolderLock(folder: path)
        } else {
            Self.sweep(root)
            self.path = try FolderLock.makeTemporaryFolder(in: root, prefix: Self.prefix)
            lock = try FolderLock(folder: self.path)
            try lock.write(Self.label)
        }
    }

    /// Removes a temporary folder with all that is in it.
    package func removeIfTemporary() {
        guard isTemporary else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes temporary folders of this user whose processes are gone.
    private static func sweep(_ root: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(root)/\(name)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard attributes?[.type] as? FileAttributeType == .typeDirectory,
                attributes?[.ownerAccountID] as? NSNumber == NSNumber(value: geteuid()),
                // Written under the lock: a folder without it is being made, or is none of ours.
                (try? String(contentsOfFile: "\(path)/\(FolderLock.fileName)", encoding: .utf8)) == label,
                let lock = try? FolderLock(folder: path)
            else { continue }
            withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: path) }
        }
    }
}
