package import Basics
import Documents
import Evaluation

/// A table in CSV as RFC 4180 has it, with lines that end in a line feed alone, and no cell that is a formula.
package struct CSVTable {
    private var text: String

    package init(_ headings: [String]) {
        text = CSV.line(headings)
    }

    package var bytes: [UInt8] { Array(text.utf8) }

    package mutating func add(_ fields: [String]) {
        text += CSV.line(fields, guardsFormulas: true)
    }

    /// Empty when there is no number.
    package static func number(_ figure: Figure, _ decimals: Int) -> String {
        figure.value.map { NumberText.fixed($0, decimals) } ?? ""
    }
}
