import Basics
package import Foundation

/// Index of a dataset whose pictures are in tar archives, its `shards.json`.
package struct ShardIndex: Sendable, Equatable, Codable {
    package struct Shard: Sendable, Equatable, Codable {
        package var file: String
        package var bytes: Int
        package var sha256: String
        package var pictures: [Picture]

        package init(file: String, bytes: Int, sha256: String, pictures: [Picture]) {
            (self.file, self.bytes, self.sha256, self.pictures) = (file, bytes, sha256, pictures)
        }
    }

    package struct Picture: Sendable, Equatable, Codable {
        package var image: String
        /// Name in the archive where it is another one.
        package var member: String?
        package var offset: Int
        package var length: Int
        package var ids: [String]

        package init(image: String, member: String? = nil, offset: Int, length: Int, ids: [String]) {
            (self.image, self.member, self.offset, self.length, self.ids) = (image, member, offset, length, ids)
        }

        var part: FilePart { FilePart(offset: offset, length: length) }
    }

    package var version = 1
    package var shards: [Shard]

    package init(shards: [Shard]) { self.shards = shards }

    package static let file = "shards.json"

    /// Returns the index of a folder; nil when there is none.
    static func read(from folder: String) throws(DatasetError) -> ShardIndex? {
        let path = "\(folder)/\(file)"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let index: ShardIndex
        do {
            index = try JSONDecoder().decode(ShardIndex.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .fault("invalid index of shards: \(JSONLine.reason(of: error))", in: path)
        }
        guard index.version == 1 else { throw .fault("unsupported version \(index.version); expected 1", in: path) }
        var (files, images): (Set<String>, Set<String>) = ([], [])
        for shard in index.shards {
            guard !shard.file.isEmpty, !shard.file.contains("/"), ![".", ".."].contains(shard.file),
                files.insert(shard.file).inserted
            else { throw .fault("the shard \"\(shard.file)\" is outside the folder, or listed twice", in: path) }
            for picture in shard.pictures {
                guard images.insert(picture.image).inserted else {
                    throw .fault("duplicate image \"\(picture.image)\"", in: path)
                }
                guard picture.offset >= 0, picture.length >= 0, picture.offset <= shard.bytes,
                    picture.length <= shard.bytes - picture.offset
                else { throw .fault("image \"\(picture.image)\" is not within \(shard.file)", in: path) }
            }
        }
        return index
    }

    /// Writes `shards.json`, a picture a line.
    package func write(to folder: URL) throws(DatasetError) {
        let file = folder.appending(path: Self.file)
        try DatasetError.writing(file.path) {
            var text = "{\"version\":\(version),\"shards\":["
            for (number, shard) in shards.enumerated() {
                var bare = shard
                bare.pictures = []
                let head = String(decoding: try JSONLine.encode(bare).dropLast(), as: UTF8.self)
                let lines = try shard.pictures.map {
                    String(decoding: try JSONLine.encode($0).dropLast(), as: UTF8.self)
                }
                text += (number == 0 ? "\n" : ",\n")
                text += head.replacing("\"pictures\":[]", with: "\"pictures\":[\n\(lines.joined(separator: ",\n"))]")
            }
            try Data((text + "\n]}\n").utf8).write(to: file, options: .atomic)
        }
    }

    /// Returns the faults of the archives in `folder`, each read whole: damage, and differences from the index.
    func faults(in folder: String) -> FaultList {
        var list = FaultList()
        let found = Parallel.map(shards.count) { number -> DatasetError? in
            let shard = shards[number]
            let path = "\(folder)/\(shard.file)"
            do throws(DatasetError) {
                let members = try TarReader.members(of: path)
                let parts = Dictionary(members.map { ($0.name, $0.part) }, uniquingKeysWith: { first, _ in first })
                for picture in shard.pictures where parts[picture.member ?? picture.image] != picture.part {
                    let place = "byte \(picture.offset): \"\(picture.member ?? picture.image)\""
                    return .fault("\(place) is missing, but \(Self.file) lists it", in: path)
                }
                let digest = try DatasetError.reading(path) { try SHA256.hex(ofFile: path) }
                guard digest != shard.sha256 else { return nil }
                return .fault(
                    "SHA-256 is \(digest), \(Self.file) states \(shard.sha256): the archive was changed",
                    in: path
                )
            } catch {
                return error
            }
        }
        for error in found.compactMap(\.self) { list.add(error) }
        return list
    }
}
