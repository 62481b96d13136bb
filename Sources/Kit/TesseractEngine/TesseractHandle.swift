internal import Basics
internal import CTesseract
internal import Foundation
internal import Imaging
internal import TextRecognition

/// One line as Tesseract lays it out, in the pixels of the image it was given.
struct TesseractLine: Equatable {
    var text: String
    /// Mean word confidence, weighted by length, 0…1.
    var confidence: Double
    /// Level rectangle.
    var box: Quad
}

/// Page layouts of Tesseract; the raw values are its own page segmentation modes.
enum TesseractLayout: UInt32 {
    /// The image is one line.
    case singleLine = 7
    /// All text, in no particular order.
    case sparse = 11
}

/// Owns one Tesseract engine, used by one call at a time: concurrent calls wait for each other.
///
/// `@unchecked Sendable`: the engine is used by the holder of `turn` alone.
final class TesseractHandle: @unchecked Sendable {
    let installation: TesseractInstallation
    private let api: OpaquePointer
    private let turn = NSLock()

    /// Starts Tesseract: about 0.1 s, most of it reading the language data.
    ///
    /// - Throws: ``TesseractError`` when the language data cannot be loaded.
    init(languages: String, dataPath: String?) throws {
        if let problem = SystemLibrary.tesseract.problem { throw TesseractError.missing(problem) }
        guard let api = TessBaseAPICreate() else { throw TesseractError.outOfMemory }
        self.api = api
        // Both libraries write warnings about ordinary photographs to standard error.
        spinebench_silence_leptonica()
        TessBaseAPISetVariable(api, "debug_file", "/dev/null")
        let status = TessBaseAPIInit3(api, dataPath, languages)
        let folder = TessBaseAPIGetDatapath(api).map { String(cString: $0) } ?? ""
        var (found, index) = ([String](), 0)
        if let names = TessBaseAPIGetAvailableLanguagesAsVector(api) {
            defer { TessDeleteTextArray(names) }
            while let name = names[index] {
                found.append(String(cString: name))
                index += 1
            }
        }
        let version = TessVersion().map { String(cString: $0) } ?? "unknown"
        installation = TesseractInstallation(version: version, dataPath: folder, languages: found.sorted())
        guard status == 0 else { throw TesseractError.languagesMissing(languages: languages, dataPath: folder) }
    }

    deinit {
        TessBaseAPIEnd(api)
        TessBaseAPIDelete(api)
    }

    /// Returns the lines of text in a grey image whose sides are at least ``TesseractPage/smallestSide`` and at most
    /// ``TesseractPage/longestSide`` pixels.
    ///
    /// - Throws: ``TesseractError/recognitionFailed(code:width:height:)``.
    func lines(in image: RasterImage, layout: TesseractLayout) throws -> [TesseractLine] {
        precondition(image.channels == 1, "Tesseract is given grey images")
        turn.lock()
        defer { turn.unlock() }
        spinebench_disable_openmp_on_this_thread()
        TessBaseAPISetPageSegMode(api, TessPageSegMode(rawValue: layout.rawValue))
        // Frees the copy of the image and the results, so that a reader at rest holds only its model.
        defer { TessBaseAPIClear(api) }
        WorkMeter.count(.recognitionCalls, 1, of: "tesseract")
        WorkMeter.count(.recognitionElements, image.pixels.count, of: "tesseract")
        let width = Int32(image.width)
        let height = Int32(image.height)
        let code = image.pixels.withUnsafeBufferPointer { pixels in
            TessBaseAPISetImage(api, pixels.baseAddress, width, height, 1, width)
            // A photograph has no resolution; without a figure Tesseract guesses one and prints that on every image.
            TessBaseAPISetSourceResolution(api, Self.assumedResolution)
            return TessBaseAPIRecognize(api, nil)
        }
        guard code == 0 else {
            throw TesseractError.recognitionFailed(code: Int(code), width: image.width, height: image.height)
        }
        return collectLines()
    }

    /// Dots per inch: the lowest that Tesseract accepts (`kMinCredibleResolution`), as it assumes itself for an image
    /// that names none.
    private static let assumedResolution: Int32 = 70

    private func collectLines() -> [TesseractLine] {
        guard let results = TessBaseAPIGetIterator(api) else { return [] }
        defer { TessResultIteratorDelete(results) }
        let page = TessResultIteratorGetPageIteratorConst(results)
        var lines: [TesseractLine] = []
        var words: [TesseractLine] = []
        repeat {
            if TessPageIteratorIsAtBeginningOf(page, RIL_TEXTLINE) != 0, let line = TesseractLine(joining: words) {
                lines.append(line)
                words = []
            }
            if let word = word(at: results, page: page) { words.append(word) }
        } while TessResultIteratorNext(results, RIL_WORD) != 0
        if let line = TesseractLine(joining: words) { lines.append(line) }
        return lines
    }

    private func word(at results: OpaquePointer, page: OpaquePointer?) -> TesseractLine? {
        guard let characters = TessResultIteratorGetUTF8Text(results, RIL_WORD) else { return nil }
        defer { TessDeleteText(characters) }
        let text = String(cString: characters).filter { !$0.isWhitespace }
        var (left, top, right, bottom): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard !text.isEmpty, TessPageIteratorBoundingBox(page, RIL_WORD, &left, &top, &right, &bottom) != 0 else {
            return nil
        }
        let percent = Double(TessResultIteratorConfidence(results, RIL_WORD))
        let box = Quad(left: Double(left), top: Double(top), right: Double(right), bottom: Double(bottom))
        return TesseractLine(text: text, confidence: min(max(percent / 100, 0), 1), box: box)
    }
}

extension TesseractLine {
    /// Whether it contains a letter or digit: edges, ornaments and empty images are read as lines of punctuation.
    var holdsText: Bool { text.contains { $0.isLetter || $0.isNumber } }

    /// Creates the words of one line in one piece; nil when there are none.
    init?(joining words: [TesseractLine]) {
        guard !words.isEmpty else { return nil }
        text = words.map(\.text).joined(separator: " ")
        let characters = words.reduce(0) { $0 + $1.text.count }
        confidence = words.reduce(0) { $0 + $1.confidence * Double($1.text.count) } / Double(characters)
        box = Quad(around: words.map(\.box))
    }
}
