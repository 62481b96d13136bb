import ImageCodec
import Raster
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
            let lines = try scanner.scan(bytes, name: name).reading.lines
            let header = try ImageCodec.header(of: bytes, name: name)
            return PhotoText(
                lines: lines.map { PhotoText.Line(text: $0.text, confidence: $0.confidence) },
                box: NormalizedBox(around: lines.map(\.quad), width: header.orientedWidth, height: header.orientedHeight)
            )
        }
    }
}

extension NormalizedBox {
    /// The smallest box around quads in the pixels of a picture; nil when there are none.
    fileprivate init?(around quads: [Quad], width: Int, height: Int) {
        let corners = quads.flatMap(\.corners)
        let columns = corners.map { min(1, max(0, $0.x / Double(width))) }
        let rows = corners.map { min(1, max(0, $0.y / Double(height))) }
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max()
        else { return nil }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }
}
