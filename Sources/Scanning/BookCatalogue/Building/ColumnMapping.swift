import Basics

/// Which columns of a list hold what.
package struct ColumnMapping: Sendable, Equatable {
    /// The columns of each field, the best first; the first that has something in a row counts.
    private(set) var columns: [BookField: [Int]] = [:]
    /// The names of all columns of the list.
    let header: [String]

    /// Guesses by the names of the columns, but for those that are told.
    ///
    /// - Parameters:
    ///   - header: the names of all columns of the list.
    ///   - told: the column of a field; "-" for none.
    ///   - path: of the list, for errors.
    /// - Throws: ``CatalogueError/source(path:problem:)`` when a column that is told is not there, or none has the title.
    init(header: [String], told: [BookField: String], path: String) throws(CatalogueError) {
        self.header = header
        let plain = header.map(Self.plain)
        for field in BookField.allCases {
            guard let name = told[field] else {
                let found = field.usualNames.compactMap { plain.firstIndex(of: $0) }
                if !found.isEmpty { columns[field] = found }
                continue
            }
            if name == "-" { continue }
            guard let index = header.firstIndex(of: name) ?? plain.firstIndex(of: Self.plain(name)) else {
                throw .source(path: path, problem: "has no column \"\(name)\"; it has \(Self.list(header))")
            }
            columns[field] = [index]
        }
        guard columns[.title] != nil else {
            throw .source(
                path: path,
                problem:
                    "has no column that looks like a title; name one out of \(Self.list(header)) by --column title=NAME"
            )
        }
    }

    /// "title ← title, original_title", a line for each field that the list has.
    package var lines: [String] {
        BookField.allCases.compactMap { field in
            columns[field].map { "\(field.rawValue) ← \($0.map { header[$0] }.joined(separator: ", "))" }
        }
    }

    private static func plain(_ name: String) -> String {
        FoldedText(name).joined
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(40).map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
