import Basics
import Foundation
package import SpineDatasets

package enum SynthesisError: Error, Equatable, CustomStringConvertible {
    case canvas(width: Int, height: Int, status: String)
    case specification(String)
    /// The font found for `family` has no glyph for something in `text`.
    case missingGlyphs(family: String, text: String)
    /// Missing fonts: none of the generator's fonts is installed.
    case noFonts(packages: [String])
    case notEmpty(path: String)
    /// Faults of a user's list of titles; never empty.
    case titles([DatasetFault])
    /// Texts of a user's list of titles that no installed font can write.
    case unwritable(file: String, texts: [String])
    case options(String)

    package var description: String {
        switch self {
        case .canvas(let width, let height, let status):
            "Cairo cannot make a canvas of \(width) × \(height) pixels: \(status)"
        case .specification(let fault): "the spine's specification cannot be drawn: \(fault)"
        case .missingGlyphs(let family, let text):
            "the font \(family) cannot write “\(text)”: choose another typeface for this text"
        case .noFonts(let packages):
            "no suitable font is installed: run 'make setup', or install one of \(packages.joined(separator: ", "))"
        case .notEmpty(let path): "\(path) is not empty: specify a new folder, or remove this one first"
        case .titles(let faults):
            (["\(faults.count) fault\(faults.count == 1 ? "" : "s") in the list of titles"]
                + faults.map { "  \($0)" }).joined(separator: "\n")
        case .unwritable(let file, let texts):
            "\(file): no installed font can write \(texts.prefix(5).map { "“\($0)”" }.joined(separator: ", "))"
                + (texts.count > 5 ? " and \(texts.count - 5) more" : "") + ": remove them from the list"
        case .options(let problem): problem
        }
    }
}

/// The generator's only source of chance, independent of how the standard library turns bits into a range.
struct SeededGenerator: Sendable {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(state: seed) }

    mutating func next() -> UInt64 { random.next() }

    /// Returns a separate generator for one part of the work: more draws here do not change the drawings there.
    mutating func split() -> SeededGenerator { SeededGenerator(seed: next()) }

    mutating func unit() -> Double { random.nextDouble() }

    mutating func number(in range: ClosedRange<Double>) -> Double { range.lowerBound + unit() * range.span }

    /// Returns a number evenly distributed in `range`, both ends included.
    mutating func integer(in range: ClosedRange<Int>) -> Int { range.lowerBound + Int(unit() * Double(range.count)) }

    mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    /// Returns one of `elements`, of which there is one at least.
    mutating func element<Element>(of elements: [Element]) -> Element {
        precondition(!elements.isEmpty, "no options to choose from")
        return elements[integer(in: 0...elements.count - 1)]
    }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var result = elements
        for last in stride(from: result.count - 1, to: 0, by: -1) {
            result.swapAt(last, integer(in: 0...last))
        }
        return result
    }
}
