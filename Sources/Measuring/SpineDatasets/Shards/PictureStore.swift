import Basics
import Foundation

/// The pictures of a dataset's folder: files, or parts of its shards.
package struct PictureStore: Sendable, Equatable {
    /// Why there are no bytes, as a fault of the label goes on after "image".
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// As the caller named it.
    private let folder: String
    /// Without links.
    private let root: String
    /// Shard's file and place in it by the path that labels have; empty for a dataset of files.
    private var parts: [String: (file: String, part: FilePart)] = [:]
    /// The archives; none for a dataset of files.
    package var shards: [ShardIndex.Shard] { index?.shards ?? [] }

    /// Nil for a dataset of files.
    let index: ShardIndex?

    /// The store of a folder, of whose shards the index alone is read.
    ///
    /// - Throws: `DatasetError.faults` when the index does not fit.
    package init(_ folder: String) throws(DatasetError) {
        self.init(folder, index: try ShardIndex.read(from: folder))
    }

    /// The store of a folder of files.
    init(files folder: String) { self.init(folder, index: nil) }

    private init(_ folder: String, index: ShardIndex?) {
        self.folder = folder
        self.index = index
        root = URL(filePath: folder).resolvingSymlinksInPath().path
        for shard in index?.shards ?? [] {
            for picture in shard.pictures { parts[picture.image] = (shard.file, picture.part) }
        }
    }

    package static func == (a: PictureStore, b: PictureStore) -> Bool { a.folder == b.folder && a.index == b.index }

    /// Where the picture is that labels call `image`, whether it is there or not.
    package func source(of image: String) -> PictureSource {
        guard let (file, part) = parts[image] else { return PictureSource(path: "\(folder)/\(image)") }
        return PictureSource(path: "\(folder)/\(file)", part: part)
    }

    /// Whether there is a picture of that name; nothing is read of it.
    func contains(_ image: String) -> Bool { parts[image] != nil || access("\(folder)/\(image)", F_OK) == 0 }

    /// The first bytes of a picture, which has to lie in the dataset's folder, links followed.
    ///
    /// `limit`: How many bytes to read at most.
    ///
    /// - Throws: `Problem` when the path leads out of the folder, or the file cannot be read.
    func bytes(of image: String, limit: Int) throws(Problem) -> [UInt8] {
        let place = parts[image]
        let path = URL(filePath: "\(root)/\(place?.file ?? image)").resolvingSymlinksInPath().path
        guard path.hasPrefix(root == "/" ? root : root + "/") else {
            throw Problem(description: "\"\(image)\" is a link out of the dataset; expected a file below its folder")
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
