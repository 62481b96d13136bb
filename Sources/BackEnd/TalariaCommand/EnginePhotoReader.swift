import ImageCodec
import Raster
import SpineReaders
import Talaria
import TalariaServer
import TextRecognition

/// The accurate engine as the server's reader.
struct EnginePhotoReader {
    private let reader: LoadedReader

    /// Loads the engine.
    ///
    /// - Throws: the engine's error, which says what is missing and what to do.
    init() throws { reader = try ReadingSettings.accurate.load() }

    /// Loads what the engine would otherwise load with the first photo.
    ///
    /// - Throws: the engine's error.
    func warmUp() throws { try reader.prepare() }

    var photoReader: PhotoReader {
        let scanner = reader.scanner
        return PhotoReader { bytes, name in
            let lines = try scanner.scan(bytes, name: name).reading.lines
            let header = try ImageCodec.header(of: bytes, name: name)
            let (width, height) = (header.orientedWidth, header.orientedHeight)
            return PhotoText(
                lines: lines.map { line in
                    ReadLine(
                        text: line.text,
                        confidence: line.confidence,
                        corners: line.quad.corners.map { NormalizedPoint($0, width: width, height: height) }
                    )
                },
                box: NormalizedBox(around: lines.map(\.quad), width: width, height: height)
            )
        }
    }
}

extension NormalizedPoint {
    /// A point in the pixels of a picture, or the nearest one on the picture.
    fileprivate init(_ point: Point, width: Int, height: Int) {
        self.init(x: min(1, max(0, point.x / Double(width))), y: min(1, max(0, point.y / Double(height))))
    }
}

extension NormalizedBox {
    /// The smallest box around quads in the pixels of a picture; nil when there are none.
    fileprivate init?(around quads: [Quad], width: Int, height: Int) {
        let corners = quads.flatMap(\.corners).map { NormalizedPoint($0, width: width, height: height) }
        guard let left = corners.map(\.x).min(), let right = corners.map(\.x).max(),
            let top = corners.map(\.y).min(), let bottom = corners.map(\.y).max()
        else { return nil }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }
}
