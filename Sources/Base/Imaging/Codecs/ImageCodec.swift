import Basics
import Synchronization

/// Decodes PNG, JPEG and HEIC files, and encodes PNG and JPEG files.
///
/// The format is detected by content. Limits are checked against the header before memory is allocated for pixels.
/// Samples keep their stored values: gamma and colour profiles are not applied, 16-bit samples are scaled to 8, alpha
/// is composed onto white, or onto black or grey if opaque content is invisible on white, CMYK becomes RGB, and the
/// EXIF orientation of a PNG or JPEG and the rotation of a HEIC are applied.
public enum ImageCodec {
    /// Decodes a whole file's bytes.
    ///
    /// `name`: the file's name in errors.
    ///
    /// - Throws: ``ImageCodecError`` when the bytes are not a whole, valid PNG, JPEG or HEIC within the limits.
    public static func decode(
        _ bytes: [UInt8],
        name: String,
        options: DecodingOptions = DecodingOptions()
    ) throws(ImageCodecError) -> DecodedImage {
        try reading(bytes, name) { buffer throws(ImageFault) in
            let file = try ImageFile(bytes, buffer, options, isHeaderOnly: false)
            let (image, scale) = try file.decode()
            let upright = image.upright(orientation: file.header.orientation)
            WorkMeter.count(.bytesDecoded, bytes.count)
            WorkMeter.count(.pixelsDecoded, upright.width * upright.height)
            return DecodedImage(image: upright, header: file.header, scale: scale)
        }
    }

    /// Decodes a file on disk.
    ///
    /// - Throws: ``ImageCodecError`` when the file cannot be read, or is not a whole, valid PNG, JPEG or HEIC within
    ///   the limits.
    public static func decode(
        contentsOf path: String,
        options: DecodingOptions = DecodingOptions()
    ) throws(ImageCodecError) -> DecodedImage {
        let bytes = try ImageCodecError.of(path) { () throws(ImageFault) in
            try FileBytes.load(path, limit: options.maximumBytes)
        }
        return try decode(bytes, name: path, options: options)
    }

    /// Returns the header of an image file's bytes, without decoding it.
    ///
    /// - Throws: ``ImageCodecError`` when the header is missing or invalid. The rest of the file is not checked, and
    ///   only the limit on bytes applies.
    public static func header(of bytes: [UInt8], name: String) throws(ImageCodecError) -> ImageHeader {
        try reading(bytes, name) { buffer throws(ImageFault) in
            try ImageFile(bytes, buffer, DecodingOptions(maximumPixels: .max), isHeaderOnly: true).header
        }
    }

    /// Returns the value of `body` for the bytes of a file, and names that file in its errors.
    private static func reading<Value>(
        _ bytes: [UInt8],
        _ name: String,
        _ body: (UnsafeBufferPointer<UInt8>) throws(ImageFault) -> Value
    ) throws(ImageCodecError) -> Value {
        try ImageCodecError.of(name) { () throws(ImageFault) in try bytes.withUnsafeBufferPointer(body) }
    }

    /// Returns the image as a PNG file, lossless: 8-bit grey or RGB, or RGB and alpha (not premultiplied).
    ///
    /// - Parameters:
    ///   - image: the colours; with alpha, grey becomes RGB.
    ///   - alpha: grey, as large as the image: 0 where nothing of it is seen, 255 where all is; nil for a file without.
    /// - Returns: the file's bytes.
    /// - Throws: ``ImageFault/notEncoded(_:_:)`` with libpng's words.
    /// - Precondition: `alpha` has one channel and the image's size.
    public static func encodePNG(
        _ image: RasterImage,
        alpha: RasterImage? = nil
    ) throws(ImageCodecError) -> [UInt8] {
        var (pixels, channels) = (image.pixels, image.channels)
        if let alpha {
            precondition(alpha.channels == 1 && alpha.width == image.width && alpha.height == image.height)
            let colours = image.rgb().pixels
            (pixels, channels) = ([], 4)
            pixels.reserveCapacity(4 * alpha.pixels.count)
            for (index, value) in alpha.pixels.enumerated() {
                pixels += colours[3 * index..<3 * index + 3]
                pixels.append(value)
            }
        }
        return try ImageCodecError.of(nil) { () throws(ImageFault) in
            try PNGCodec.encode(pixels, width: image.width, height: image.height, channels: channels)
        }
    }

