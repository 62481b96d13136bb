/// A table of texts, ready to be set: in Markdown, on a terminal, in CSV, on a page.
///
/// Cells may stress a part with `**` and mark code with a backtick, as Markdown does; other renderings leave the
/// marks out.
package struct Table: Sendable, Equatable {
    /// A column: its heading, the one unit of all its figures, and the alignment of its cells.
    package struct Column: Sendable, Equatable, ExpressibleByStringLiteral {
        package var heading: String
        /// Unit, printed once, in the heading; nil if cells are not figures, or contain their units themselves.
        package var unit: String?
        /// Whether cells are set to the right, as figures are.
        package var isNumber: Bool

        package init(stringLiteral heading: String) { self.init(heading, isNumber: false) }

        init(_ heading: String, unit: String? = nil, isNumber: Bool) {
            (self.heading, self.unit, self.isNumber) = (heading, unit, isNumber)
        }

        package static func text(_ heading: String) -> Column { Column(heading, isNumber: false) }

        /// Returns a column of figures, all in one unit.
        package static func number(_ heading: String, _ unit: String? = nil) -> Column {
            Column(heading, unit: unit, isNumber: true)
        }

        /// "P95 (ms)".
        package var label: String { unit.map { "\(heading) (\($0))" } ?? heading }
    }

    package var title: String
    /// Note about the figures, their evidence class, and their origin; may be empty.
    package var note: String
    package var columns: [Column]
    package var rows: [[String]]

    /// - Precondition: the number of texts in each row equals the number of columns.
    package init(_ title: String = "", note: String = "", columns: [Column], rows: [[String]]) {
        precondition(rows.allSatisfy { $0.count == columns.count }, "a row has a text for each column")
        (self.title, self.note, self.columns, self.rows) = (title, note, columns, rows)
    }

    /// Creates a table whose headings contain the columns' units, if any; columns from `numbersFrom` on are figures.
    package init(_ title: String = "", note: String = "", columns: [String], rows: [[String]], numbersFrom: Int = 1) {
        let columns = columns.enumerated().map { Column($1, isNumber: $0 >= numbersFrom) }
        self.init(title, note: note, columns: columns, rows: rows)
    }

    /// The table without marks for stress and code in its cells, as a page shows it.
    package var plain: Table {
        var table = self
        table.rows = rows.map { $0.map(Markdown.plain) }
        return table
    }

    /// Number of key columns at the left: those before the first figure, two at most.
    var keys: Int {
        let texts = columns.prefix { !$0.isNumber }.count
        return texts < columns.count ? max(1, min(2, texts)) : 1
    }
}

/// Stored as `columns`, their labels, and `numbersFrom`, the first one that is set to the right.
extension Table: Codable {
    private struct Stored: Codable {
        var title: String
        var note: String
        var columns: [String]
        var rows: [[String]]
        var numbersFrom: Int
    }

    package init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        guard stored.rows.allSatisfy({ $0.count == stored.columns.count }) else {
            let problem = "a row has not as many texts as there are columns"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
        }
        self.init(
            stored.title,
            note: stored.note,
            columns: stored.columns,
            rows: stored.rows,
            numbersFrom: stored.numbersFrom
        )
    }

    package func encode(to encoder: any Encoder) throws {
        let numbersFrom = columns.firstIndex { $0.isNumber } ?? .max
        try Stored(title: title, note: note, columns: columns.map(\.label), rows: rows, numbersFrom: numbersFrom)
            .encode(to: encoder)
    }
}
