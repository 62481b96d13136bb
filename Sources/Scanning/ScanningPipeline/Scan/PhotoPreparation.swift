import ImageCodec
public import Raster
public import Talaria

/// Makes a picture ready to be sent: upright, at most 1920 pixels long, a JPEG of quality 85, and nothing but the picture.
public struct PhotoPreparation: Sendable, Equatable {
    /// The long side that a larger picture is scaled to, in pixels (S2-21).
    public var longSide: Int
    /// Of the JPEG, 1…100 (S2-22).
    public var quality: Int

    /// The app's size and quality, unless said otherwise.
    public init(longSide: Int = 1920, quality: Int = 85) {
        self.longSide = longSide
        self.quality = quality
    }

    /// The photo, without any of the file's metadata; nothing is written to disk.
    ///
    /// - Throws: `ImageCodecError` when the bytes are no picture.
    public func prepare(_ bytes: [UInt8], name: String) throws -> Photo {
        let header = try ImageCodec.header(of: bytes, name: name)
        let (long, short) = (max(header.width, header.height), min(header.width, header.height))
        // A JPEG is decoded at the smallest scale that still leaves as many pixels as are wanted.
        let wanted = long > longSide ? max(1, (short * longSide + long - 1) / long) : nil
        let options = DecodingOptions(minimumShortSide: wanted)
        let image = try ImageCodec.decode(bytes, name: name, options: options).image
        return try prepare(image)
    }

    /// The photo of pixels that are upright.
    ///
    /// - Throws: `ImageCodecError` when the library refuses to encode.
    public func prepare(_ image: RasterImage) throws -> Photo {
        Photo(jpeg: try ImageCodec.encodeJPEG(scaled(image), quality: quality))
    }

    private func scaled(_ image: RasterImage) -> RasterImage {
        let long = max(image.width, image.height)
        guard long > longSide else { return image }
        func side(_ length: Int) -> Int { max(1, (length * longSide + long / 2) / long) }
        return image.resized(width: side(image.width), height: side(image.height))
    }
}
