import Basics
import Foundation

/// Converts the rows of one list to records; a value, so that all cores can use it.
struct ListParser: Sendable {
    /// Outcome of a row.
    enum Outcome: Sendable {
        case book(ListedBook, hasWrongISBN: Bool)
        case bad(String)
        case other
    }

    let format: ListFormat
    let mapping: ColumnMapping?
    var assembler = BookAssembler()
    /// Names of Open Library's authors, by their keys.
    var authorNames: [String: String] = [:]

    /// - Throws: ``CatalogueError/source(path:problem:)`` when the list cannot be read as one.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        columns: [BookField: String],
        path: String
    ) throws(CatalogueError) {
        format = try ListFormat.guess(bytes, path: path)
        var splitter = Self.splitter(format, bytes)
        switch format {
        case .openLibrary: mapping = nil
        case .jsonLines:
            var names: Set<String> = []
            for span in splitter.next(100, in: bytes) {
                if let members = try? JSONValue.row(UnsafeBufferPointer(rebasing: bytes[span.range])) {
                    names.formUnion(members.keys)
                }
            }
            guard !names.isEmpty else {
                throw .source(
                    path: path,
                    problem: "has no JSON object on a line; expected one per line, as written by 'jq -c .'"
                )
            }
            mapping = try ColumnMapping(header: names.sorted(), named: columns, path: path)
        case .table(let separator):
            let first = splitter.next(1, in: bytes)
            guard let span = first.first, !span.isUnclosed,
                let row = try? TableRow(UnsafeBufferPointer(rebasing: bytes[span.range]), separator: separator)
            else { throw .source(path: path, problem: "has no header; expected a row with the names of the columns") }
            mapping = try ColumnMapping(header: (0..<row.count).map { row[$0] }, named: columns, path: path)
            assembler.turnsAuthors = turnsAuthors(splitter.next(2_000, in: bytes), separator, bytes)
        }
    }

    func splitter(in bytes: UnsafeBufferPointer<UInt8>) -> RecordSplitter {
        var splitter = Self.splitter(format, bytes)
        if case .table = format { _ = splitter.next(1, in: bytes) }
        return splitter
    }

    private static func splitter(_ format: ListFormat, _ bytes: UnsafeBufferPointer<UInt8>) -> RecordSplitter {
        if case .table = format { RecordSplitter(CSV.opening(of: bytes)) } else { RecordSplitter(.lines, from: 0) }
    }

    func parse(_ span: RecordSplitter.Span, in bytes: UnsafeBufferPointer<UInt8>) -> Outcome {
        let row = UnsafeBufferPointer(rebasing: bytes[span.range])
        guard row.allSatisfy({ $0 < 0x80 }) || String(validating: row, as: UTF8.self) != nil else {
            return .bad("not UTF-8; save the list as UTF-8")
        }
        do throws(RowFault) {
            let assembled: BookAssembler.Assembled
            switch format {
            case .table(let separator):
                guard let record = try tableRow(row, separator) else { return .other }
                assembled = record
            case .jsonLines: assembled = try jsonRow(row)
            case .openLibrary:
                guard let record = try OpenLibraryRow(row).book(assembler, authorNames) else { return .other }
                assembled = record
            }
            return .book(ListedBook(assembled.book), hasWrongISBN: assembled.hasWrongISBN)
        } catch {
            return .bad(error.reason)
        }
    }

    private func tableRow(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ separator: UInt8
    ) throws(RowFault) -> BookAssembler.Assembled? {
        guard let mapping else { return nil }
        let row = try TableRow(bytes, separator: separator)
        let expected = mapping.header.count
        guard row.count == expected || (row.count > expected && row.isEmpty(from: expected)) else {
            throw RowFault("\(row.count) fields; expected \(expected), as in the header")
        }
        if let kind = mapping.kind, !row[kind].isEmpty, !row[kind].lowercased().contains("book") { return nil }
        return try assembler.assemble { field in
            let columns = (mapping.columns[field] ?? []).filter { !row[$0].isEmpty }
            guard field == .authors else { return columns.map { row[$0] } }
            return columns.prefix(1).map { column in
                mapping.turnedColumns.contains(column) && !assembler.turnsAuthors
                    ? AuthorName.split(row[column], isTurned: true).joined(separator: "; ") : row[column]
            }
        }
    }

    private func jsonRow(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowFault) -> BookAssembler.Assembled {
        let members = try JSONValue.row(bytes)
        return try assembler.assemble { field in
            guard let mapping, let columns = mapping.columns[field] else { return [] }
            let texts = columns.map { members[mapping.header[$0]]?.texts ?? [] }
            // Numbers and further authors may have several names; of others, the best name that has any counts.
            return [.isbn, .furtherAuthors].contains(field) ? texts.flatMap(\.self) : texts.first { !$0.isEmpty } ?? []
        }
    }

    /// Returns whether most names with a comma have the form "Last, First".
    private func turnsAuthors(
        _ spans: [RecordSplitter.Span],
        _ separator: UInt8,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let mapping, let column = mapping.columns[.authors]?.first else { return false }
        if mapping.turnedColumns.contains(column) { return true }
        // goodbooks-10k writes "Homer, Robert Fagles": an author and a translator.
        if mapping.header.contains("original_title"), mapping.header.contains("book_id") { return false }
        let fields = spans.compactMap { span -> String? in
            let bytes = UnsafeBufferPointer(rebasing: bytes[span.range])
            return (try? TableRow(bytes, separator: separator)).map { $0[column] }
        }
        // "Last, First; Last, First" is as clear as one name.
        let withComma = fields.flatMap { $0.split(separator: ";") }.filter { $0.utf8.contains(UInt8(ascii: ",")) }
        return 2 * withComma.count { AuthorName.looksTurned(String($0.trimmed)) } > withComma.count
    }
}

