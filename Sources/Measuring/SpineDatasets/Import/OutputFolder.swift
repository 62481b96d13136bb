import Basics
import Foundation

/// A folder that is written from nothing.
struct OutputFolder {
    let url: URL
    private let wasThere: Bool

    /// Makes the folder.
    ///
    /// - Throws: `DatasetError.operation` when it holds anything, or cannot be made.
    init(_ url: URL) throws(DatasetError) {
        self.url = url
        let contents = try? FileManager.default.contentsOfDirectory(atPath: url.path)
        wasThere = contents != nil
        guard contents?.isEmpty ?? true else {
            throw .operation(path: url.path, problem: "is not empty; name a new folder, lest something be lost")
        }
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw .operation(path: url.path, problem: "cannot be made: \(error.systemReason)")
        }
    }

    /// Writes a file, and the folders on the way to it.
    func write(_ bytes: [UInt8], to path: String) throws(DatasetError) {
        let file = url.appending(path: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(bytes).write(to: file)
        } catch {
            throw .operation(path: file.path, problem: "cannot be written: \(error.systemReason)")
        }
    }

    /// Takes everything away again, the folder too unless it was there before.
    func discard() {
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

/// Writes lines of JSON to a file, which is made with the first of them.
struct LineWriter {
    private let file: URL
    private var handle: FileHandle?
    private var buffer = Data()

    init(_ file: URL) { self.file = file }

    mutating func write(_ value: some Encodable) throws(DatasetError) {
        do {
            buffer += try JSONLine.encode(value)
            if buffer.count > 1 << 20 { try flush() }
        } catch {
            throw .operation(path: file.path, problem: "cannot be written: \(error.systemReason)")
        }
    }

    /// Writes what is left; without any line there is no file.
    mutating func close() throws(DatasetError) {
        do {
            if !buffer.isEmpty { try flush() }
            try handle?.close()
        } catch {
            throw .operation(path: file.path, problem: "cannot be written: \(error.systemReason)")
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
