internal import CTesseract
internal import Imaging

/// One line as Tesseract lays it out, in the pixels of the image it was given.
struct TesseractLine: Equatable {
    var text: String
    /// Mean word confidence, weighted by length, 0…1.
    var confidence: Double
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int
}

/// Page layouts of Tesseract; the raw values are its own page segmentation modes.
enum TesseractLayout: UInt32 {
    /// The image is one line.
    case singleLine = 7
    /// All text, in no particular order.
    case sparse = 11
}

/// Owns one Tesseract engine.
///
/// Not thread-safe: share it in a `Mutex`.
final class TesseractHandle {
    private let api: OpaquePointer

    /// Starts Tesseract: about 0.1 s, most of it reading the language data.
    ///
    /// - Throws: ``TesseractError`` when the language data cannot be loaded.
    init(languages: String, dataPath: String?) throws {
        guard let api = TessBaseAPICreate() else { throw TesseractError.outOfMemory }
        self.api = api
        // Both libraries write warnings about ordinary photographs to standard error.
        spinebench_silence_leptonica()
        TessBaseAPISetVariable(api, "debug_file", "/dev/null")
        guard TessBaseAPIInit3(api, dataPath, languages) == 0 else {
            throw TesseractError.languagesMissing(languages: languages, dataPath: Self.dataPath(of: api))
        }
    }

    deinit {
        TessBaseAPIEnd(api)
        TessBaseAPIDelete(api)
    }

    var installation: TesseractInstallation {
        var languages: [String] = []
        if let names = TessBaseAPIGetAvailableLanguagesAsVector(api) {
            defer { TessDeleteTextArray(names) }
            var index = 0
            while let name = names[index] {
                languages.append(String(cString: name))
                index += 1
            }
        }
        let version = TessVersion().map { String(cString: $0) } ?? "unknown"
        return TesseractInstallation(version: version, dataPath: Self.dataPath(of: api), languages: languages.sorted())
    }

    private static func dataPath(of api: OpaquePointer) -> String {
        TessBaseAPIGetDatapath(api).map { String(cString: $0) } ?? ""
    }

    /// Returns the lines of text in a grey image whose sides are at least ``TesseractPage/smallestSide`` and at most
    /// ``TesseractPage/longestSide`` pixels.
    ///
    /// - Throws: ``TesseractError/recognitionFailed(code:width:height:)``.
    func lines(in image: RasterImage, layout: TesseractLayout) throws -> [TesseractLine] {
        precondition(image.channels == 1, "Tesseract is given grey images")
        spinebench_disable_openmp_on_this_thread()
        TessBaseAPISetPageSegMode(api, TessPageSegMode(rawValue: layout.rawValue))
        // Frees the copy of the image and the results, so that a reader at rest holds only its model.
        defer { TessBaseAPIClear(api) }
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
        return TesseractLine(
            text: text,
            confidence: min(max(percent / 100, 0), 1),
            left: Int(left),
            top: Int(top),
            right: Int(right),
            bottom: Int(bottom)
        )
    }
}

extension TesseractLine {
    /// Whether it contains a letter or digit: edges, ornaments and empty images are read as lines of punctuation.
    var holdsText: Bool { text.contains { $0.isLetter || $0.isNumber } }

    /// Creates the words of one line in one piece; nil when there are none.
    init?(joining words: [TesseractLine]) {
        guard var line = words.first else { return nil }
        for word in words.dropFirst() {
            line.left = min(line.left, word.left)
            line.top = min(line.top, word.top)
            line.right = max(line.right, word.right)
            line.bottom = max(line.bottom, word.bottom)
        }
        let characters = words.reduce(0) { $0 + $1.text.count }
        line.text = words.map(\.text).joined(separator: " ")
        line.confidence = words.reduce(0) { $0 + $1.confidence * Double($1.text.count) } / Double(characters)
        self = line
    }
}
