import Harness
import Imaging
import SpineDatasets

/// Picture of a spine, upright.
struct SpineCut: Sendable {
    var image: RasterImage
    var outline: Quad

    /// Length of the outline's longer sides, in pixels.
    var length: Double { outline.thickness }
    var thickness: Double { outline.length }

    /// Decodes the picture of a spine.
    init(_ spine: WorkerPicture) throws {
        let (path, part) = (spine.path, spine.part)
        let bytes = part == nil ? nil : PictureSource(path: path, part: part).contents()
        let decoded = try bytes.map { try ImageCodec.decode($0, name: path) } ?? ImageCodec.decode(contentsOf: path)
        image = decoded.image.luma()
        let (width, height) = (image.width, image.height)
        outline = spine.outline ?? Quad(left: 0, top: 0, right: Double(width), bottom: Double(height))
        // A quad's length runs along its top side: that is across an upright spine.
        guard outline.length > outline.thickness else { return }
        let turn = QuarterTurn.clockwise
        image = image.rotated(turn)
        outline = Quad(corners: outline.corners.map { turn.map($0, width: width, height: height) }, from: 3)
    }
}
