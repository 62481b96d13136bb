import Basics
import Foundation
import Imaging

/// The pictures of a dataset: files of its folder, parts of its shards, or either in a store of objects.
package struct PictureStore: Sendable, Equatable {
    /// Reason for missing bytes, as the continuation of a label's fault after "image".
    struct Problem: Error, CustomStringConvertible {
        var description: String
        /// Whether trying again later may help.
        var mayPass = false
    }

    private struct Known: Sendable {
        var digest: String
        var size: Int
    }

    /// Folder as the caller named it.
    private let folder: String
    /// Root path without links.
    private let root: String
    /// Objects of the store; nil for files of this machine.
    let objects: ObjectFolder?
    /// Shard and the picture's place in it by the path that labels have; empty for a dataset of files.
    private var parts: [String: (shard: Int, part: FilePart)] = [:]
    /// Known pictures by the labels' path; only for those of a store, which others may change.
    private var known: [String: Known] = [:]
    package var shards: [ShardIndex.Shard] { index?.shards ?? [] }

    /// Index of the archives; nil for a dataset of files.
    let index: ShardIndex?

    /// Creates the store of a folder, or of a dataset's address; only the index of its shards is read.
    package init(_ folder: String) throws(DatasetError) {
        let objects = ObjectFolder.isAddress(folder) ? try ObjectFolder.open(folder) : nil
        self.init(folder, objects, index: try ShardIndex.read(from: objects?.labels ?? folder))
    }

    init(files folder: String) { self.init(folder, nil, index: nil) }

    init(_ objects: ObjectFolder) throws(DatasetError) {
        self.init(objects.name, objects, index: try ShardIndex.read(from: objects.labels))
    }

    private init(_ folder: String, _ objects: ObjectFolder?, index: ShardIndex?) {
        (self.folder, self.objects, self.index) = (folder, objects, index)
        root = URL(filePath: folder).resolvingSymlinksInPath().path
        for (number, shard) in (index?.shards ?? []).enumerated() {
            for picture in shard.pictures { parts[picture.image] = (number, picture.part) }
        }
    }

    package static func == (a: PictureStore, b: PictureStore) -> Bool { a.folder == b.folder && a.index == b.index }

    /// Folder of this machine with the labels and manifests.
    package var labels: String { objects?.labels ?? folder }

    /// Whether pictures are fetched: their sources cannot be opened.
    package var isRemote: Bool { objects != nil }

    /// Number of pictures read at a time; nil for the number of cores.
    package var lanes: Int? { objects == nil ? nil : 8 }

    /// Records the pictures' checks: a store then only returns these.
    mutating func expect(_ checks: [String: PictureCheck]) {
        guard objects != nil else { return }
        known = checks.compactMapValues { check in check.digest.map { Known(digest: $0, size: check.byteCount) } }
    }

    /// Returns the source of the picture that labels call `image`, whether it exists or not.
    package func source(of image: String) -> PictureSource {
        let file = parts[image].map { shards[$0.shard].file } ?? image
        return PictureSource(path: objects?.path(of: file) ?? "\(folder)/\(file)", part: parts[image]?.part)
    }

    package func size(of image: String) -> Int? {
        objects == nil ? source(of: image).size : parts[image]?.part.length ?? known[image]?.size
    }

    /// Returns whether a picture of that name exists, without reading it.
    func contains(_ image: String) -> Bool {
        if parts[image] != nil { return true }
        return objects == nil ? access("\(folder)/\(image)", F_OK) == 0 : index == nil
    }

    package func abandon() { objects?.abandon() }

    package func contents(of image: String) throws(DatasetError) -> [UInt8] {
        guard objects != nil else {
            let source = source(of: image)
            guard let bytes = source.contents() else { throw .operation(path: source.path, problem: "cannot be read") }
            return bytes
        }
        do throws(Problem) {
            return try bytes(of: image, limit: DecodingOptions().maximumBytes)
        } catch {
            throw error.mayPass
                ? .outage("image \(error)") : .operation(path: folder, problem: "image \(error)")
        }
    }

    /// Returns the first `limit` bytes of a picture, which must be in the dataset's folder after following links.
    func bytes(of image: String, limit: Int) throws(Problem) -> [UInt8] {
        let place = parts[image].map { (file: shards[$0.shard].file, part: $0.part, shard: shards[$0.shard]) }
        if let objects {
            let bytes: [UInt8]
            do {
                let part = place.map { ($0.part, fileSize: $0.shard.bytes) }
                bytes = try objects.bytes(of: place?.file ?? image, part, limit: limit)
            } catch {
                throw Problem(description: "\"\(image)\" cannot be read: \(error)", mayPass: error.mayPass)
            }
            guard let known = known[image], SHA256.hex(of: bytes) != known.digest else { return bytes }
            let path = source(of: image).path
            throw Problem(description: "\"\(image)\" has changed since it was checked: \(path) was replaced")
        }
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
