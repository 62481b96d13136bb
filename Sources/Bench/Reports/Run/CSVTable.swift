package import Basics
import Evaluation

/// Table in CSV by RFC 4180, with lines that end in a line feed alone, and without formulas in cells.
package struct CSVTable {
    private var text: String
    private let columns: Int

    package init(_ headings: [String]) {
        (text, columns) = (CSV.line(headings), headings.count)
    }

    package var bytes: [UInt8] { Array(text.utf8) }

    /// Adds a row, which has a field for each heading.
    package mutating func add(_ fields: [String]) {
        assert(fields.count == columns, "\(fields.count) fields below \(columns) headings")
        text += CSV.line(fields, guardsFormulas: true)
    }

    /// Returns the number; empty without one.
    package static func number(_ figure: Figure, _ decimals: Int) -> String {
        figure.value.map { NumberText.fixed($0, decimals) } ?? ""
    }
}
