public import Imaging

/// From the bytes of a picture file to the text of its spine.
public struct SpineScanner: Sendable {
    /// Finds and reads the lines.
    public var reader: any SpineTextReader
    /// A crop with a longer short side than this is decoded smaller, in pixels.
    public var sufficientShortSide: Int

    /// At this size letters are still larger than the reader's own lines of 48 pixels.
    public static let sufficientShortSide = 384

    /// A scanner by its parts: see the properties.
    public init(reader: any SpineTextReader, sufficientShortSide: Int = Self.sufficientShortSide) {
        self.reader = reader
        self.sufficientShortSide = sufficientShortSide
    }

    /// A reading with quads in the pixels of the picture as it stands upright.
    ///
    /// `bytes` are a whole PNG, JPEG or HEIC file, which errors call `name`.
    ///
    /// - Returns: the reading, and how long decoding took.
    /// - Throws: when the bytes or the engine fail.
    public func scan(_ bytes: [UInt8], name: String) throws -> (reading: SpineReading, decoding: Duration) {
        let picture = try SpinePicture(bytes, name: name, sufficientShortSide: sufficientShortSide)
        return (picture.placed(try reader.read(picture.image)), picture.decoding)
    }
}

/// The picture of one spine as it is read: upright, and no larger than it has to be.
public struct SpinePicture: Sendable {
    /// What is read.
    public let image: RasterImage
    /// From the file's bytes to pixels.
    public let decoding: Duration
    /// Pixels of `image` per pixel of the file's picture.
    public let scale: Double
    /// Of the file's picture as it stands upright, in pixels.
    public let width: Int
    /// Of the file's picture as it stands upright, in pixels.
    public let height: Int

    /// The picture of a whole PNG, JPEG or HEIC file, which errors call `name`.
    ///
    /// - Throws: `ImageCodecError` when the bytes are no picture.
    public init(_ bytes: [UInt8], name: String, sufficientShortSide: Int) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let options = DecodingOptions(minimumShortSide: sufficientShortSide)
        let decoded = try ImageCodec.decode(bytes, name: name, options: options)
        decoding = start.duration(to: clock.now)
        (image, scale) = (decoded.image, decoded.scale)
        (width, height) = (decoded.header.orientedWidth, decoded.header.orientedHeight)
    }

    /// A picture whose pixels are there.
    public init(_ image: RasterImage) {
        (self.image, decoding, scale) = (image, .zero, 1)
        (width, height) = (image.width, image.height)
    }

    /// Its sides, in its own pixels.
    public var outline: Quad {
        let (right, bottom) = (Double(width), Double(height))
        return Quad(
            topLeft: Point(x: 0, y: 0),
            topRight: Point(x: right, y: 0),
            bottomRight: Point(x: right, y: bottom),
            bottomLeft: Point(x: 0, y: bottom)
        )
    }

    /// A quad of `image` in the pixels of the file's picture as it stands upright.
    public func placed(_ quad: Quad) -> Quad {
        scale == 1 ? quad : quad.mapped { Point(x: $0.x / scale, y: $0.y / scale) }
    }

    /// A line of `image`, likewise.
    public func placed(_ line: RecognizedLine) -> RecognizedLine {
        var line = line
        line.quad = placed(line.quad)
        return line
    }

    /// A reading of `image`, likewise.
    public func placed(_ reading: SpineReading) -> SpineReading {
        var reading = reading
        reading.lines = reading.lines.map { placed($0) }
        return reading
    }
}
