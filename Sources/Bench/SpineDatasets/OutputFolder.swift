import Basics
package import Foundation

/// A folder that is written from nothing.
package struct OutputFolder {
    package let url: URL
    private let wasThere: Bool

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
