import Basics
import Foundation
import Imaging

/// The pictures of a dataset: files of its folder, or parts of its archives.
package struct PictureStore: Sendable, Equatable {
    /// Reason for missing bytes, as the continuation of a label's fault after "image".
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// Folder as the caller named it.
    private let folder: String
    /// Root path without links.
    private let root: String
    /// Archive and the picture's place in it by the path that labels have; empty for a dataset of files.
    private var parts: [String: (archive: Int, part: FilePart)] = [:]
    package var archives: [ArchiveIndex.Archive] { index?.archives ?? [] }

    /// Index of the archives; nil for a dataset of files.
    let index: ArchiveIndex?

    /// Creates the store of a folder; only the index of its archives is read.
    package init(_ folder: String) throws(DatasetError) {
        self.init(folder, index: try ArchiveIndex.read(from: folder))
    }

    init(files folder: String) { self.init(folder, index: nil) }

    private init(_ folder: String, index: ArchiveIndex?) {
        (self.folder, self.index) = (folder, index)
        root = URL(filePath: folder).resolvingSymlinksInPath().path
        for (number, archive) in archives.enumerated() {
            for picture in archive.pictures { parts[picture.image] = (number, picture.part) }
        }
    }

    package static func == (a: PictureStore, b: PictureStore) -> Bool { a.folder == b.folder && a.index == b.index }

    /// Returns the source of the picture that labels call `image`, whether it exists or not.
    package func source(of image: String) -> PictureSource {
        let file = parts[image].map { archives[$0.archive].file } ?? image
        return PictureSource(path: "\(folder)/\(file)", part: parts[image]?.part)
    }

    package func size(of image: String) -> Int? { source(of: image).size }

    /// Returns whether a picture of that name exists, without reading it.
    func contains(_ image: String) -> Bool { parts[image] != nil || access("\(folder)/\(image)", F_OK) == 0 }

    package func contents(of image: String) throws(DatasetError) -> [UInt8] {
        let source = source(of: image)
        guard let bytes = source.contents() else { throw .operation(path: source.path, problem: "cannot be read") }
        return bytes
    }

    /// Returns the first `limit` bytes of a picture, which must be in the dataset's folder after following links.
    func bytes(of image: String, limit: Int) throws(Problem) -> [UInt8] {
        let place = parts[image].map { (file: archives[$0.archive].file, part: $0.part) }
        let path = URL(filePath: "\(root)/\(place?.file ?? image)").resolvingSymlinksInPath().path
        guard path.hasPrefix(root == "/" ? root : root + "/") else {
            throw Problem(description: "\"\(image)\" links outside the dataset; expected a file below its folder")
        }
        do {
            let file = try RandomAccessFile(path)
            var part = place?.part ?? FilePart(offset: 0, length: file.size)
            part.length = min(part.length, limit)
            return try file.bytes(of: part)
        } catch {
            let reason = error.code == .ENODEV || error.code == .ENOENT ? "" : ": \(error.systemReason)"
            throw Problem(description: "\"\(image)\" cannot be read\(reason)")
        }
    }
}
