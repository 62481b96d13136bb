public import Imaging

/// Reads the text of a spine from the bytes of a picture file.
public struct SpineScanner: Sendable {
    /// Finds and reads the lines.
    public var reader: any SpineTextReader
    /// A crop with a longer short side than this is decoded smaller, in pixels.
    public var sufficientShortSide: Int

    /// Short side at which letters are still larger than the reader's own lines of 48 pixels.
    public static let sufficientShortSide = 384

    /// Creates a scanner from its parts: see the properties.
    public init(reader: any SpineTextReader, sufficientShortSide: Int = Self.sufficientShortSide) {
        (self.reader, self.sufficientShortSide) = (reader, sufficientShortSide)
    }

    /// Returns a reading with quads in the pixels of the upright picture.
    ///
    /// - Parameters:
    ///   - bytes: a whole PNG, JPEG or HEIC file.
    ///   - name: the file's name in errors.
    /// - Returns: the reading, and the duration of decoding.
    /// - Throws: when the bytes or the engine fail.
    public func scan(_ bytes: [UInt8], name: String) throws -> (reading: SpineReading, decoding: Duration) {
        let picture = try SpinePicture(bytes, name: name, sufficientShortSide: sufficientShortSide)
        return (picture.placed(try reader.read(picture.image)), picture.decoding)
    }
}

/// The picture of one spine for reading: upright, and no larger than necessary.
public struct SpinePicture: Sendable {
    /// Decoded image for reading.
    public let image: RasterImage
    /// Time from the file's bytes to pixels.
    public let decoding: Duration
    /// Pixels of `image` per pixel of the file's picture.
    public let scale: Double
    /// Width of the file's upright picture, in pixels.
    public let width: Int
    /// Height of the file's upright picture, in pixels.
    public let height: Int

    /// Creates the picture of a whole PNG, JPEG or HEIC file, named `name` in errors.
    ///
    /// - Throws: `ImageCodecError` when the bytes are not a picture.
    public init(_ bytes: [UInt8], name: String, sufficientShortSide: Int) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let options = DecodingOptions(minimumShortSide: sufficientShortSide)
        let decoded = try ImageCodec.decode(bytes, name: name, options: options)
        decoding = start.duration(to: clock.now)
        (image, scale) = (decoded.image, decoded.scale)
        (width, height) = (decoded.header.orientedWidth, decoded.header.orientedHeight)
    }

    /// Creates a picture of decoded pixels.
    public init(_ image: RasterImage) {
        (self.image, decoding, scale) = (image, .zero, 1)
        (width, height) = (image.width, image.height)
    }

    /// Outline of the picture, in its own pixels.
    public var outline: Quad { Quad(left: 0, top: 0, right: Double(width), bottom: Double(height)) }

    /// Returns a quad of `image` in the pixels of the file's upright picture.
    public func placed(_ quad: Quad) -> Quad {
        scale == 1 ? quad : quad.mapped { Point(x: $0.x / scale, y: $0.y / scale) }
    }

    /// Returns a line of `image` in the pixels of the file's upright picture.
    public func placed(_ line: RecognizedLine) -> RecognizedLine {
        var line = line
        line.quad = placed(line.quad)
        return line
    }

    /// Returns a reading of `image` in the pixels of the file's upright picture.
    public func placed(_ reading: SpineReading) -> SpineReading {
        scale == 1 ? reading : reading.mapped { Point(x: $0.x / scale, y: $0.y / scale) }
    }
}
