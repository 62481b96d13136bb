import Basics
import Foundation
package import Harness
package import Imaging
import SpineDatasets

package struct SpineCut: Sendable {
    package var image: RasterImage
    package var outline: Quad

    /// Length of the outline's longer sides, in pixels.
    package var length: Double { outline.thickness }
    package var thickness: Double { outline.length }

    /// `outline`: of the spine in the picture, its corners clockwise from the picture's top left.
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

    /// Decodes the picture of a spine.
    package init(_ spine: WorkerPicture) throws {
        let (path, part) = (spine.path, spine.part)
        let bytes = part == nil ? nil : PictureSource(path: path, part: part).contents()
        let decoded = try bytes.map { try ImageCodec.decode($0, name: path) } ?? ImageCodec.decode(contentsOf: path)
        let image = decoded.image.luma()
        let all = Quad(left: 0, top: 0, right: Double(image.width), bottom: Double(image.height))
        self.init(image: image, outline: spine.outline ?? all)
    }
}

/// A line of `samples.jsonl`, as far as drawn frames need it.
package struct SpineLabel: Decodable {
    package var id: String?
    package var image: String
    package var group: String?
    private var outline: Quad?
    private var legible: Bool?

    /// Reads the labels of a folder, and nothing of its pictures.
    package static func read(_ folder: String) throws -> [SpineLabel] {
        try Data(contentsOf: URL(filePath: "\(folder)/samples.jsonl")).split(separator: 0x0A)
            .map { try JSONDecoder().decode(SpineLabel.self, from: $0) }
    }

    /// Returns the spines of legible labels of a folder; the name of each is that of its photograph.
    package static func spines(_ labels: [SpineLabel], in folder: String) throws -> [WorkerPicture] {
        let name = URL(filePath: folder).standardizedFileURL.lastPathComponent
        let store = try PictureStore(folder)
        return labels.filter(\.isLegible).map { label in
            let source = store.source(of: label.image)
            return WorkerPicture(
                path: source.path,
                part: source.part,
                name: "\(name)/\(label.group ?? label.image)",
                outline: label.outline
            )
        }
    }

    package var isLegible: Bool { legible != false }
}
