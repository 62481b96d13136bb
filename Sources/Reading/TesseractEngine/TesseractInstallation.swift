/// The Tesseract that this process can use.
public struct TesseractInstallation: Sendable, Equatable {
    /// As the library gives it, such as "5.3.0".
    public var version: String
    /// The folder that its `.traineddata` files come from.
    public var dataPath: String
    /// Every language that has a file there, sorted.
    public var languages: [String]

    /// Looks for Tesseract by starting it with the given languages.
    ///
    /// - Parameters:
    ///   - languages: what to read, in Tesseract's notation, such as "eng" or "eng+fra".
    ///   - dataPath: the folder of the `.traineddata` files; nil for `TESSDATA_PREFIX` or the library's own default.
    /// - Returns: what it says of itself.
    /// - Throws: ``TesseractError`` with the reason, when it does not start.
    public static func find(languages: String = "eng", dataPath: String? = nil) throws -> TesseractInstallation {
        try TesseractHandle(languages: languages, dataPath: dataPath).installation
    }
}
