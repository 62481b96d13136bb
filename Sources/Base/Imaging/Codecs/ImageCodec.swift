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
            if let decoder = heicDecoder.withLock({ $0 }), buffer.count <= options.maximumBytes,
                HEICStructure.isHEIC(buffer)
            {
                let image = try decoder(bytes, options)
                let (width, height) = (image.width, image.height)
                let header = ImageHeader(format: .heic, width: width, height: height, channels: image.channels)
                return DecodedImage(image: image, header: header, scale: 1)
            }
            let file = try ImageFile(buffer, options: options)
            let decoded = try file.decode(minimumShortSide: options.minimumShortSide)
            return DecodedImage(
                image: upright(decoded.image, orientation: file.header.orientation),
                header: file.header,
                scale: decoded.scale
            )
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
            try ImageFile(buffer, options: DecodingOptions(maximumPixels: .max)).header
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

    /// Returns the image as a PNG file: 8-bit grey or RGB, lossless.
    ///
    /// - Throws: ``ImageFault/notEncoded(_:_:)`` with libpng's words.
    public static func encodePNG(_ image: RasterImage) throws(ImageCodecError) -> [UInt8] {
        try ImageCodecError.of(nil) { () throws(ImageFault) in try PNGCodec.encode(image) }
    }

    /// Returns the image as a PNG file with alpha: 8-bit RGB and alpha (not premultiplied), lossless.
    ///
    /// - Parameters:
    ///   - image: the colours; grey becomes RGB.
    ///   - alpha: grey, as large as the image: 0 where nothing of it is seen, 255 where all is.
    /// - Returns: the file's bytes.
    /// - Throws: ``ImageFault/notEncoded(_:_:)`` with libpng's words.
    /// - Precondition: `alpha` has one channel and the image's size.
    public static func encodePNG(_ image: RasterImage, alpha: RasterImage) throws(ImageCodecError) -> [UInt8] {
        precondition(alpha.channels == 1 && alpha.width == image.width && alpha.height == image.height)
        let colours = image.rgb().pixels
        var pixels: [UInt8] = []
        pixels.reserveCapacity(4 * alpha.pixels.count)
        for (index, value) in alpha.pixels.enumerated() {
            pixels.append(contentsOf: colours[3 * index..<3 * index + 3])
            pixels.append(value)
        }
        return try ImageCodecError.of(nil) { () throws(ImageFault) in
            try PNGCodec.encode(pixels, width: image.width, height: image.height, channels: 4)
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

    /// Returns the stored pixels turned by an EXIF orientation (Exif 2.32, table 4).
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

extension ImageCodec {
    /// A function that decodes a HEIC file's bytes within the limits, to its oriented picture.
    public typealias HEICDecoder = @Sendable ([UInt8], DecodingOptions) throws(ImageFault) -> RasterImage

    private static let heicDecoder = Mutex<HEICDecoder?>(nil)

    /// Replaces the decoder of HEIC files for all later calls: the HEIC library can end its process.
    ///
    /// - Parameter decoder: nil for this process itself, the default.
    public static func decodeHEIC(with decoder: HEICDecoder?) { heicDecoder.withLock { $0 = decoder } }
}

extension ImageCodec {
    /// Removes everything from a PNG or JPEG file that the picture does not need, without encoding it again.
    ///
    /// The result contains the coded picture byte for byte, colour profiles and the like, and the EXIF orientation if
    /// it turns the picture. Stripping a stripped file changes nothing. The coded picture is not decoded.
    ///
    /// - Throws: ``ImageCodecError`` when the bytes are not a whole PNG or JPEG, or are a HEIC.
    public static func withoutMetadata(_ bytes: [UInt8], name: String) throws(ImageCodecError) -> StrippedPicture {
        try reading(bytes, name) { buffer throws(ImageFault) in
            switch try ImageFormat(of: buffer) {
            case .png: try PNGMetadata.stripped(buffer)
            case .jpeg: try JPEGMetadata.stripped(buffer)
            case .heic: throw .notStripped(.heic)
            }
        }
    }

    /// Returns whether a file contains the location of its picture, in EXIF or XMP.
    ///
    /// Compressed text in a PNG and data in formats of camera makers are not searched.
    ///
    /// - Throws: ``ImageCodecError`` when the bytes are not a PNG, JPEG or HEIC, or its structure is invalid. The
    ///   picture is not decoded.
    public static func containsLocation(_ bytes: [UInt8], name: String) throws(ImageCodecError) -> Bool {
        try reading(bytes, name) { buffer throws(ImageFault) in
            switch try ImageFormat(of: buffer) {
            case .png: PNGMetadata.kinds(in: buffer).contains(.location)
            case .jpeg: try JPEGMetadata.kinds(in: buffer).contains(.location)
            case .heic: try HEICStructure(buffer).metadataKinds.contains(.location)
            }
        }
    }

    /// Returns the first result of `read` for the EXIF blocks of a JPEG file; nil without any, and for other files.
    package static func exif<Value>(of bytes: [UInt8], _ read: (Exif) -> Value?) -> Value? {
        bytes.withUnsafeBufferPointer { bytes in
            guard case .jpeg? = try? ImageFormat(of: bytes) else { return nil }
            var segments = JPEGSegments(bytes)
            while let segment = try? segments.next() {
                guard segment.marker == 0xE1, let tiff = Exif.tiff(inAPP1: bytes.part(segment.content)) else {
                    continue
                }
                if let value = Exif(tiff).flatMap(read) { return value }
            }
            return nil
        }
    }
}
