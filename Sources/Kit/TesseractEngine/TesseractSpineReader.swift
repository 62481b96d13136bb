public import Imaging
public import TextRecognition

/// Reads a whole spine with Tesseract 5: turned so that its long side is horizontal, once each way up; the better
/// reading counts.
///
/// Tesseract receives the crop in grey, at its own size, to find as much text as possible (its mode 11, sparse text).
/// Of 165 titles on real spines that reads 61 whole, against 54 in its mode 6, 54 from RGB, 34 and 42 with its
/// adaptive thresholds, 54 to 56 at a fixed height and 45 with a border; mode 12 reads as many, but needs the
/// orientation model too. On one thread (see the shim) it takes half the time that it takes on two.
///
/// Concurrent readings wait for each other.
///
///     let scanner = SpineScanner(reader: try TesseractSpineReader(languages: "eng"))
///     let lines = try scanner.scan(bytes, name: "spine.jpg").reading.lines
public final class TesseractSpineReader: SpineTextReader {
    package var installation: TesseractInstallation { handle.installation }
    private let handle: TesseractHandle

    /// Starts an engine: about 0.1 s.
    ///
    /// - Parameters:
    ///   - languages: In Tesseract's notation: "eng+fra".
    ///   - dataPath: Folder with the languages' `traineddata` files; nil for that of the system.
    /// - Throws: When a language is missing, with the remedy.
    public init(languages: String = "eng", dataPath: String? = nil) throws {
        handle = try TesseractHandle(languages: languages, dataPath: dataPath)
    }

    /// Reads one spine.
    ///
    /// An image with a side under 8 pixels contains no text; above 4 megapixels it is shrunk. In the timings
    /// `recognitionInference` is all of Tesseract, which does not separate detection from recognition.
    ///
    /// - Throws: Tesseract's error, with the image's size.
    public func read(_ image: RasterImage) throws -> SpineReading {
        let clock = ContinuousClock()
        let start = clock.now
        var reading = SpineReading()
        if let page = TesseractPage(image) {
            reading = try SpineReading(bothWaysUp: image) { turn in
                let turned = page.image.rotated(turn)
                let asked = clock.now
                let lines = try handle.lines(in: turned, layout: .sparse)
                let time = clock.now - asked
                return (lines.filter(\.holdsText).map { $0.recognized(on: page, turned: turn) }, time)
            }
        }
        reading.timings.total = clock.now - start
        return reading
    }
}

extension TesseractLine {
    /// Returns the line with its box taken back from the turned page to the source image.
    fileprivate func recognized(on page: TesseractPage, turned turn: QuarterTurn) -> RecognizedLine {
        let quad = box.mapped { corner in
            let onPage = turn.mapBack(corner, width: page.image.width, height: page.image.height)
            return Point(x: onPage.x / page.scaleX, y: onPage.y / page.scaleY)
        }
        return RecognizedLine(text: text, confidence: confidence, quad: quad)
    }
}
