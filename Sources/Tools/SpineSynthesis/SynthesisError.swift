import Basics

/// Reason why a dataset cannot be drawn.
package enum SynthesisError: Error, Equatable, CustomStringConvertible {
    /// An option, a folder or a list of titles that the user has to change.
    case input(String)
    /// None of the generator's fonts is installed.
    case noFonts(packages: [String])
    /// The font found for `family` has no glyph for something in `text`.
    case missingGlyphs(family: String, text: String)
    case drawing(String)

    package var description: String {
        switch self {
        case .input(let problem), .drawing(let problem): problem
        case .noFonts(let packages):
            "no suitable font is installed: run 'make setup', or install one of \(packages.joined(separator: ", "))"
        case .missingGlyphs(let family, let text):
            "the font \(family) cannot write “\(text)”: choose another typeface for this text"
        }
    }
}

/// The generator's only source of chance, independent of how the standard library turns bits into a range.
extension SplitMix64 {
    /// Returns a separate generator for one part of the work: more draws here do not change the drawings there.
    mutating func split() -> SplitMix64 { SplitMix64(state: next()) }

    mutating func number(in range: ClosedRange<Double>) -> Double { range.lowerBound + nextDouble() * range.span }

    /// Returns a number evenly distributed in `range`, both ends included.
    mutating func integer(in range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    mutating func chance(_ probability: Double) -> Bool { nextDouble() < probability }

    /// Returns one of `elements`, of which there is one at least.
    mutating func element<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
