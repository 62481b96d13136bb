import Basics
package import Foundation
import Imaging

/// Creation of a dataset from foreign tar archives, such as WebDataset's, without unpacking.
package enum ShardIndexing {
    /// Writes `samples.jsonl`, `shelves.jsonl` and `shards.json` beside the archives of a folder without labels.
    ///
    /// A picture and the `KEY.json` of the same key belong together; that has the fields of a line of labels, and so
    /// have `KEY.2.json` and others. `image` is the picture's name unless it is stated, and `id` its key.
    package static func index(_ folder: URL) throws(DatasetError) {
        let path = folder.path
        let present = try DatasetError.reading(path) { try FileManager.default.contentsOfDirectory(atPath: path) }
        for name in [Labels.samplesFile, Labels.shelvesFile, ShardIndex.file] where present.contains(name) {
            throw .operation(path: "\(path)/\(name)", problem: "already exists; remove it to recreate it")
        }
        let archives = present.filter { $0.hasSuffix(".tar") }.sorted()
        guard !archives.isEmpty else { throw .operation(path: path, problem: "has no archives (*.tar)") }
        var labels: [String: [UInt8]] = [:]
        var shards: [ShardIndex.Shard] = []
        for name in archives { shards.append(try shard(name, in: path, &labels)) }
        for (name, lines) in labels {
            let file = folder.appending(path: name)
            try DatasetError.writing(file.path) { try Data(lines).write(to: file, options: .atomic) }
        }
        try ShardIndex(shards: shards).write(to: folder)
    }

    private static func shard(
        _ name: String,
        in folder: String,
        _ labels: inout [String: [UInt8]]
    ) throws(DatasetError) -> ShardIndex.Shard {
        let path = "\(folder)/\(name)"
        let members = try TarReader.members(of: path)
        var shard = ShardIndex.Shard(file: name, bytes: 0, sha256: "", pictures: [])
        try DatasetError.reading(path) {
            shard.bytes = try RandomAccessFile(path).size
            shard.sha256 = try SHA256.hex(ofFile: path)
        }
        var jsons: [Substring: [TarMember]] = [:]
        for member in members where ending(of: member.name) == "json" {
            jsons[key(of: member.name), default: []].append(member)
        }
        for member in members where ImageFormat.fileExtensions.contains(ending(of: member.name).lowercased()) {
            let key = key(of: member.name)
            func fault(_ problem: String) -> DatasetError {
                .fault("byte \(member.part.offset): \"\(member.name)\" \(problem)", in: path)
            }
            guard let own = jsons.removeValue(forKey: key) else { throw fault("has no \(key).json of its own") }
            var picture = ShardIndex.Picture(
                image: member.name,
                offset: member.part.offset,
                length: member.part.length,
                ids: []
            )
            for json in own {
                let source = PictureSource(path: path, part: json.part)
                guard json.part.length <= LineFile.maximumLine, let bytes = source.contents() else {
                    throw fault("has unreadable or too long labels: \(json.name)")
                }
                let label: Label
                do throws(JSONFault) {
                    label = try Label(bytes, image: member.name, id: String(key))
                } catch {
                    throw fault("has invalid JSON labels: \(json.name), \(error)")
                }
                guard picture.ids.isEmpty || picture.image == label.image else {
                    throw fault("has two names, \"\(picture.image)\" and \"\(label.image)\"")
                }
                picture.image = label.image
                picture.ids.append(label.id)
                labels[label.file, default: []] += label.line.bytes + [0x0A]
            }
            if picture.image != member.name { picture.member = member.name }
            shard.pictures.append(picture)
        }
        if let left = jsons.values.joined().min(by: { $0.part.offset < $1.part.offset }) {
            throw .fault("byte \(left.part.offset): \"\(left.name)\" has no picture of the same name", in: path)
        }
        return shard
    }

    /// Returns a member's name up to the first dot of its file's name.
    private static func key(of name: String) -> Substring {
        let start = name.lastIndex(of: "/") ?? name.startIndex
        return name[..<(name[start...].firstIndex(of: ".") ?? name.endIndex)]
    }

    private static func ending(of name: String) -> String { URL(filePath: name).pathExtension }

    /// Line of labels, made of a JSON object.
    private struct Label {
        var line: JSONObjectText
        var image: String
        var id: String
        var file: String

        /// `image`, `id`: Unless it states them.
        init(_ bytes: [UInt8], image: String, id: String) throws(JSONFault) {
            // A line with another value is refused when the labels are read.
            let value = try JSONParser.parse(bytes)
            let members = if case .object(let members) = value { members } else { [String: JSONValue]() }
            file = members["books"] == nil ? Labels.samplesFile : Labels.shelvesFile
            // Line ends between values, the only place where JSON allows them, are spaces.
            line = JSONObjectText(bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
            (self.image, self.id) = (image, id)
            var missing: [String: String] = [:]
            if case .string(let stated)? = members["image"] { self.image = stated } else { missing["image"] = image }
            if case .string(let stated)? = members["id"] {
                self.id = stated
            } else if file == Labels.samplesFile {
                missing["id"] = id
            } else {
                // A shelf is named by its picture.
                self.id = self.image
            }
            try line.set(missing)
        }
    }
}
