import Basics
import Foundation

/// Format of a book list.
package enum ListFormat: Sendable, Equatable, CustomStringConvertible {
    /// A table with a header.
    case table(separator: UInt8)
    /// A JSON object a line.
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

    var framing: RecordSplitter.Framing {
        if case .table(let separator) = self { .table(separator: separator) } else { .lines }
    }

    /// Guesses by the first line.
    ///
    /// - Parameters:
    ///   - bytes: of the list, without a byte order mark.
    ///   - path: for errors.
    /// - Throws: ``CatalogueError/source(path:problem:)`` when it is no text, or empty.
    /// - Returns: the format.
    static func guess(_ bytes: UnsafeBufferPointer<UInt8>, path: String) throws(CatalogueError) -> ListFormat {
        if bytes.starts(with: [0x1F, 0x8B]) {
            throw .source(path: path, problem: "is compressed; unpack it by 'gunzip'")
        }
        if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            throw .source(path: path, problem: "is a ZIP archive or a spreadsheet; save the list as CSV")
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw .source(path: path, problem: "is UTF-16; save it as UTF-8")
        }
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }) else { throw .source(path: path, problem: "is empty") }
        let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
        if line.contains(0) { throw .source(path: path, problem: "is no text; expected a table, JSON lines or a dump") }
        if line.first == UInt8(ascii: "{") { return .jsonLines }
        if line.first == UInt8(ascii: "[") {
            throw .source(path: path, problem: "is one JSON array; expected an object a line, as 'jq -c .[]' writes it")
        }
        if line.starts(with: Array("/type/".utf8)), line.count(where: { $0 == 0x09 }) >= 4 { return .openLibrary }
        return .table(separator: CSV.separator(of: line))
    }
}
