import BookCatalogue
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

    /// Reads photos; `matcher` decides on photos of shelves where one book ends and the next begins.
    func photoReader(_ matcher: CatalogueMatcher) -> PhotoReader {
        let (scanner, shelf) = (reader.scanner, reader.shelf)
        let judge: ShelfReader.Judge = { lines in
            let best = try matcher.match(lines.map { ($0.text, $0.confidence) }, limit: 1).candidates.first
            return ShelfReader.Judgement(book: best?.book.id, probability: best?.confidence ?? 0)
        }
        return PhotoReader { bytes, name in
            let header = try ImageCodec.header(of: bytes, name: name)
            if let shelf, ShelfReader.isLikely(width: header.width, height: header.height) {
                let side = ShelfReader.sufficientShortSide
                let photo = try SpinePicture(bytes, name: name, sufficientShortSide: side).image
                let spines = try shelf.read(photo, judge: judge).spines
                if spines.count > 1 {
                    return PhotoText(spines: spines.map { SpineText($0, width: photo.width, height: photo.height) })
                }
            }
            let lines = try scanner.scan(bytes, name: name).reading.lines
            let (width, height) = (header.orientedWidth, header.orientedHeight)
            return PhotoText(
                lines: lines.map { ReadLine($0, width: width, height: height) },
                box: NormalizedBox(around: lines.map(\.quad), width: width, height: height)
            )
        }
    }
}

extension SpineText {
    /// A spine of a photo of that size, in pixels.
    fileprivate init(_ spine: ShelfSpine, width: Int, height: Int) {
        self.init(
            lines: spine.reading.lines.map { ReadLine($0, width: width, height: height) },
            box: NormalizedBox(around: [spine.outline], width: width, height: height)
        )
        isEnoughToName = spine.reading.isEnoughToName
        place = SpinePlace(
            row: spine.row,
            index: spine.index,
            outline: spine.outline.corners.map { NormalizedPoint($0, width: width, height: height) }
        )
    }
}

extension ReadLine {
    /// A line of a picture of that size, in pixels.
    fileprivate init(_ line: RecognizedLine, width: Int, height: Int) {
        self.init(
            text: line.text,
            confidence: line.confidence,
            corners: line.quad.corners.map { NormalizedPoint($0, width: width, height: height) }
        )
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
