import Basics
import Composition
import Foundation
import Harness
import Imaging
import SpineDatasets

/// A photograph of a shelf with the outlines of its labelled books.
struct ShelfPicture: Sendable, Equatable {
    var path: String
    var scene: String
    var books: [Quad]
    /// Whether every book is labelled.
    var isComplete: Bool
}

/// A folder of pictures that frames are made from.
struct PictureFolder: Sendable {
    let name: String
    private(set) var spines: [LiveRequest.Spine] = []
    private(set) var shelves: [ShelfPicture] = []
    /// Pictures without a spine.
    private(set) var empty: [String] = []
    /// SHA-256 of the names and contents of the pictures, in the order of their names.
    let digest: String

    var count: Int { spines.count + shelves.count + empty.count }

    enum Content: Sendable {
        case spines
        /// Photos of shelves, with all or only some books labelled.
        case shelves(areComplete: Bool)
        case empty
    }

    private struct ShelfLabel: Decodable {
        struct Book: Decodable {
            var quad: Quad?
            /// Left, top, width and height.
            var bbox: [Double]?
            var crop: String?
        }

        var image: String
        var books: [Book]
    }

    /// Reads a folder with `samples.jsonl`, `shelves.jsonl` or `shelf.json`, or with pictures alone.
    init(_ path: String, _ content: Content) throws {
        name = URL(filePath: path).standardizedFileURL.lastPathComponent
        let files: [String]
        switch content {
        case .spines:
            let labels = try SpineLabel.read(path)
            spines = try SpineLabel.spines(labels, in: path)
            files = labels.filter(\.isLegible).map(\.image)
        case .shelves(let areComplete):
            let labels = (try? SpineLabel.read(path)) ?? []
            let groups = labels.reduce(into: [String: String]()) { groups, label in
                groups[label.image] = label.group
                if let id = label.id { groups[id] = label.group }
            }
            let shelves: [ShelfLabel] = try checks.shelves(in: path)
            self.shelves = shelves.map { [name] shelf in
                let group = shelf.books.lazy.compactMap { $0.crop.flatMap { groups[$0] } }.first
                return ShelfPicture(
                    path: "\(path)/\(shelf.image)",
                    // The photograph that spines of the folder were cut from, too.
                    scene: "\(name)/\(group ?? shelf.image)",
                    books: shelf.books.compactMap { $0.quad ?? $0.bbox.flatMap(Self.quad) },
                    isComplete: areComplete
                )
            }
            files = shelves.map(\.image)
        case .empty:
            files = try FileManager.default.contentsOfDirectory(atPath: path).filter { name in
                ImageFormat.fileExtensions.contains(URL(filePath: name).pathExtension.lowercased())
            }.sorted()
            empty = files.map { "\(path)/\($0)" }
        }
        digest = try Self.digest(of: files, in: path)
    }

    private static func digest(of files: [String], in folder: String) throws -> String {
        let store = try PictureStore(folder)
        let listing = try files.sorted().map { name in
            let source = store.source(of: name)
            let digest = source.part.map { _ in SHA256.hex(of: source.contents() ?? []) }
            return "\(try digest ?? SHA256.hex(ofFile: source.path))  \(name)\n"
        }
        return "sha256:" + SHA256.hex(of: Array(listing.joined().utf8))
    }

    private static func quad(_ box: [Double]) -> Quad? {
        guard box.count == 4 else { return nil }
        return Quad(x: box[0], y: box[1], width: box[2], height: box[3])
    }
}

/// Reads the labels of a folder with `shelf.json` or `shelves.jsonl`.
func shelves<Shelf: Decodable>(in folder: String) throws -> [Shelf] {
    if let shelf = FileManager.default.contents(atPath: "\(folder)/shelf.json") {
        return [try JSONDecoder().decode(Shelf.self, from: shelf)]
    }
    return try jsonLines("\(folder)/shelves.jsonl")
}
