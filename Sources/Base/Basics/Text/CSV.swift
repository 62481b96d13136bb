/// Tables as text: RFC 4180, and with semicolons or tabs for commas.
package enum CSV {
    /// A row with its line feed; fields are quoted where they have to be.
    ///
    /// With `guardsFormulas`, a text that a spreadsheet would take for a formula gets an apostrophe before it: what comes off
    /// photos and from servers must not run on whoever opens the file. Numbers stay as they are.
    package static func line(_ fields: [String], guardsFormulas: Bool = false) -> String {
        fields.map { field($0, guardsFormulas: guardsFormulas) }.joined(separator: ",") + "\n"
    }

    private static func field(_ text: String, guardsFormulas: Bool) -> String {
        var text = text
        // Source: OWASP, CSV Injection.
        if guardsFormulas, let first = text.utf8.first, "=+-@\t\r".utf8.contains(first), Double(text) == nil {
            text = "'" + text
        }
        // Some readers drop spaces at the ends of a field without quotes.
        let isSpaced = text.utf8.first == 0x20 || text.utf8.last == 0x20
        guard isSpaced || text.utf8.contains(where: { ",\"\n\r".utf8.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// The separator that stands most often in a header, outside quotes; a comma when there is none.
    package static func separator(of header: some Sequence<UInt8>) -> UInt8 {
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

/// Places of a list's records: where each begins and ends, without a look at what is in it.
package struct RecordSplitter: Sendable {
    package enum Framing: Sendable, Equatable {
        /// A record a line.
        case lines
        /// RFC 4180: a quoted field may have line ends in it.
        case table(separator: UInt8)
    }

    /// Where one record is, without its line end.
    package struct Span: Sendable {
        package var range: Range<Int>
        /// Where it begins, counted from 1.
        package var line: Int
        /// Whether a quote is opened in it that is never closed.
        package var isUnclosed = false
    }

    /// Longest quoted field in bytes, before its quote counts as one that is never closed.
    private static let maximumField = 1 << 16

    let framing: Framing
    private var position: Int
    private var line = 1

    /// Begins at `start`, behind a byte order mark.
    package init(_ framing: Framing, from start: Int) {
        self.framing = framing
        position = start
    }

    /// The next records that are not blank, `count` at most; none at the end.
    package mutating func next(_ count: Int, in bytes: UnsafeBufferPointer<UInt8>) -> [Span] {
        var spans: [Span] = []
        spans.reserveCapacity(count)
        while spans.count < count, position < bytes.count {
            let (start, firstLine) = (position, line)
            let isUnclosed = skipRecord(in: bytes)
            var end = position
            while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
            if bytes[start..<end].contains(where: { $0 != 0x20 && $0 != 0x09 }) {
                spans.append(Span(range: start..<end, line: firstLine, isUnclosed: isUnclosed))
            }
        }
        return spans
    }

    /// Moves behind the record's line end.
    ///
    /// - Returns: whether a quote is never closed; the position is then behind the first line.
    private mutating func skipRecord(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard case .table(let separator) = framing else {
            skipLine(in: bytes)
            return false
        }
        let start = position
        var (lineEnds, isFieldStart) = (0, true)
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == 0x0A { break }
            guard isFieldStart, byte == UInt8(ascii: "\"") else {
                isFieldStart = byte == separator
                continue
            }
            isFieldStart = false
            guard skipQuoted(in: bytes, &lineEnds) else {
                position = start
                skipLine(in: bytes)
                return true
            }
        }
        line += lineEnds + 1
        return false
    }

    /// Moves behind a field's closing quote; false when there is none.
    private mutating func skipQuoted(in bytes: UnsafeBufferPointer<UInt8>, _ lineEnds: inout Int) -> Bool {
        let limit = min(bytes.count, position + Self.maximumField)
        while position < limit {
            let byte = bytes[position]
            position += 1
            if byte == 0x0A { lineEnds += 1 }
            guard byte == UInt8(ascii: "\"") else { continue }
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return true }
            position += 1
        }
        return false
    }

    private mutating func skipLine(in bytes: UnsafeBufferPointer<UInt8>) {
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
        position = min(position + 1, bytes.count)
        line += 1
    }
}

/// Fields of a row of a table.
///
/// A quote in a field that does not begin with one stands for itself, as in `9" disc`.
package struct TableRow {
    private struct Field {
        var range: Range<Int>
        var hasDoubledQuotes: Bool
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var fields: [Field] = []
    package var count: Int { fields.count }

    /// The fields of a row without its line end; the bytes are valid as long as this value is used.
    ///
    /// - Throws: ``RowFault`` for text behind a closing quote.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, separator: UInt8) throws(RowFault) {
        self.bytes = bytes
        let quote = UInt8(ascii: "\"")
        var index = 0
        while true {
            if index < bytes.count, bytes[index] == quote {
                var (end, doubled) = (index + 1, false)
                while end < bytes.count {
                    if bytes[end] == quote {
                        guard end + 1 < bytes.count, bytes[end + 1] == quote else { break }
                        doubled = true
                        end += 1
                    }
                    end += 1
                }
                fields.append(Field(range: index + 1..<end, hasDoubledQuotes: doubled))
                index = end + 1
                while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x0D { index += 1 }
                guard index >= bytes.count || bytes[index] == separator else {
                    throw RowFault("text after the closing quote of field \(fields.count); double a quote that is text")
                }
            } else {
                let end = bytes[index...].firstIndex(of: separator) ?? bytes.count
                fields.append(Field(range: index..<end, hasDoubledQuotes: false))
                index = end
            }
            guard index < bytes.count else { return }
            index += 1
        }
    }

    /// A field as text, without white space at its ends; the bytes are UTF-8.
    package subscript(_ index: Int) -> String {
        guard index < fields.count else { return "" }
        var range = fields[index].range
        while let first = range.first, bytes[first] <= 0x20 { range.removeFirst() }
        while let last = range.last, bytes[last] <= 0x20 { range.removeLast() }
        return range.isEmpty ? "" : text(range, of: fields[index])
    }

    /// All fields as they are, with white space at their ends.
    ///
    /// - Throws: ``RowFault`` for the first that is not UTF-8.
    package func texts() throws(RowFault) -> [String] {
        for (index, field) in fields.enumerated() {
            let bytes = UnsafeBufferPointer(rebasing: bytes[field.range])
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw RowFault("field \(index + 1) is not UTF-8; save the table as UTF-8")
            }
        }
        return fields.map { text($0.range, of: $0).replacing("\r\n", with: "\n") }
    }

    private func text(_ range: Range<Int>, of field: Field) -> String {
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        return field.hasDoubledQuotes ? text.replacing("\"\"", with: "\"") : text
    }

    /// Whether the fields from `start` on have nothing in them.
    package func isEmpty(from start: Int) -> Bool { (start..<max(start, count)).allSatisfy { self[$0].isEmpty } }
}

/// Fault of one row of a list.
package struct RowFault: Error, Equatable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
