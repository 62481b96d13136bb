import Basics
package import Foundation

/// A folder in which a dataset is made.
///
/// Until it is finished, its `dataset.json` marks it as unfinished.
package struct DatasetOutput {
    package let folder: OutputFolder
    private let manifest: DatasetManifest
    private var lines: [String: Data] = [:]

    package init(_ folder: URL, as manifest: DatasetManifest) throws(DatasetError) {
        self.folder = try OutputFolder(folder)
        self.manifest = manifest
        var unfinished = manifest
        unfinished.unfinished = "writing was interrupted; delete it and write it again"
        try DatasetSeal.write(unfinished, to: folder.appending(path: "dataset.json"))
    }

    package mutating func add(_ line: JSONObjectText, to file: String) {
        lines[file, default: Data()] += line.bytes + [UInt8(ascii: "\n")]
    }

    package func write(_ bytes: [UInt8], to file: String) throws(DatasetError) { try folder.write(bytes, to: file) }

    /// Puts a dataset's picture into the folder: as a hard link where the file system has them, else as a copy.
    package func place(_ picture: String, of store: PictureStore, as image: String) throws(DatasetError) {
        let source = store.source(of: picture)
        let target = folder.url.appending(path: image)
        let files = FileManager.default
        if files.fileExists(atPath: target.path) { return }
        if source.part != nil {
            return try folder.write(store.contents(of: picture), to: image)
        }
        // A link's target, not the link: that may be a relative one.
        let file = URL(filePath: source.path).resolvingSymlinksInPath()
        try DatasetError.writing(target.path) {
            try files.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            do { try files.linkItem(at: file, to: target) } catch { try files.copyItem(at: file, to: target) }
        }
    }

    /// Writes the labels, and completes the dataset as ``DatasetSeal/seal(_:as:finish:)`` does.
    package func finish(
        complete: (inout Dataset) throws(DatasetError) -> Void = { _ in }
    ) throws(DatasetError) -> Dataset {
        for (name, data) in lines { try folder.write(Array(data), to: name) }
        return try DatasetSeal.seal(folder.url, as: manifest, finish: complete)
    }

    /// Returns the unchanged lines of a dataset's label file; none without the file.
    package static func lines(of name: String, in folder: String) throws(DatasetError) -> [JSONObjectText] {
        let path = "\(folder)/\(name)"
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let lines = try DatasetError.reading(path) { try LineFile.lines(of: path) }
        return lines.map { JSONObjectText(Array($0.bytes)) }
    }
}