    /// Returns the image as a baseline JPEG file; colour at half resolution below quality 90.
    ///
    /// `quality` goes from 1 (worst) to 100; values outside are taken as the nearest end.
    ///
    /// - Throws: ``ImageFault/notEncoded(_:_:)`` when a side is longer than 65,500 pixels, or with libjpeg-turbo's
    ///   words.
    public static func encodeJPEG(_ image: RasterImage, quality: Int) throws(ImageCodecError) -> [UInt8] {
        try ImageCodecError.of(nil) { () throws(ImageFault) in try JPEGCodec.encode(image, quality: quality) }
    }
}

extension ImageCodec {
    /// A function that reads a HEIC file's bytes within the limits.
    package typealias HEICReader =
        @Sendable (_ bytes: [UInt8], _ options: DecodingOptions, _ isHeaderOnly: Bool) throws(ImageFault) -> HEICPicture

    private static let heicReader = Mutex<HEICReader?>(nil)

    /// Replaces the reader of HEIC files for all later calls: the HEIC library can end its process.
    package static func readHEIC(with reader: @escaping HEICReader) { heicReader.withLock { $0 = reader } }

    fileprivate static func readHEIC(
        _ bytes: [UInt8],
        _ options: DecodingOptions,
        _ isHeaderOnly: Bool
    ) throws(ImageFault) -> HEICPicture {
        if let reader = heicReader.withLock({ $0 }) { return try reader(bytes, options, isHeaderOnly) }
        return try HEICCodec.read(bytes, options, isHeaderOnly: isHeaderOnly)
    }
}

/// A file's bytes, known to begin as a PNG, JPEG or HEIC within the limits.
private struct ImageFile {
    let header: ImageHeader
    /// Returns the picture as it is stored, and the scale at which it was decoded.
    let decode: () throws(ImageFault) -> (image: RasterImage, scale: Double)

    /// Reads the header out of `bytes`, whose `buffer` must outlive the value; of a HEIC all that is asked for.
    init(
        _ bytes: [UInt8],
        _ buffer: UnsafeBufferPointer<UInt8>,
        _ options: DecodingOptions,
        isHeaderOnly: Bool
    ) throws(ImageFault) {
        guard bytes.count <= options.maximumBytes else {
            throw .tooManyBytes(found: bytes.count, limit: options.maximumBytes)
        }
        let format = try ImageFormat(of: buffer)
        let (size, channels, orientation): ((width: Int, height: Int), Int, Int)
        switch format {
        case .png:
            let png = try PNGStructure(buffer)
            (size, channels, orientation) = ((png.width, png.height), png.isColour ? 3 : 1, png.orientation)
            decode = { () throws(ImageFault) in
                try png.checkWhole()
                return (try PNGCodec.decode(buffer, structure: png), 1)
            }
        case .jpeg:
            let jpeg = try JPEGStructure(buffer)
            (size, channels, orientation) = ((jpeg.width, jpeg.height), jpeg.components == 1 ? 1 : 3, jpeg.orientation)
            decode = { () throws(ImageFault) in
                try jpeg.checkWhole()
                return try JPEGCodec.decode(buffer, structure: jpeg, minimumShortSide: options.minimumShortSide)
            }
        case .heic:
            let (width, height, pixels) = try ImageCodec.readHEIC(bytes, options, isHeaderOnly)
            (size, channels, orientation) = ((width, height), 3, 1)
            decode = { (RasterImage(width: width, height: height, channels: 3, pixels: pixels), 1) }
        }
        header = ImageHeader(
            format: format,
            width: size.width,
            height: size.height,
            channels: channels,
            orientation: orientation
        )
        guard size.width * size.height <= options.maximumPixels else {
            throw .tooManyPixels(width: size.width, height: size.height, limit: options.maximumPixels)
        }
    }
}

