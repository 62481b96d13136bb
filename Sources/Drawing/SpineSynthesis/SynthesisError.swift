package import SpineDatasets

/// Why a spine could not be rendered or a data set not written.
package enum SynthesisError: Error, Equatable, CustomStringConvertible {
    /// Cairo could not make a drawing surface of this size; `status` is its own message.
    case canvas(width: Int, height: Int, status: String)
    /// A specification asks for something that cannot be drawn.
    case specification(String)
    /// The font found for `family` has no glyph for something in `text`.
    case missingGlyphs(family: String, text: String)
    /// None of the fonts that the generator draws with is installed.
    case noFonts(packages: [String])
    /// The folder to write to exists and has something in it.
    case notEmpty(path: String)
    /// Every fault of a user's list of titles; never empty.
    case titles([DatasetFault])
    /// Texts of a user's list of titles that no installed font can write.
    case unwritable(file: String, texts: [String])
    /// Options that make no sense.
    case options(String)

    package var description: String {
        switch self {
        case .canvas(let width, let height, let status):
            "Cairo cannot make a canvas of \(width) × \(height) pixels: \(status)"
        case .specification(let fault):
            "the spine's specification cannot be drawn: \(fault)"
        case .missingGlyphs(let family, let text):
            "the font \(family) cannot write “\(text)”: choose another typeface for this text"
        case .noFonts(let packages):
            "no font to draw with is installed: run 'make setup', or install one of \(packages.joined(separator: ", "))"
        case .notEmpty(let path):
            "\(path) is not empty: name a new folder, or remove this one first"
        case .titles(let faults):
            (["\(faults.count) fault\(faults.count == 1 ? "" : "s") in the list of titles"]
                + faults.map { "  \($0)" }).joined(separator: "\n")
        case .unwritable(let file, let texts):
            "\(file): no installed font can write \(texts.prefix(5).map { "“\($0)”" }.joined(separator: ", "))"
                + (texts.count > 5 ? " and \(texts.count - 5) more" : "") + ": take them out of the list"
        case .options(let problem): problem
        }
    }
}
