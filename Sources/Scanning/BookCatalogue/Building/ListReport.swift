/// Report of reading a list.
package struct ListReport: Sendable, Equatable {
    /// The file, as it was named.
    package var path: String
    /// Format that it was read as.
    package var format: ListFormat
    /// "title ← name of a column", a line each; empty for a format without columns.
    package var mapping: [String]
    /// All rows, without the header.
    package var rows = 0
    /// Of them, those that gave a record.
    package var books = 0
    /// Of a dump: those that are no books.
    package var others = 0
    /// Books whose ISBN was left out because it is wrong.
    package var wrongISBNs = 0
    /// Rows that gave no record.
    package var badRows = 0
    /// The first of them.
    package var listed: [BadRow] = []

    /// Number of bad rows that are kept to be listed.
    package static let listedMaximum = 50
}

/// A row that gave no record.
package struct BadRow: Sendable, Equatable, CustomStringConvertible {
    package var path: String
    /// Where it begins, counted from 1.
    package var line: Int
    package var reason: String

    package var description: String { "\(path):\(line): \(reason)" }
}
