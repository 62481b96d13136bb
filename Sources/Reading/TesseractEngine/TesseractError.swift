/// Error of Tesseract.
public enum TesseractError: Error, Equatable {
    /// Tesseract does not start with these languages; `dataPath` is where it looks for `LANGUAGE.traineddata`, empty
    /// when it does not say.
    case languagesMissing(languages: String, dataPath: String)
    /// Tesseract gave no handle at all.
    case outOfMemory
    /// Recognition of an image of this size, in pixels, failed with Tesseract's own code.
    case recognitionFailed(code: Int, width: Int, height: Int)
}

extension TesseractError: CustomStringConvertible {
    /// Message: what is wrong, and what to do about it.
    public var description: String {
        switch self {
        case .languagesMissing(let languages, let dataPath):
            let place = dataPath.isEmpty ? "its data folder" : "'\(dataPath)'"
            return """
                Tesseract cannot load the language data '\(languages)' from \(place). Run 'make setup' (Debian's package \
                tesseract-ocr-eng), or set TESSDATA_PREFIX to the folder with the .traineddata files.
                """
        case .outOfMemory:
            return "Tesseract could not be created: out of memory."
        case .recognitionFailed(let code, let width, let height):
            return "Tesseract failed (code \(code)) on an image of \(width)×\(height) pixels."
        }
    }
}
