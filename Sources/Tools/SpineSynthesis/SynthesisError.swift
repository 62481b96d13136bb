import Basics
import Foundation
package import SpineDatasets

/// Error of rendering a spine or writing a data set.
package enum SynthesisError: Error, Equatable, CustomStringConvertible {
    /// Cairo could not make a drawing surface of this size; `status` is its own message.
    case canvas(width: Int, height: Int, status: String)
    /// A specification asks for something that cannot be drawn.
    case specification(String)
    /// The font found for `family` has no glyph for something in `text`.
    case missingGlyphs(family: String, text: String)
    /// Missing fonts: none of the generator's fonts is installed.
    case noFonts(packages: [String])
    /// The folder to write to exists and has something in it.
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

/// The generator's only source of chance: the same seed gives the same numbers on every platform.
///
/// The draws below are written out here, because how the standard library turns bits into a range is not promised to
/// stay.
package struct SeededGenerator: Sendable {
    private var random: SplitMix64

    package init(seed: UInt64) { random = SplitMix64(state: seed) }

    /// Returns the next 64 bits.
    package mutating func next() -> UInt64 { random.next() }

    /// Returns a separate generator for one part of the work, so that more draws here do not change the drawings
    /// there.
    package mutating func split() -> SeededGenerator { SeededGenerator(seed: next()) }

    /// Returns a number evenly distributed in 0..<1, with 53 random bits.
    package mutating func unit() -> Double { random.nextDouble() }

    /// Returns a number evenly distributed in `range`.
    package mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// Returns a number evenly distributed in `range`, both ends included.
    package mutating func integer(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(unit() * Double(range.count))
    }

    /// Returns true with the given probability, 0…1.
    package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    /// Returns one of `elements`, each as likely as the others.
    ///
    /// - Precondition: `elements` is not empty.
    package mutating func element<Element>(of elements: [Element]) -> Element {
        precondition(!elements.isEmpty, "no options to choose from")
        return elements[integer(in: 0...elements.count - 1)]
    }

    /// Returns `elements` in random order (Fisher and Yates).
    package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var result = elements
        for last in stride(from: result.count - 1, to: 0, by: -1) {
            result.swapAt(last, integer(in: 0...last))
        }
        return result
    }
}
