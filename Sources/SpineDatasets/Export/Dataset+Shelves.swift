import Foundation

extension Dataset {
    /// The shelves in the folder, in the order of the file.
    var shelves: [Shelf] {
        let data = FileManager.default.contents(atPath: path + "/shelves.jsonl") ?? Data()
        return data.split(separator: 0x0A).compactMap { JSONLine.decode(Shelf.self, from: $0) }
    }
}
