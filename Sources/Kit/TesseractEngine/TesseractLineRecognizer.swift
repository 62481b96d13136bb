package import Imaging
package import TextRecognition

/// Reads lines that a detector found with Tesseract 5, each image taken for one line (its mode 7).
///
/// Concurrent calls wait for each other.
package final class TesseractLineRecognizer: LineRecognizer {
    /// Height of line images.
    ///
    /// Tesseract scales a line so that its letters suit a network 36 pixels high; a little more preserves their detail.
    package let lineHeight = 48
    package var installation: TesseractInstallation { handle.installation }
    private let handle: TesseractHandle

    /// Starts an engine: about 0.1 s.
    ///
    /// The arguments and errors are those of ``TesseractInstallation/find(languages:dataPath:)``.
    package init(languages: String = "eng", dataPath: String? = nil) throws {
        handle = try TesseractHandle(languages: languages, dataPath: dataPath)
    }

    /// Returns one recognition per image, in the same order; empty for an image with a side under 8 pixels.
    ///
    /// - Throws: ``TesseractError/recognitionFailed(code:width:height:)``.
    package func recognize(_ lines: [RasterImage]) throws -> (lines: [LineRecognition], inferenceTime: Duration) {
        let clock = ContinuousClock()
        let start = clock.now
        let recognitions = try lines.map { image in
            let found = try TesseractPage(image).map { page in
                try handle.lines(in: page.image, layout: .singleLine)
            }
            guard let line = TesseractLine(joining: found ?? []), line.holdsText else {
                return LineRecognition(text: "", confidence: 0)
            }
            return LineRecognition(text: line.text, confidence: line.confidence)
        }
        return (recognitions, start.duration(to: clock.now))
    }
}
