import Basics
import Foundation

/// Index of a dataset whose pictures are in tar archives, its `shards.json`.
package struct ArchiveIndex: Sendable, Equatable, Codable {
    package struct Archive: Sendable, Equatable, Codable {
        package var file: String
        package var bytes: Int
        package var sha256: String
        package var pictures: [Picture]
    }

    package struct Picture: Sendable, Equatable, Codable {
        package var image: String
        package var offset: Int
        package var length: Int
        package var ids: [String]

        var part: FilePart { FilePart(offset: offset, length: length) }
    }

    package var version = 1
    package var archives: [Archive]

    private enum CodingKeys: String, CodingKey {
        case version
        case archives = "shards"
    }

    /// Name of the file, whose `shards` are WebDataset's word for archives.
    package static let file = "shards.json"

    /// Returns the index of a folder; nil when there is none.
    static func read(from folder: String) throws(DatasetError) -> ArchiveIndex? {
        let path = "\(folder)/\(file)"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let index: ArchiveIndex
        do {
            index = try JSONDecoder().decode(ArchiveIndex.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .fault("invalid index of archives: \(error.systemReason)", in: path)
        }
        guard index.version == 1 else { throw .fault("unsupported version \(index.version); expected 1", in: path) }
        var (files, images): (Set<String>, Set<String>) = ([], [])
        for archive in index.archives {
            guard !archive.file.isEmpty, !archive.file.contains("/"), ![".", ".."].contains(archive.file),
                files.insert(archive.file).inserted
            else { throw .fault("the archive \"\(archive.file)\" is outside the folder, or listed twice", in: path) }
            for picture in archive.pictures {
                guard images.insert(picture.image).inserted else {
                    throw .fault("duplicate image \"\(picture.image)\"", in: path)
                }
                guard picture.offset >= 0, picture.length >= 0, picture.offset <= archive.bytes,
                    picture.length <= archive.bytes - picture.offset
                else { throw .fault("image \"\(picture.image)\" is not within \(archive.file)", in: path) }
            }
        }
        return index
    }

    /// Returns the faults of the archives in `folder`, each read whole: those that differ from the index.
    func faults(in folder: String) -> [Fault] {
        concurrentMap(archives.count) { number -> [Fault] in
            let archive = archives[number]
            let path = "\(folder)/\(archive.file)"
            do throws(DatasetError) {
                let digest = try DatasetError.reading(path) { try SHA256.hex(ofFile: path) }
                if digest == archive.sha256 { return [] }
                let stated = "\(Self.file) states \(archive.sha256)"
                return [
                    Fault(file: path, message: "SHA-256 is \(digest), \(stated): the archive was changed or cut off")
                ]
            } catch {
                return error.faults
            }
        }.flatMap(\.self)
    }
}
