import ImageCodec
import Raster
package import TextRecognition

/// From the bytes of a picture file to the text of its spine.
package struct SpineScanner: Sendable {
    package var reader: any SpineTextReader
    /// What is done to the picture before it is read.
    package var preprocessing = PipelineSettings.Preprocessing.none
    /// A crop with a longer short side than this is decoded smaller.
    package var sufficientShortSide = Self.sufficientShortSide

    /// At this size letters are still larger than the reader's own lines of 48 pixels.
    package static let sufficientShortSide = 384

    /// - Parameters:
    ///   - reader: finds and reads the lines.
    ///   - preprocessing: what is done to the picture before.
    ///   - sufficientShortSide: in pixels; a larger picture is decoded smaller.
    package init(
        reader: any SpineTextReader,
        preprocessing: PipelineSettings.Preprocessing = .none,
        sufficientShortSide: Int = Self.sufficientShortSide
    ) {
        self.reader = reader
        self.preprocessing = preprocessing
        self.sufficientShortSide = sufficientShortSide
    }

    /// A reading with quads in the pixels of the picture as it stands upright.
    ///
    /// - Parameters:
    ///   - bytes: the whole PNG, JPEG or HEIC file.
    ///   - name: what errors call the file.
    /// - Returns: the reading, and how long decoding took.
    /// - Throws: when the bytes or the engine fail.
    package func scan(_ bytes: [UInt8], name: String) throws -> (reading: SpineReading, decoding: Duration) {
        let clock = ContinuousClock()
        let start = clock.now
        let decoded = try ImageCodec.decode(
            bytes,
            name: name,
            options: DecodingOptions(minimumShortSide: sufficientShortSide)
        )
        let decoding = start.duration(to: clock.now)
        let picture: RasterImage
        switch preprocessing {
        case .none: picture = decoded.image
        case .autocontrast: picture = decoded.image.autocontrasted()
        }
        var reading = try reader.read(picture)
        if decoded.scale != 1 {
            for index in reading.lines.indices {
                reading.lines[index].quad = reading.lines[index].quad.mapped {
                    Point(x: $0.x / decoded.scale, y: $0.y / decoded.scale)
                }
            }
        }
        return (reading, decoding)
    }
}
