import Basics
import Foundation
import Harness
import SpineDatasets

/// Place with the entries of a history, a file each, to which any number of jobs may add at once.
package protocol HistoryStore: Sendable {
    /// Names of the entries, in the order of time; none where nothing was added yet.
    func names() throws -> [String]
    /// Contents of entries, in the order of `names`.
    func contents(of names: [String]) throws -> [[UInt8]]
    /// Adds an entry; returns false when it is there already, which leaves it as it is.
    func add(_ name: String, _ bytes: [UInt8]) throws -> Bool
}

extension HistoryStore {
    /// Returns all entries in the order of time.
    package func entries() throws -> [HistoryEntry] {
        let names = try names()
        let contents = try contents(of: names)
        let entries = Parallel.map(names.count) { index in
            Result { try HistoryEntry(contents[index], from: names[index]) }
        }
        return try entries.map { try $0.get() }
    }
}

/// Opens the store at an address: a folder, `git:BRANCH`, `git:URL#BRANCH` or `s3://BUCKET/PREFIX`.
///
/// - Throws: ``HarnessError/configuration(_:)`` for an address of no such form.
package func historyStore(at address: String) throws -> any HistoryStore {
    if address.hasPrefix("git:") { return try GitStore(String(address.dropFirst(4))) }
    if ObjectFolder.isAddress(address) { return try ObjectHistory(address) }
    guard !address.isEmpty, !address.contains("://") else {
        throw HarnessError.configuration(
            "Invalid store '\(address)': expected a folder, git:BRANCH, git:URL#BRANCH or s3://BUCKET/PREFIX"
        )
    }
    return FolderStore(path: address)
}

/// Folder of entries.
struct FolderStore: HistoryStore {
    let path: String

    func names() throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).filter(HistoryEntry.isName).sorted()
    }

    func contents(of names: [String]) throws -> [[UInt8]] {
        try names.map { [UInt8](try Data(contentsOf: URL(filePath: "\(path)/\($0)"))) }
    }

    /// Writes the file under a name that no reader takes, and links it to its own once it is on the disk.
    func add(_ name: String, _ bytes: [UInt8]) throws -> Bool {
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
