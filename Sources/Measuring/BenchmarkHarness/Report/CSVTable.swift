import Basics

/// A table in CSV as RFC 4180 has it, with lines that end in a line feed alone.
struct CSVTable {
    private var text: String

    init(_ headings: [String]) {
        text = CSV.line(headings)
    }

    var bytes: [UInt8] { Array(text.utf8) }

    mutating func add(_ fields: [String]) {
        text += CSV.line(fields)
    }

    /// Empty when there is no number.
    static func number(_ figure: Figure, _ decimals: Int) -> String {
        figure.value.map { NumberText.fixed($0, decimals) } ?? ""
    }
}
