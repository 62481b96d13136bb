import Basics
import Foundation

/// A book list as bytes; the system reads of the file what is looked at.
struct MappedList {
    private let data: Data

    /// - Throws: ``CatalogueError/source(path:problem:)`` when the file cannot be read.
    init(_ path: String) throws(CatalogueError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .source(path: path, problem: "does not exist")
        }
        if isFolder.boolValue { throw .source(path: path, problem: "is a folder; expected a book list") }
        do {
            data = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
        } catch {
            throw .source(path: path, problem: "cannot be read: \(error.systemReason)")
        }
    }

    /// Lends the bytes behind a byte order mark.
    func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Value) rethrows -> Value {
        try data.withUnsafeBytes { raw in
            let bytes = raw.bindMemory(to: UInt8.self)
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            return try body(UnsafeBufferPointer(rebasing: bytes.dropFirst(bytes.starts(with: mark) ? 3 : 0)))
        }
    }
}
