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
    /// Sources of pictures in archives, relative to the folder, by the path that labels have.
    private var parts: [String: PictureSource] = [:]
    package var archives: [ArchiveIndex.Archive] { index?.archives ?? [] }

    /// Index of the archives; nil for a dataset of files.
    let index: ArchiveIndex?

    /// Creates the store of a folder; only the index of its archives is read.
    package init(_ folder: String) throws(DatasetError) {
        self.init(folder, index: try ArchiveIndex.read(from: folder))
    }

    init(_ folder: String, index: ArchiveIndex?) {
        (self.folder, self.index) = (folder, index)
        root = URL(filePath: folder).resolvingSymlinksInPath().path
        for archive in archives {
            for picture in archive.pictures {
                parts[picture.image] = PictureSource(path: archive.file, part: picture.part)
            }
        }
    }

    /// Returns the source of the picture that labels call `image`, whether it exists or not, below a folder.
    private func source(of image: String, below folder: String) -> PictureSource {
        var source = parts[image] ?? PictureSource(path: image)
        source.path = "\(folder)/\(source.path)"
        return source
    }

    /// Returns the source of the picture that labels call `image`, whether it exists or not.
    package func source(of image: String) -> PictureSource { source(of: image, below: folder) }

    /// Returns whether a picture of that name exists, without reading it.
    func contains(_ image: String) -> Bool { parts[image] != nil || access("\(folder)/\(image)", F_OK) == 0 }

    package func contents(of image: String) throws(DatasetError) -> [UInt8] {
        let source = source(of: image)
        guard let bytes = source.contents() else { throw .operation(path: source.path, problem: "cannot be read") }
        return bytes
    }

    /// Returns the first `limit` bytes of a picture, which must be in the dataset's folder after following links.
    func bytes(of image: String, limit: Int) throws(Problem) -> [UInt8] {
        var source = source(of: image, below: root)
        source.path = URL(filePath: source.path).resolvingSymlinksInPath().path
        guard source.path.hasPrefix(root == "/" ? root : root + "/") else {
            throw Problem(description: "\"\(image)\" links outside the dataset; expected a file below its folder")
        }
        do {
            return try source.bytes(limit: limit)
        } catch {
            let isKnown = [ENODEV, ENOENT].contains(error.systemErrorNumber ?? 0)
            throw Problem(description: "\"\(image)\" cannot be read\(isKnown ? "" : ": \(error.systemReason)")")
        }
    }
}
