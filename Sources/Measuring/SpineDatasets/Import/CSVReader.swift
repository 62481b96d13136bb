import Foundation

/// Reads a table with a header: RFC 4180, and with semicolons or tabs for commas.
///
/// A quote in a field that does not begin with one stands for itself, as in `9" disc`.
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

    /// What a row may have at most before a quote that is not closed counts as a fault of the line it is in.
    private static let maximumRow = 1 << 16

    private var reader: LineReader
    /// Lines that were read ahead in search of a closing quote.
    private var waiting: [(number: Int, bytes: [UInt8])] = []
    private let separator: UInt8
    /// The names of the columns.
    private(set) var header: [String] = []
    /// What separates fields, in words.
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
        var reader = try LineReader(path)
        var first = try reader.next()
        while let line = first, line.isBlank { first = try reader.next() }
        guard let first else { throw refused("empty; expected a header with the names of the columns") }
        guard !first.starts(with: [0xFF, 0xFE]), !first.starts(with: [0xFE, 0xFF]) else {
            throw refused("UTF-16; save the table as UTF-8", line: reader.number)
        }
        waiting = [(reader.number, first)]
        separator = Self.separator(of: first)
        self.reader = reader
        switch try next()?.content {
        case .fields(let names): header = names.map { $0.trimmingCharacters(in: .whitespaces) }
        case .fault(let message): throw refused("the header: \(message)", line: waiting.first?.number)
        case nil: throw refused("empty; expected a header with the names of the columns")
        }
    }

    /// The next row that is not blank; nil at the end.
    mutating func next() throws(DatasetError) -> Row? {
        while let (number, bytes) = try nextLine() {
            if bytes.isBlank { continue }
            var parser = RowParser(separator: separator)
            parser.take(bytes)
            var ahead: [(number: Int, bytes: [UInt8])] = []
            var length = bytes.count
            while parser.isQuoted, length <= Self.maximumRow, let following = try nextLine() {
                length += following.bytes.count + 1
                ahead.append(following)
                parser.take(following.bytes)
            }
            if parser.isQuoted {
                // The lines after it may be whole rows: only the one with the quote is bad.
                waiting = ahead + waiting
                return Row(
                    line: number,
                    content: .fault("a quote is opened and never closed; double a quote that is text")
                )
            }
            return Row(line: number, content: parser.end())
        }
        return nil
    }

    private mutating func nextLine() throws(DatasetError) -> (number: Int, bytes: [UInt8])? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        guard let bytes = try reader.next() else { return nil }
        return (reader.number, bytes)
    }

    /// The separator that stands most often in the header, outside quotes; a comma when there is none.
    private static func separator(of header: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in header {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        return candidates.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? candidates[0]
    }
}

/// Splits one row, which may go over several lines.
private struct RowParser {
    let separator: UInt8
    private var fields: [[UInt8]] = [[]]
    private var state = State.start
    private var fault: String?

    private enum State { case start, plain, quoted, closed }

    init(separator: UInt8) { self.separator = separator }

    /// Whether the row goes on in the next line.
    var isQuoted: Bool { state == .quoted }

    mutating func take(_ line: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        if state == .quoted { add(0x0A) }
        for byte in line {
            switch (state, byte) {
            case (.quoted, quote): state = .closed
            case (.quoted, _): add(byte)
            case (.closed, quote):
                add(quote)
                state = .quoted
            case (_, separator):
                fields.append([])
                state = .start
            case (.start, quote): state = .quoted
            case (.start, _), (.plain, _):
                add(byte)
                state = .plain
            case (.closed, 0x20): break
            case (.closed, _):
                fault = fault ?? "text after the closing quote of field \(fields.count); double a quote that is text"
            }
        }
    }

    func end() -> CSVReader.Row.Content {
        if let fault { return .fault(fault) }
        let texts = fields.map(\.utf8Text)
        for (index, text) in texts.enumerated() where text == nil {
            return .fault("field \(index + 1) is not UTF-8; save the table as UTF-8")
        }
        return .fields(texts.compactMap { $0 })
    }

    private mutating func add(_ byte: UInt8) { fields[fields.count - 1].append(byte) }
}
