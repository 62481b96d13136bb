import Imaging
import TextRecognition

/// Thumbnails, cut from the picture that the books were seen on.
enum Thumbnail {
    /// Pixels of a thumbnail's long side.
    static let longSide = 192

    /// Returns a PNG file of each book that was seen, and of the shelf.
    ///
    /// - Throws: `ImageCodecError` when there is no room.
    static func all(of results: [VisualSearchResult], on picture: SpinePicture) throws -> [EntityID: [UInt8]] {
        let (image, scale) = (picture.image, picture.scale)
        var files: [EntityID: [UInt8]] = [:]
        for result in results {
            switch result {
            case .book(let book):
                guard let place = book.place else { continue }
                let outline = place.outline?.mapped { Point(x: $0.x * scale, y: $0.y * scale) }
                let part = outline.map { cut(image, to: $0) } ?? small(image)
                files[book.id] = try part.map { try ImageCodec.encodePNG($0) }
            case .shelf(let shelf):
                guard case .photo = shelf.id else { continue }
                files[shelf.id] = try ImageCodec.encodePNG(small(image))
            }
        }
        return files
    }

    private static func small(_ image: RasterImage) -> RasterImage {
        let (width, height) = fitted(Double(image.width), Double(image.height))
        return width < image.width ? image.resized(width: width, height: height) : image
    }

    private static func cut(_ image: RasterImage, to outline: Quad) -> RasterImage? {
        let (width, height) = fitted(outline.length, outline.thickness)
        return image.cropped(to: outline, width: width, height: height)
    }

    private static func fitted(_ width: Double, _ height: Double) -> (Int, Int) {
        let scale = min(1, Double(longSide) / max(width, height, 1))
        return (max(1, Int((width * scale).rounded())), max(1, Int((height * scale).rounded())))
    }
}
