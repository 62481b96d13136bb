import Basics
import Foundation

/// Rows of a table with a header: RFC 4180, and with semicolons or tabs for commas.
struct CSVReader {
    /// One row: where it begins, and its fields or what is wrong with it.
    struct Row {
        var line: Int
        var content: Content

        enum Content: Equatable {
            case fields([String])
            case fault(String)
        }
    }

    private let bytes: [UInt8]
    private let separator: UInt8
    private var splitter: RecordSplitter
    /// The names of the columns.
    private(set) var header: [String] = []

    /// Separator of the fields, in words.
    var separatorName: String {
        switch separator {
        case UInt8(ascii: ";"): "semicolons"
        case UInt8(ascii: "\t"): "tabs"
        default: "commas"
        }
    }

    /// Reads the header.
    ///
    /// - Throws: `DatasetError` when there is none, or it cannot be read.
    init(_ path: String) throws(DatasetError) {
        func refused(_ message: String, line: Int? = nil) -> DatasetError {
            .faults(path: path, faults: [DatasetFault(file: path, line: line, message: message)])
        }
        do {
            bytes = Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .operation(path: path, problem: "cannot be read: \(error.systemReason)")
        }
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            throw refused("UTF-16; save the table as UTF-8", line: 1)
        }
        let lines = bytes[start...].split(separator: 0x0A, maxSplits: 64).lazy
        separator = CSV.separator(of: lines.first { !Array($0).isBlank } ?? [])
        splitter = RecordSplitter(.table(separator: separator), from: start)
        let first = next()
        switch first?.content {
        case .fields(let names): header = names.map { $0.trimmingCharacters(in: .whitespaces) }
        case .fault(let message): throw refused("the header: \(message)", line: first?.line)
        case nil: throw refused("empty; expected a header with the names of the columns")
        }
    }

    /// The next row that is not blank; nil at the end.
    mutating func next() -> Row? {
        bytes.withUnsafeBufferPointer { bytes in
            guard let span = splitter.next(1, in: bytes).first else { return nil }
            // The lines after it may be whole rows: only the one with the quote is bad.
            if span.isUnclosed {
                let message = "a quote is opened and never closed; double a quote that is text"
                return Row(line: span.line, content: .fault(message))
            }
            do throws(RowFault) {
                let row = try TableRow(UnsafeBufferPointer(rebasing: bytes[span.range]), separator: separator)
                return Row(line: span.line, content: .fields(try row.texts()))
            } catch {
                return Row(line: span.line, content: .fault(error.reason))
            }
        }
    }
}
