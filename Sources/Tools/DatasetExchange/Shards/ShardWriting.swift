import Basics
package import Foundation
package import SpineDatasets

/// Maximum size of a shard; a photo's pictures stay together, however many they are.
package enum ShardLimit: Sendable, Equatable {
    case pictures(Int)
    case bytes(Int)
}

/// Copies a dataset into shards: tar archives as WebDataset has them, with an index.
package enum ShardWriting {
    /// A picture, and all that is labelled on it.
    fileprivate struct Entry {
        var image: String
        var ids: [String] = []
        var labels: [[UInt8]] = []
    }

    /// Writes the dataset at `path` into a new `folder`, labels and digest as they are.
    ///
    /// A shard has `KEY.jpg` and `KEY.json` for every picture (and `KEY.2.json` where it has two labels), in the order
    /// of the labels, which are beside the shards as well. The same dataset gives the same bytes.
    package static func write(_ path: String, into folder: URL, limit: ShardLimit) throws(DatasetError) -> Dataset {
        let dataset = try DatasetLoader().load(path)
        let output = try OutputFolder(folder)
        var unfinished = dataset.manifest
        unfinished.unfinished = "writing was interrupted; delete it and write it again"
        try DatasetSeal.write(unfinished, to: folder.appending(path: "dataset.json"))
        let units = try units(of: dataset)
        let name = dataset.manifest.name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
        var writing = ShardFiles(folder: folder, name: String(name), store: dataset.store, limit: limit)
        for unit in units { try writing.add(unit) }
        try ShardIndex(shards: writing.finish()).write(to: folder)
        for name in [Labels.samplesFile, Labels.shelvesFile, "CARD.md"] {
            if let data = FileManager.default.contents(atPath: "\(dataset.path)/\(name)") {
                try output.write([UInt8](data), to: name)
            }
        }
        return try DatasetSeal.seal(folder, as: dataset.manifest)
    }

    /// Returns indivisible units of pictures, each in the order of the labels: those of a group.
    private static func units(of dataset: Dataset) throws(DatasetError) -> [[Entry]] {
        var entries: [Entry] = []
        var numbers: [String: Int] = [:]
        var units: [[Int]] = []
        var unitOf: [Int] = []
        var unitOfGroup: [String: Int] = [:]
        func add(_ image: String, _ id: String, _ group: String?, _ line: JSONObjectText) {
            let number = numbers[image] ?? entries.count
            if number == entries.count {
                numbers[image] = number
                entries.append(Entry(image: image))
                unitOf.append(units.count)
                units.append([number])
            }
            entries[number].ids.append(id)
            entries[number].labels.append(line.bytes)
            guard let group, let unit = unitOfGroup.updateValue(unitOf[number], forKey: group) else { return }
            // The earlier unit takes the other one in.
            let (kept, left) = (min(unit, unitOf[number]), max(unit, unitOf[number]))
            guard kept != left else { return }
            for member in units[left] { unitOf[member] = kept }
            (units[kept], units[left]) = (units[kept] + units[left], [])
            for (name, other) in unitOfGroup where other == left { unitOfGroup[name] = kept }
        }
        let lines = try DatasetOutput.lines(of: Labels.samplesFile, in: dataset.path)
        for (sample, line) in zip(dataset.samples, lines) { add(sample.image, sample.id, sample.group, line) }
        let shelves = try DatasetOutput.lines(of: Labels.shelvesFile, in: dataset.path)
        for (shelf, line) in zip(dataset.shelves, shelves) { add(shelf.image, shelf.id, nil, line) }
        return units.filter { !$0.isEmpty }.map { unit in unit.sorted().map { entries[$0] } }
    }
}

private struct ShardFiles {
    let folder: URL
    let name: String
    let store: PictureStore
    let limit: ShardLimit

    private var writer: TarWriter?
    private var shards: [ShardIndex.Shard] = []
    private var keys: Set<String> = []

    init(folder: URL, name: String, store: PictureStore, limit: ShardLimit) {
        (self.folder, self.name, self.store, self.limit) = (folder, name, store, limit)
    }

    /// Adds pictures that stay together, to a new shard when there is no room for all of them in this one.
    mutating func add(_ unit: [ShardWriting.Entry]) throws(DatasetError) {
        var pictures: [Members] = []
        for entry in unit { pictures.append(members(of: entry)) }
        if writer != nil, isFull(with: pictures) { try close() }
        for (entry, members) in zip(unit, pictures) {
            let bytes = try store.contents(of: entry.image)
            let file = "\(name)-\(String(format: "%06d", shards.count - (writer == nil ? 0 : 1))).tar"
            let path = folder.appending(path: file).path
            try DatasetError.writing(path) {
                if writer == nil {
                    writer = try TarWriter(path)
                    shards.append(ShardIndex.Shard(file: file, bytes: 0, sha256: "", pictures: []))
                }
                guard let part = try writer?.add(members.picture, bytes) else { return }
                for (name, label) in zip(members.labels, entry.labels) { _ = try writer?.add(name, label) }
                shards[shards.count - 1].pictures.append(
                    ShardIndex.Picture(
                        image: entry.image,
                        member: members.picture == entry.image ? nil : members.picture,
                        offset: part.offset,
                        length: part.length,
                        ids: entry.ids
                    )
                )
            }
        }
    }

    mutating func finish() throws(DatasetError) -> [ShardIndex.Shard] {
        if writer != nil { try close() }
        return shards
    }

    private func isFull(with pictures: [Members]) -> Bool {
        switch limit {
        case .pictures(let most): (shards.last?.pictures.count ?? 0) + pictures.count > most
        case .bytes(let most):
            (writer?.size ?? 0) + pictures.reduce(0) { $0 + $1.room } + 2 * TarReader.block > most
        }
    }

    private mutating func close() throws(DatasetError) {
        let last = shards.count - 1
        try DatasetError.writing(folder.appending(path: shards[last].file).path) { try writer?.finish() }
        shards[last].bytes = writer?.size ?? 0
        shards[last].sha256 = writer?.digest.hex() ?? ""
        writer = nil
    }

    /// Names in the archive of a picture and its labels, and the room that they take there.
    private struct Members {
        var picture: String
        var labels: [String] = []
        var room: Int
    }

    /// Members whose key, which WebDataset ends at the first dot of a file's name, is unique in the dataset.
    private mutating func members(of entry: ShardWriting.Entry) -> Members {
        let image = entry.image
        let start = image.lastIndex(of: "/").map { image.index(after: $0) } ?? image.startIndex
        let dot = image[start...].lastIndex(of: ".") ?? image.endIndex
        let stem = image[start..<dot].isEmpty ? "_" : image[start..<dot].replacing(".", with: "_")
        var (key, number) = ("\(image[..<start])\(stem)", 1)
        while !keys.insert(key).inserted {
            number += 1
            key = "\(image[..<start])\(stem)-\(number)"
        }
        let name = key + (dot == image.endIndex ? ".jpg" : String(image[dot...]))
        var members = Members(picture: name, room: TarWriter.room(name, size: store.size(of: image) ?? 0))
        for (index, label) in entry.labels.enumerated() {
            let name = index == 0 ? "\(key).json" : "\(key).\(index + 1).json"
            members.labels.append(name)
            members.room += TarWriter.room(name, size: label.count)
        }
        return members
    }
}
