import Basics
package import Foundation
import Imaging
package import SpineDatasets

/// Creation of a dataset from foreign tar archives, such as WebDataset's, without unpacking.
package enum ShardIndexing {
    /// Writes `samples.jsonl`, `shelves.jsonl` and `shards.json` beside the archives of a folder without labels.
    ///
    /// A picture and the `KEY.json` of the same key belong together; that has the fields of a line of labels, and so
    /// have `KEY.2.json` and others. `image` is the picture's name unless it is stated, and `id` its key. Nothing is left
    /// beside the archives when they or their labels are refused.
    ///
    /// Returns the dataset, and remarks on what was passed over.
    @discardableResult
    package static func index(_ folder: URL) throws(DatasetError) -> (dataset: Dataset, remarks: [String]) {
        let path = folder.path
        let present = try DatasetError.reading(path) { try FileManager.default.contentsOfDirectory(atPath: path) }
        for name in [Labels.samplesFile, Labels.shelvesFile, ShardIndex.file] where present.contains(name) {
            throw .operation(path: "\(path)/\(name)", problem: "already exists; remove it to recreate it")
        }
        let archives = try archives(among: present, in: path)
        var contents = Contents()
        var shards: [ShardIndex.Shard] = []
        for name in archives { shards.append(try shard(name, in: path, &contents)) }
        do throws(DatasetError) {
            for (name, lines) in contents.labels {
                let file = folder.appending(path: name)
                try DatasetError.writing(file.path) { try Data(lines).write(to: file, options: .atomic) }
            }
            try ShardIndex(shards: shards).write(to: folder)
            return (try DatasetLoader().load(path), contents.remarks)
        } catch {
            for name in [Labels.samplesFile, Labels.shelvesFile, ShardIndex.file] {
                try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
            }
            throw error.traced { fault in
                let places = contents.places.first { "\(path)/\($0.key)" == fault.file }?.value
                guard let places, let line = fault.line, places.indices.contains(line - 1) else { return nil }
                let place = places[line - 1]
                return DatasetFault(file: place.file, message: "\(place.message): \(fault.message)")
            }
        }
    }

    private struct Contents {
        /// Lines by the file of labels.
        var labels: [String: [UInt8]] = [:]
        /// Archive and member of each line.
        var places: [String: [DatasetFault]] = [:]
        var remarks: [String] = []
        /// First place of each picture's name, and of each id in its file of labels.
        private var first: [String: DatasetFault] = [:]

        /// Returns the first place of a name; nil when this is the first.
        mutating func place(of name: String, _ kind: String, _ place: DatasetFault) -> DatasetFault? {
            let first = first[kind + name]
            if first == nil { self.first[kind + name] = place }
            return first
        }
    }

    private static func archives(among present: [String], in folder: String) throws(DatasetError) -> [String] {
        let own = present.filter { !MacFiles.contains($0) }.sorted()
        let isPacked = { (name: String) in name.lowercased().contains(/\.(tgz|tar\.(gz|bz2|xz|zst))$/) }
        if let packed = own.first(where: isPacked) {
            let problem = "is compressed, and pictures are read at their place in an archive; unpack it to a .tar first"
            throw .operation(path: "\(folder)/\(packed)", problem: problem)
        }
        let archives = own.filter { $0.lowercased().hasSuffix(".tar") }
        guard !archives.isEmpty else { throw .operation(path: folder, problem: "has no archives (*.tar)") }
        return archives
    }

    private static func shard(
        _ name: String,
        in folder: String,
        _ contents: inout Contents
    ) throws(DatasetError) -> ShardIndex.Shard {
        let path = "\(folder)/\(name)"
        let all = try TarReader.members(of: path)
        let members = all.filter { !MacFiles.contains($0.name) }
        if let added = all.first(where: { MacFiles.contains($0.name) }) {
            let count = "\(all.count - members.count) member\(all.count - members.count == 1 ? "" : "s")"
            contents.remarks.append("\(path): \(count) that macOS added passed over, such as \"\(added.name)\"")
        }
        let digest = try DatasetError.reading(path) { try SHA256.hex(ofFile: path) }
        var shard = ShardIndex.Shard(
            file: name,
            bytes: PictureSource(path: path).size ?? 0,
            sha256: digest,
            pictures: []
        )
        var jsons: [Substring: [TarMember]] = [:]
        for member in members where ending(of: member.name) == "json" {
            jsons[key(of: member.name), default: []].append(member)
        }
        for member in members where ImageFormat.fileExtensions.contains(ending(of: member.name)) {
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
                    label = try Label(Array(bytes.withoutByteOrderMark), image: member.name, id: String(key))
                } catch {
                    throw fault("has invalid JSON labels: \(json.name), \(error)")
                }
                guard picture.ids.isEmpty || picture.image == label.image else {
                    throw fault("has two names, \"\(picture.image)\" and \"\(label.image)\"")
                }
                picture.image = label.image
                picture.ids.append(label.id)
                let place = DatasetFault(file: path, message: "byte \(json.part.offset): \"\(json.name)\"")
                if let first = contents.place(of: label.id, label.file, place) {
                    throw fault("has the id \"\(label.id)\", as has \(first); ids are unique in a dataset")
                }
                contents.labels[label.file, default: []] += label.line.bytes + [0x0A]
                contents.places[label.file, default: []].append(place)
            }
            let place = DatasetFault(file: path, message: "byte \(member.part.offset): \"\(member.name)\"")
            if let first = contents.place(of: picture.image, "", place) {
                throw fault("is the second picture of the name \"\(picture.image)\", after \(first)")
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

    private static func ending(of name: String) -> String { URL(filePath: name).pathExtension.lowercased() }

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
