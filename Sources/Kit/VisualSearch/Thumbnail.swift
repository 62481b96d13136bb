public import Imaging
import TextRecognition

/// Thumbnails, cut from the picture that the books were seen on.
public enum Thumbnail {
    /// Pixels of a thumbnail's long side.
    static let longSide = 448

    /// Returns a PNG file of each book that was seen, and of the shelf.
    ///
    /// - Throws: `ImageCodecError` when there is no room.
    static func all(of results: [VisualSearchResult], on picture: SpinePicture) throws -> [EntityID: [UInt8]] {
        var files: [EntityID: [UInt8]] = [:]
        for result in results {
            let part: RasterImage?
            switch result {
            case .book(let book): part = book.place.flatMap { cut(picture.image, to: $0, scale: picture.scale) }
            case .shelf(let shelf):
                guard case .photo = shelf.id else { continue }
                part = cut(picture.image, to: BookEntity.Place(row: 0, index: 0, orientation: .upright))
            }
            files[result.id] = try part.map { try ImageCodec.encodePNG($0) }
        }
        return files
    }

    /// Returns the part of an image at a place, turned so that its text is level; nil when it has no area.
    ///
    /// `scale`: pixels of the image for each of the picture that the place is on.
    public static func cut(_ image: RasterImage, to place: BookEntity.Place, scale: Double = 1) -> RasterImage? {
        let whole = Quad(left: 0, top: 0, right: Double(image.width), bottom: Double(image.height))
        let outline = place.outline?.mapped { Point(x: $0.x * scale, y: $0.y * scale) } ?? whole
        let isTall = outline.thickness > outline.length
        let level = outline.level(place.orientation ?? (isTall ? .clockwise : .upright))
        let most = min(1, Double(longSide) / max(level.length, level.thickness, 1))
        func side(_ length: Double) -> Int { max(1, Int((length * most).rounded())) }
        return image.cropped(to: level, width: side(level.length), height: side(level.thickness))
    }
}

extension Quad {
    /// Returns the quad that begins where text of an orientation begins.
    fileprivate func level(_ orientation: TextOrientation) -> Quad {
        switch orientation {
        case .upright: self
        case .inverted: reversed
        case .clockwise: quarterTurned.reversed
        case .counterclockwise: quarterTurned
        }
    }
}
