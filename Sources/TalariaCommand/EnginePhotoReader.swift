import SpineReaders
import Talaria
import TalariaServer
import TextRecognition

/// The accurate engine as the server's reader.
struct EnginePhotoReader {
    private let pipeline: Pipeline

    /// Loads the engine.
    ///
    /// - Throws: the engine's error, which says what is missing and what to do.
    init() throws { pipeline = try PipelineSettings.accurate.load() }

    /// Loads what the engine would otherwise load with the first photo.
    ///
    /// - Throws: the engine's error.
    func warmUp() throws { try pipeline.prepare() }

    var photoReader: PhotoReader {
        let scanner = pipeline.scanner
        return PhotoReader { bytes, name in
            let reading = try scanner.scan(bytes, name: name).reading
            return PhotoText(lines: reading.lines.map { PhotoText.Line(text: $0.text, confidence: $0.confidence) })
        }
    }
}