/// Format of a book list.
package enum ListFormat: Sendable, Equatable, CustomStringConvertible {
    case table(separator: UInt8)
    case jsonLines
    /// A dump of Open Library: type, key, revision, time and JSON, with tabs between.
    case openLibrary

    package var description: String {
        switch self {
        case .table(UInt8(ascii: ",")): "csv"
        case .table(UInt8(ascii: ";")): "csv with semicolons"
        case .table(UInt8(ascii: "\t")): "tsv"
        case .table: "table"
        case .jsonLines: "jsonl"
        case .openLibrary: "Open Library dump"
        }
    }

    /// Returns the format guessed from the first line.
    ///
    /// - Throws: ``CatalogueError/source(path:problem:)`` when it is not text, or is empty.
    static func guess(_ bytes: UnsafeBufferPointer<UInt8>, path: String) throws(CatalogueError) -> ListFormat {
        if bytes.starts(with: [0x1F, 0x8B]) {
            throw .source(path: path, problem: "is compressed; unpack it with 'gunzip'")
        }
        if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            throw .source(path: path, problem: "is a ZIP archive or a spreadsheet; save the list as CSV")
        }
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }) else { throw .source(path: path, problem: "is empty") }
        let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
        if line.contains(0) {
            throw .source(path: path, problem: "is not text; expected a table, JSON lines or a dump")
        }
        if line.first == UInt8(ascii: "{") { return .jsonLines }
        if line.first == UInt8(ascii: "[") {
            throw .source(
                path: path,
                problem: "is one JSON array; expected one object per line, as written by 'jq -c .[]'"
            )
        }
        if line.starts(with: Array("/type/".utf8)), line.count(where: { $0 == 0x09 }) >= 4 { return .openLibrary }
        return .table(separator: CSV.opening(of: bytes).separator)
    }
}

/// A book list as bytes; the system loads only the parts that are used.
struct MappedList {
    private let data: Data

    /// - Throws: ``CatalogueError/source(path:problem:)`` when the file cannot be read.
    init(_ path: String) throws(CatalogueError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .source(path: path, problem: "does not exist")
        }
        if isFolder.boolValue { throw .source(path: path, problem: "is a folder; expected a book list") }
        do {
            let mapped = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
            data = mapped.withUnsafeBytes { CSV.converted($0.bindMemory(to: UInt8.self)) }.map { Data($0) } ?? mapped
        } catch {
            throw .source(path: path, problem: "cannot be read: \(error.systemReason)")
        }
    }

    func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Value) rethrows -> Value {
        try data.withUnsafeBytes { raw in
            let bytes = raw.bindMemory(to: UInt8.self)
            return try body(UnsafeBufferPointer(rebasing: bytes.withoutByteOrderMark))
        }
    }
}
