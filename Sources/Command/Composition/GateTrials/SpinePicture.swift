import Basics
import Foundation
package import Imaging
package import SpineDatasets

/// A picture of one spine in a labelled folder.
package struct SpinePicture: Sendable, Equatable {
    package var path: String
    /// Part of the file; nil for all of it.
    package var part: FilePart?
    /// The file's, where this process cannot open it.
    package var bytes: [UInt8]?
    /// The photograph that it was cut from; the picture itself when it was not.
    package var scene: String
    /// The spine's outline in the picture; nil for all of it.
    package var outline: Quad?

    package init(path: String, part: FilePart? = nil, bytes: [UInt8]? = nil, scene: String, outline: Quad?) {
        self.path = path
        self.part = part
        self.bytes = bytes
        self.scene = scene
        self.outline = outline
    }

    /// The pixels of the upright spine.
    package struct Cut: Sendable {
        package var image: RasterImage
        package var outline: Quad

        /// Length of the outline's longer sides, in pixels.
        var length: Double { outline.thickness }
        /// Length of the outline's shorter sides, in pixels.
        var thickness: Double { outline.length }

        /// `outline`: The spine's outline in the picture, its corners clockwise from the picture's top left.
        package init(image: RasterImage, outline: Quad) {
            // A quad's length runs along its top side: that is across an upright spine.
            guard outline.length > outline.thickness else {
                (self.image, self.outline) = (image, outline)
                return
            }
            let turn = QuarterTurn.clockwise
            self.image = image.rotated(turn)
            let turned = outline.corners.map { turn.map($0, width: image.width, height: image.height) }
            self.outline = Quad(corners: turned, from: 3)
        }
    }

    /// Decodes the picture.
    ///
    /// - Throws: when it is not a picture.
    package func cut() throws -> Cut {
        let bytes = bytes ?? (part == nil ? nil : PictureSource(path: path, part: part).contents())
        let decoded = try bytes.map { try ImageCodec.decode($0, name: path) } ?? ImageCodec.decode(contentsOf: path)
        let image = decoded.image.luma()
        let all = Quad(x: 0, y: 0, width: Double(image.width), height: Double(image.height))
        return Cut(image: image, outline: outline ?? all)
    }
}

/// A photograph of a shelf with the outlines of its labelled books.
package struct ShelfPicture: Sendable, Equatable {
    package var path: String
    package var scene: String
    package var books: [Quad]
    /// Whether every book is labelled.
    package var isComplete: Bool
}

/// A folder of pictures that frames are made from.
package struct PictureFolder: Sendable {
    package var name: String
    package var spines: [SpinePicture] = []
    package var shelves: [ShelfPicture] = []
    /// Pictures without a spine.
    package var empty: [String] = []
    /// SHA-256 of the names and contents of the pictures, in the order of their names.
    package var digest: String

    package var count: Int { spines.count + shelves.count + empty.count }

    /// The content of a folder's pictures.
    package enum Content: Sendable {
        case spines
        /// Photos of shelves, with all or only some books labelled.
        case shelves(areComplete: Bool)
        case empty
    }

    private struct SampleLabel: Decodable {
        var id: String?
        var image: String
        var group: String?
        var outline: Quad?
        var legible: Bool?
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

    /// Reads a folder's labels, and nothing of its pictures but their bytes.
    ///
    /// `path`: Of the folder: with `samples.jsonl`, with `shelves.jsonl` or `shelf.json`, or with pictures alone.
    ///
    /// - Throws: when labels or pictures cannot be read.
    package init(_ path: String, _ content: Content) throws {
        name = URL(filePath: path).standardizedFileURL.lastPathComponent
        digest = ""
        var files: [String] = []
        switch content {
        case .spines:
            let samples = try Self.samples(path).filter { $0.legible != false }
            let store = try PictureStore(path)
            spines = samples.map { sample in
                let scene = "\(name)/\(sample.group ?? sample.image)"
                let source = store.source(of: sample.image)
                return SpinePicture(path: source.path, part: source.part, scene: scene, outline: sample.outline)
            }
            files = samples.map(\.image)
        case .shelves(let areComplete):
            let samples = (try? Self.samples(path)) ?? []
            let groups = samples.reduce(into: [String: String]()) { groups, sample in
                groups[sample.image] = sample.group
                if let id = sample.id { groups[id] = sample.group }
            }
            let shelves = try Self.shelves(path)
            self.shelves = shelves.map { shelf in
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
            }
            files.sort()
            empty = files.map { "\(path)/\($0)" }
        }
        digest = try Self.digest(of: files, in: path)
    }

    /// Creates the spines of a dataset that was loaded.
    package init(_ dataset: Dataset) {
        name = dataset.manifest.name
        digest = dataset.digest
        spines = dataset.samples.filter(\.legible).map { sample in
            let scene = "\(dataset.manifest.name)/\(sample.group ?? sample.image)"
            let source = dataset.store.source(of: sample.image)
            return SpinePicture(path: source.path, part: source.part, scene: scene, outline: sample.outline)
        }
    }

    /// - Throws: when a file cannot be read.
    package static func digest(of files: [String], in folder: String) throws -> String {
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

    private static func samples(_ folder: String) throws -> [SampleLabel] {
        try lines("\(folder)/samples.jsonl").map { try JSONDecoder().decode(SampleLabel.self, from: $0) }
    }

    private static func shelves(_ folder: String) throws -> [ShelfLabel] {
        let single = "\(folder)/shelf.json"
        if FileManager.default.fileExists(atPath: single) {
            return [try JSONDecoder().decode(ShelfLabel.self, from: Data(contentsOf: URL(filePath: single)))]
        }
        return try lines("\(folder)/shelves.jsonl").map { try JSONDecoder().decode(ShelfLabel.self, from: $0) }
    }

    private static func lines(_ path: String) throws -> [Data] {
        try Data(contentsOf: URL(filePath: path)).split(separator: 0x0A).map { Data($0) }
    }
}
