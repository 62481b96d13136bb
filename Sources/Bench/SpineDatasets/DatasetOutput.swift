import Basics
package import Foundation

/// A folder in which a dataset is made from nothing.
///
/// Until it is finished, its `dataset.json` marks it as unfinished.
package struct DatasetOutput {
    package let folder: URL
    private let wasThere: Bool
    private let manifest: DatasetManifest
    private var lines: [String: Data] = [:]

    package init(_ folder: URL, as manifest: DatasetManifest) throws(DatasetError) {
        (self.folder, self.manifest) = (folder, manifest)
        let contents = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        wasThere = contents != nil
        guard contents?.isEmpty ?? true else {
            throw .operation(path: folder.path, problem: "is not empty; specify a new folder")
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw .operation(path: folder.path, problem: "cannot be made: \(error.systemReason)")
        }
        var unfinished = manifest
        unfinished.unfinished = "writing was interrupted; delete it and write it again"
        try DatasetSeal.write(unfinished, to: folder.appending(path: "dataset.json"))
    }

    package mutating func add(_ line: JSONObjectText, to file: String) {
        lines[file, default: Data()] += line.bytes + [UInt8(ascii: "\n")]
    }

    package func write(_ bytes: [UInt8], to path: String) throws(DatasetError) {
        try put(path) { try Data(bytes).write(to: $0) }
    }

    /// Puts a dataset's picture into the folder: as a hard link where the file system has them, else as a copy.
    package func place(_ picture: String, of store: PictureStore, as image: String) throws(DatasetError) {
        let source = store.source(of: picture)
        if FileManager.default.fileExists(atPath: folder.appending(path: image).path) { return }
        if source.part != nil { return try write(store.contents(of: picture), to: image) }
        // A link's target, not the link: that may be a relative one.
        let file = URL(filePath: source.path).resolvingSymlinksInPath()
        try put(image) { target in
            let files = FileManager.default
            do { try files.linkItem(at: file, to: target) } catch { try files.copyItem(at: file, to: target) }
        }
    }

    private func put(_ path: String, _ write: (URL) throws -> Void) throws(DatasetError) {
        let file = folder.appending(path: path)
        try DatasetError.writing(file.path) {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try write(file)
        }
    }

    /// Writes the labels, and completes the dataset as ``DatasetSeal/seal(_:as:finish:)`` does.
    package func finish(
        complete: (inout Dataset) throws(DatasetError) -> Void = { _ in }
    ) throws(DatasetError) -> Dataset {
        for (name, data) in lines { try write(Array(data), to: name) }
        return try DatasetSeal.seal(folder, as: manifest, finish: complete)
    }

    /// Takes everything away again, the folder too unless it was there before.
    package func discard() {
        let files = FileManager.default
        let parts = wasThere ? try? files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) : [folder]
        for part in parts ?? [] { try? files.removeItem(at: part) }
    }

    /// Returns the unchanged lines of a dataset's label file; none without the file.
    package static func lines(of name: String, in folder: String) throws(DatasetError) -> [JSONObjectText] {
        let path = "\(folder)/\(name)"
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let lines = try DatasetError.reading(path) { try LineFile.lines(of: path) }
        return lines.map { JSONObjectText(Array($0.bytes)) }
    }
}
