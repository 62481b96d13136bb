package import Evaluation

/// A table in CSV as RFC 4180 has it, with lines that end in a line feed alone.
package struct CSVTable {
    private var text: String

    package init(_ headings: [String]) {
        text = headings.joined(separator: ",") + "\n"
    }

    package var bytes: [UInt8] { Array(text.utf8) }

    package mutating func add(_ fields: [String]) {
        text += fields.map(Self.quoted).joined(separator: ",") + "\n"
    }

    private static func quoted(_ field: String) -> String {
        let needsQuotes = field.unicodeScalars.contains { "\",\n\r".unicodeScalars.contains($0) }
        return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
    }

    /// Empty when there is no number.
    package static func number(_ figure: Figure, _ decimals: Int) -> String {
        figure.value.map { NumberText.fixed($0, decimals) } ?? ""
    }
}
