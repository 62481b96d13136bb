import Basics
package import Foundation

/// A folder that is written from nothing.
package struct OutputFolder {
    package let url: URL
    private let wasThere: Bool

    /// Makes the folder.
    package init(_ url: URL) throws(DatasetError) {
        self.url = url
        let contents = try? FileManager.default.contentsOfDirectory(atPath: url.path)
        wasThere = contents != nil
        guard contents?.isEmpty ?? true else {
            throw .operation(path: url.path, problem: "is not empty; specify a new folder")
        }
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw .operation(path: url.path, problem: "cannot be made: \(error.systemReason)")
        }
    }

    package func write(_ bytes: [UInt8], to path: String) throws(DatasetError) {
        let file = url.appending(path: path)
        try DatasetError.writing(file.path) {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
    }

    /// Takes everything away again, the folder too unless it was there before.
    package func discard() {
        let manager = FileManager.default
        guard wasThere else {
            try? manager.removeItem(at: url)
            return
        }
        for name in (try? manager.contentsOfDirectory(atPath: url.path)) ?? [] {
            try? manager.removeItem(at: url.appending(path: name))
        }
    }
}

/// Writer of lines of JSON to a file, which is made with the first of them.
package struct LineWriter {
    private let file: URL
    private var handle: FileHandle?
    private var buffer = Data()

    package init(_ file: URL) { self.file = file }
    package mutating func write(_ value: some Encodable) throws(DatasetError) {
        try DatasetError.writing(file.path) {
            buffer += try JSONLine.encode(value)
            if buffer.count > 1 << 20 { try flush() }
        }
    }

    package mutating func close() throws(DatasetError) {
        try DatasetError.writing(file.path) {
            if !buffer.isEmpty { try flush() }
            try handle?.close()
        }
    }

    private mutating func flush() throws {
        if handle == nil {
            try Data().write(to: file)
            handle = try FileHandle(forWritingTo: file)
        }
        try handle?.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
