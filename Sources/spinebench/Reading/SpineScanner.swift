import BenchmarkHarness
import ImageCodec
import Raster
import TextRecognition

/// From the bytes of a picture file to the text of its spine: what `read` runs and what `run` measures.
struct SpineScanner: SystemUnderTest {
    var reader: any SpineTextReader
    /// What is done to the picture before it is read.
    var preprocessing = PipelineSettings.Preprocessing.none
    /// A crop with a longer short side than this is decoded smaller.
    var sufficientShortSide = Self.sufficientShortSide

    /// At this size letters are still larger than the reader's own lines of 48 pixels.
    static let sufficientShortSide = 384

    /// A reading with quads in the pixels of the picture as it stands upright.
    func scan(_ bytes: [UInt8], name: String) throws -> (reading: SpineReading, decoding: Duration) {
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

    func process(_ bytes: [UInt8], name: String) throws -> Prediction {
        let clock = ContinuousClock()
        let start = clock.now
        let (reading, decoding) = try scan(bytes, name: name)
        return Prediction(
            lines: reading.lines.map { .init(text: $0.text, confidence: $0.confidence, quad: $0.quad) },
            orientation: reading.orientation?.rawValue,
            stageMilliseconds: [
                Prediction.Stage.decode: decoding.milliseconds,
                Prediction.Stage.detectionInference: reading.timings.detectionInference.milliseconds,
                Prediction.Stage.recognitionInference: reading.timings.recognitionInference.milliseconds,
                Prediction.Stage.total: start.duration(to: clock.now).milliseconds,
            ]
        )
    }
}
