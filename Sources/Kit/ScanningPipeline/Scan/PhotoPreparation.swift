import Imaging
public import Talaria
import TextRecognition

/// Makes a picture ready to be sent: upright, not longer than needed, a JPEG of quality 85, and nothing but the
/// picture.
public struct PhotoPreparation: Sendable, Equatable {
    /// The long side that a larger picture is scaled to, in pixels (S2-21).
    public var longSide: Int
    /// Long side in pixels of a photo of shelves, by its shape.
    public var shelfLongSide = 4_096
    /// Quality of the JPEG, 1…100 (S2-22).
    public var quality: Int

    /// Creates a preparation with the app's size and quality by default.
    public init(longSide: Int = 1920, quality: Int = 85) {
        self.longSide = longSide
        self.quality = quality
    }

    /// Returns the photo of a file, without any of its metadata; nothing is written to disk.
    ///
    /// - Throws: `ImageCodecError` when the bytes are not a picture.
    public func prepare(_ bytes: [UInt8], name: String) throws -> Photo { try prepare(.file(bytes), name: name) }

    func prepare(_ picture: ScanPicture, name: String) throws -> Photo {
        var (image, longSide): (RasterImage, Int)
        switch picture {
        case .pixels(let pixels): (image, longSide) = (pixels, self.longSide)
        case .file(let bytes):
            let header = try ImageCodec.header(of: bytes, name: name)
            let (long, short) = (max(header.width, header.height), min(header.width, header.height))
            longSide =
                ShelfReader.isLikely(width: long, height: short) ? max(self.longSide, shelfLongSide) : self.longSide
            // A JPEG is decoded at the smallest scale that still has the required number of pixels.
            let wanted = long > longSide ? max(1, (short * longSide + long - 1) / long) : nil
            let options = DecodingOptions(minimumShortSide: wanted)
            image = try ImageCodec.decode(bytes, name: name, options: options).image
        }
        let long = max(image.width, image.height)
        if long > longSide {
            func side(_ length: Int) -> Int { max(1, (length * longSide + long / 2) / long) }
            image = image.resized(width: side(image.width), height: side(image.height))
        }
        return Photo(jpeg: try ImageCodec.encodeJPEG(image, quality: quality))
    }
}

extension Photo {
    /// Whether it has the shape of a photo of shelves.
    var isOfShelf: Bool {
        guard let header = try? ImageCodec.header(of: jpeg, name: "photo") else { return false }
        return ShelfReader.isLikely(width: header.width, height: header.height)
    }
}