extension ImageCodec {
    /// Removes everything from a PNG or JPEG file that the picture does not need, without encoding it again.
    ///
    /// The result contains the coded picture byte for byte, colour profiles and the like, and the EXIF orientation if
    /// it turns the picture. Stripping a stripped file changes nothing. The coded picture is not decoded.
    ///
    /// - Throws: ``ImageCodecError`` when the bytes are not a whole PNG or JPEG, or are a HEIC.
    public static func withoutMetadata(_ bytes: [UInt8], name: String) throws(ImageCodecError) -> [UInt8] {
        try reading(bytes, name) { buffer throws(ImageFault) in
            let (format, parts, isComplete) = try parts(of: buffer)
            guard format != .heic else { throw .notStripped(.heic) }
            guard isComplete else { throw .truncated(format, "\(bytes.count) bytes without an end") }
            return parts.flatMap { $0.rest ?? Array(bytes[$0.range]) }
        }
    }

    /// Returns whether the metadata of a file contain the location of its picture, in EXIF or XMP.
    ///
    /// Compressed text in a PNG and data in formats of camera makers are not searched.
    ///
    /// - Throws: ``ImageCodecError`` when the bytes are not a PNG, JPEG or HEIC, or its structure is invalid. The
    ///   picture is not decoded.
    public static func containsLocation(_ bytes: [UInt8], name: String) throws(ImageCodecError) -> Bool {
        try reading(bytes, name) { buffer throws(ImageFault) in
            try parts(of: buffer).parts.contains { $0.rest != nil && Exif.hasLocation(in: buffer.part($0.range)) }
        }
    }

    /// Returns the parts of a file; of a HEIC one part, which is searched as a whole.
    private static func parts(
        of bytes: UnsafeBufferPointer<UInt8>
    ) throws(ImageFault) -> (format: ImageFormat, parts: [FilePart], isComplete: Bool) {
        let format = try ImageFormat(of: bytes)
        switch format {
        case .png:
            let png = try PNGStructure(bytes)
            return (format, png.parts, png.isComplete)
        case .jpeg:
            let jpeg = try JPEGStructure(bytes)
            return (format, jpeg.parts, jpeg.isComplete)
        case .heic: return (format, [FilePart(range: bytes.indices, rest: [])], true)
        }
    }

    /// Returns the first result of `read` for the EXIF blocks of a JPEG file; nil without any, and for other files.
    public static func exif<Value>(of bytes: [UInt8], _ read: (Exif) -> Value?) -> Value? {
        bytes.withUnsafeBufferPointer { bytes in
            guard case .jpeg? = try? ImageFormat(of: bytes) else { return nil }
            var segments = JPEGSegments(bytes)
            while let segment = try? segments.next() {
                if let value = segment.marker == 0xE1 ? Exif(inAPP1: bytes.part(segment.content)).flatMap(read) : nil {
                    return value
                }
            }
            return nil
        }
    }
}

extension RasterImage {
    /// Returns the stored pixels turned by an EXIF orientation (Exif 2.32, table 4).
    fileprivate func upright(orientation: Int) -> RasterImage {
        switch orientation {
        case 2: mirrored()
        case 3: rotated(.half)
        case 4: rotated(.half).mirrored()
        case 5: rotated(.clockwise).mirrored()
        case 6: rotated(.clockwise)
        case 7: rotated(.counterclockwise).mirrored()
        case 8: rotated(.counterclockwise)
        default: self
        }
    }
}
