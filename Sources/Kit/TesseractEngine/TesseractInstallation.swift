/// The Tesseract that this process can use.
package struct TesseractInstallation: Sendable, Equatable {
    /// Version as the library reports it, such as "5.3.0".
    package var version: String
    /// Folder of the `.traineddata` files.
    package var dataPath: String
    /// Every language that has a file there, sorted.
    package var languages: [String]

    /// Finds Tesseract by starting it with the given languages.
    ///
    /// - Parameters:
    ///   - languages: to read, in Tesseract's notation, such as "eng" or "eng+fra".
    ///   - dataPath: the folder of the `.traineddata` files; nil for `TESSDATA_PREFIX` or the library's own default.
    /// - Returns: the installation's description of itself.
    /// - Throws: ``TesseractError`` with the reason, when it does not start.
    package static func find(languages: String = "eng", dataPath: String? = nil) throws -> TesseractInstallation {
        try TesseractHandle(languages: languages, dataPath: dataPath).installation
    }
}

package enum TesseractError: Error, Equatable, CustomStringConvertible {
    /// Tesseract does not start with these languages; `dataPath` is its folder of `LANGUAGE.traineddata`, empty if it
    /// does not report it.
    case languagesMissing(languages: String, dataPath: String)
    /// The library is not installed: the reason, and the remedy.
    case missing(String)
    /// Tesseract gave no handle at all.
    case outOfMemory
    /// Recognition of an image of this size, in pixels, failed with Tesseract's own code.
    case recognitionFailed(code: Int, width: Int, height: Int)

    package var description: String {
        switch self {
        case .languagesMissing(let languages, let dataPath):
            let place = dataPath.isEmpty ? "its data folder" : "'\(dataPath)'"
            return """
                Tesseract cannot load the language data '\(languages)' from \(place). Run 'make setup' (Debian's package \
                tesseract-ocr-eng), or set TESSDATA_PREFIX to the folder with the .traineddata files.
                """
        case .missing(let problem): return problem
        case .outOfMemory:
            return "Tesseract could not be created: out of memory."
        case .recognitionFailed(let code, let width, let height):
            return "Tesseract failed (code \(code)) on an image of \(width)×\(height) pixels."
        }
    }
}
