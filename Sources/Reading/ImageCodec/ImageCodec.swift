public import Raster

/// PNG, JPEG and HEIC files to images, and images to PNG and JPEG files.
///
/// The format is told by content. Limits are checked against the header before memory is taken for pixels. Samples are
/// taken as they are stored: gamma and colour profiles are not applied, 16-bit samples are scaled to 8, alpha is laid
/// onto white, CMYK becomes RGB, and the EXIF orientation of a PNG or JPEG and the turning of a HEIC are applied.
public enum ImageCodec {
    /// Decodes a whole file's bytes.
    ///
    /// `name` is what errors call the file.
    ///
    /// - Throws: ``ImageCodecError`` when the bytes are no whole, valid PNG, JPEG or HEIC within the limits.
    public static func decode(
        _ bytes: [UInt8],
        name: String,
        options: DecodingOptions = DecodingOptions()
    ) throws(ImageCodecError) -> DecodedImage {
        if let picture = try decodedElsewhere(bytes, name: name, options: options) { return picture }
        return try bytes.withUnsafeBufferPointer { buffer throws(ImageCodecError) in
            let file = try ImageFile(buffer, name: name, options: options)
            let decoded = try file.decode(name: name, minimumShortSide: options.minimumShortSide)
            return DecodedImage(
                image: upright(decoded.image, orientation: file.header.orientation),
                header: file.header,
                scale: decoded.scale
            )
        }
    }

    /// Decodes a file on disk.
    ///
    /// - Throws: ``ImageCodecError`` when the file cannot be read, or is no whole, valid PNG, JPEG or HEIC within the limits.
    public static func decode(
        contentsOf path: String,
        options: DecodingOptions = DecodingOptions()
    ) throws(ImageCodecError) -> DecodedImage {
        try decode(FileBytes.load(path, limit: options.maximumBytes), name: path, options: options)
    }

    /// Header of an image file's bytes, without decoding it.
    ///
    /// - Throws: ``ImageCodecError`` when there is no header to read. The rest of the file is not checked, and no limit
    ///   but that on bytes applies.
    public static func header(of bytes: [UInt8], name: String) throws(ImageCodecError) -> ImageHeader {
        try bytes.withUnsafeBufferPointer { buffer throws(ImageCodecError) in
            try ImageFile(buffer, name: name, options: DecodingOptions(maximumPixels: .max)).header
        }
    }

    /// The image as a PNG file: 8-bit grey or RGB, lossless.
    ///
    /// - Throws: ``ImageCodecError/notEncoded(format:detail:)`` with libpng's words.
    public static func encodePNG(_ image: RasterImage) throws(ImageCodecError) -> [UInt8] {
        try PNGCodec.encode(image)
    }

    /// The image as a baseline JPEG file; colour at half resolution below quality 90.
    ///
    /// `quality` goes from 1 (worst) to 100; values outside are taken as the nearest end.
    ///
    /// - Throws: ``ImageCodecError/notEncoded(format:detail:)`` when a side is longer than 65,500 pixels, or with
    ///   libjpeg-turbo's words.
    public static func encodeJPEG(_ image: RasterImage, quality: Int) throws(ImageCodecError) -> [UInt8] {
        try JPEGCodec.encode(image, quality: quality)
    }

    /// Turns stored pixels the way that an EXIF orientation says (Exif 2.32, table 4).
    static func upright(_ image: RasterImage, orientation: Int) -> RasterImage {
        switch orientation {
        case 2: image.mirrored()
        case 3: image.rotated(.half)
        case 4: image.rotated(.half).mirrored()
        case 5: image.rotated(.clockwise).mirrored()
        case 6: image.rotated(.clockwise)
        case 7: image.rotated(.counterclockwise).mirrored()
        case 8: image.rotated(.counterclockwise)
        default: image
        }
    }
}
