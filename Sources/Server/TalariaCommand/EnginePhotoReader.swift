import BookCatalogue
import Imaging
import ScanningPipeline
import SpineReaders
import Talaria
import TalariaServer
import TextRecognition

/// The accurate engine as the server's reader.
struct EnginePhotoReader {
    private let reader: LoadedReader

    /// Loads the engine.
    ///
    /// - Throws: the engine's error, which contains the missing requirement and the solution.
    init() throws { reader = try ReadingSettings.accurate.load() }

    /// Loads the components that the engine would otherwise load with the first photo.
    func warmUp() throws { try reader.prepare() }

    /// Reads photos and names their books, as the app does on the device.
    func photoReader(_ matcher: CatalogueMatcher) -> PhotoReader {
        let pipeline = SpinePipeline(reader: reader.scanner, shelf: reader.shelf) { try matcher.match($0, readings: 1) }
        return PhotoReader { bytes, name in
            let photo = try pipeline.books(of: .file(bytes), name: name)
            return photo.books.map { SpineText($0, on: photo) }
        }
    }
}

extension SpineText {
    fileprivate init(_ book: PictureBooks.Book, on photo: PictureBooks) {
        let (spine, width, height) = (book.spine, photo.width, photo.height)
        let isOfShelf = photo.kind == .shelf
        let quads = isOfShelf ? [spine.outline] : spine.reading.lines.map(\.quad)
        self.init(
            lines: spine.reading.lines.map { RemoteLine($0, width: width, height: height) },
            box: NormalizedBox(around: quads, width: width, height: height)
        )
        (subject, candidates) = (photo.kind, book.named.candidates)
        guard isOfShelf else { return }
        place = SpinePlace(
            row: spine.row,
            index: spine.index,
            outline: spine.outline.corners.map { NormalizedPoint($0, width: width, height: height) }
        )
    }
}

extension RemoteLine {
    /// Creates a line of a picture of that size, in pixels.
    fileprivate init(_ line: RecognizedLine, width: Int, height: Int) {
        self.init(
            text: line.text,
            confidence: line.confidence,
            corners: line.quad.corners.map { NormalizedPoint($0, width: width, height: height) }
        )
    }
}

extension NormalizedPoint {
    /// Creates a point in the pixels of a picture, or the nearest one on the picture.
    fileprivate init(_ point: Point, width: Int, height: Int) {
        self.init(x: min(1, max(0, point.x / Double(width))), y: min(1, max(0, point.y / Double(height))))
    }
}

extension NormalizedBox {
    /// Creates the smallest box around quads in the pixels of a picture; nil when there are none.
    fileprivate init?(around quads: [Quad], width: Int, height: Int) {
        let corners = quads.flatMap(\.corners).map { NormalizedPoint($0, width: width, height: height) }
        guard let left = corners.map(\.x).min(), let right = corners.map(\.x).max(),
            let top = corners.map(\.y).min(), let bottom = corners.map(\.y).max()
        else { return nil }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }
}
