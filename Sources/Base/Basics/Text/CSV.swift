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

    /// Beginning of a table: where its header is, and what separates the fields.
    package struct Opening: Sendable {
        /// Behind a byte order mark, blank lines and Excel's "sep=;".
        package var start: Int
        /// Number of the line there, from 1.
        package var line: Int
        package var separator: UInt8
    }

    /// The beginning of the table that `bytes` are.
    package static func opening(of bytes: UnsafeBufferPointer<UInt8>) -> Opening {
        var (start, line) = (bytes.count - bytes.withoutByteOrderMark.count, 1)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            let text = bytes[start..<end].filter { $0 != UInt8(ascii: "\"") && $0 != 0x0D }
            // Excel reads and writes it. The separator may be repeated, as after any last field.
            if text.starts(with: "sep=".utf8) || text.starts(with: "SEP=".utf8),
                let separator = text.dropFirst(4).first,
                text.dropFirst(4).allSatisfy({ $0 == separator })
            {
                return Opening(start: min(end + 1, bytes.count), line: line + 1, separator: separator)
            }
            if text.contains(where: { $0 != 0x20 && !separators.contains($0) }) {
                return Opening(start: start, line: line, separator: separator(of: bytes[start..<end]))
            }
            (start, line) = (min(end + 1, bytes.count), line + 1)
        }
        return Opening(start: start, line: line, separator: separators[0])
    }

    /// A table's bytes as UTF-8 with line feeds, when they are UTF-16 with a byte order mark, as Excel's "Unicode Text", or have
    /// carriage returns for line feeds; nil when they need no change.
    package static func converted(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        if let text = bytes.utf8OfMarkedUTF16 {
            return text.withUnsafeBufferPointer(converted) ?? text
        }
        guard !bytes.contains(0x0A), bytes.contains(0x0D) else { return nil }
        return bytes.map { $0 == 0x0D ? 0x0A : $0 }
    }

    private static let separators = ",;\t|".utf8.map(\.self)

    /// The separator that stands most often in a header, outside quotes; a comma when there is none.
    static func separator(of header: some Sequence<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in header {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        return separators.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? separators[0]
    }

    /// A field without what keeps a spreadsheet from changing it: `="…"` around it, or an apostrophe before a number or a
    /// formula.
    static func unwrapped(_ field: String) -> String {
        let text = field.utf8
        if text.count >= 3, text.starts(with: "=\"".utf8), text.last == UInt8(ascii: "\"") {
            let inner = String(field.dropFirst(2).dropLast()).replacing("\"\"", with: "\u{0}")
            // `="a"&"b"` is a formula.
            return inner.contains("\"") ? field : inner.replacing("\u{0}", with: "\"")
        }
        guard text.first == UInt8(ascii: "'"), let next = text.dropFirst().first else { return field }
        // Years are short: '68 is a title.
        let isNumber = text.count > 3 && text.dropFirst().allSatisfy { "0123456789.,-xX".utf8.contains($0) }
        return isNumber || "=+-@".utf8.contains(next) ? String(field.dropFirst()) : field
    }
}

/// Places of a list's records: where each begins and ends, without a look at what is in it.
package struct RecordSplitter: Sendable {
    package enum Framing: Sendable, Equatable {
        case lines
        /// RFC 4180: a quoted field may have line ends in it.
        case table(separator: UInt8)

        /// Whether a record of nothing but such bytes has no content: a spreadsheet's blank row is ",,,".
        fileprivate func isBlank(_ byte: UInt8) -> Bool {
            switch self {
            case .lines: byte == 0x20 || byte == 0x09
            case .table(let separator):
                byte == separator || byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "\"")
            }
        }
    }

    /// Where one record is, without its line end.
    package struct Span: Sendable {
        package var range: Range<Int>
        /// Where it begins, counted from 1.
        package var line: Int
        /// Whether a quote is opened in it that is never closed.
        package var isUnclosed = false
    }

    let framing: Framing
    private var position: Int
    private var line: Int

    /// Begins at `start`, behind a byte order mark, where `line` begins.
    package init(_ framing: Framing, from start: Int, line: Int = 1) {
        self.framing = framing
        position = start
        self.line = line
    }

    /// Begins at a table's header.
    package init(_ opening: CSV.Opening) {
        self.init(.table(separator: opening.separator), from: opening.start, line: opening.line)
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
            if isUnclosed || bytes[start..<end].contains(where: { !framing.isBlank($0) }) {
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
            if isFieldStart, let field = QuotedField(in: bytes, at: position, separator) {
                guard let end = field.end else {
                    position = start
                    skipLine(in: bytes)
                    return true
                }
                lineEnds += bytes[position..<end].count { $0 == 0x0A }
                (position, isFieldStart) = (end, false)
                continue
            }
            let byte = bytes[position]
            position += 1
            if byte == 0x0A { break }
            isFieldStart = byte == separator
        }
        line += lineEnds + 1
        return false
    }

    private mutating func skipLine(in bytes: UnsafeBufferPointer<UInt8>) {
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
        position = min(position + 1, bytes.count)
        line += 1
    }
}

/// A field in quotes: RFC 4180, with the white space around quotes that people and programs write, and with the curly
/// quotes that word processors make of straight ones.
private struct QuotedField {
    /// Between the quotes.
    let content: Range<Int>
    var hasDoubledQuotes = false
    /// Behind the closing quote and white space; nil when there is none.
    let end: Int?

    private static let quote = UInt8(ascii: "\"")
    /// Longest field in bytes, before its quote counts as one that is never closed.
    private static let maximum = 1 << 16
    private static let curly: (opening: [[UInt8]], closing: [[UInt8]]) = (
        "“„”«".map { Array($0.utf8) }, "”“»".map { Array($0.utf8) }
    )

    /// Creates the field that begins at an index; nil when it has no quotes around it.
    init?(in bytes: UnsafeBufferPointer<UInt8>, at index: Int, _ separator: UInt8) {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 && separator != 0x09 }
        /// Behind a closing quote: the field's end, or text that belongs to the field.
        func rest(_ index: Int) -> (index: Int, isEnd: Bool) {
            let next = bytes[index...].firstIndex { !isBlank($0) && $0 != 0x0D } ?? bytes.count
            return (next, next == bytes.count || bytes[next] == separator || bytes[next] == 0x0A)
        }
        guard let start = bytes[index...].firstIndex(where: { !isBlank($0) }) else { return nil }
        if bytes[start] >= 0x80 {
            guard let opening = Self.curly.opening.first(where: bytes[start...].starts) else { return nil }
            var place = start + opening.count
            while place < bytes.count, bytes[place] != 0x0A {
                if bytes[place] >= 0xC0, let closing = Self.curly.closing.first(where: bytes[place...].starts) {
                    let (next, isEnd) = rest(place + closing.count)
                    // As in: “B” Is for Burglar
                    guard isEnd else { return nil }
                    (content, end) = (start + opening.count..<place, next)
                    return
                }
                place += 1
            }
            return nil
        }
        guard bytes[start] == Self.quote else { return nil }
        var place = start + 1
        let limit = min(bytes.count, place + Self.maximum)
        while place < limit {
            if bytes[place] == Self.quote {
                guard place + 1 < bytes.count, bytes[place + 1] == Self.quote else {
                    let (next, isEnd) = rest(place + 1)
                    // As in: 2, "B" Is for Burglar
                    let isText = !isEnd && start > index
                    if isText, !bytes[start..<place].contains(0x0A) { return nil }
                    (content, end) = (start + 1..<place, isText ? nil : next)
                    return
                }
                hasDoubledQuotes = true
                place += 1
            }
            place += 1
        }
        (content, end) = (start + 1..<limit, nil)
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
    /// - Throws: ``RowFault`` for text behind a closing quote, a quote that is never closed, and NUL bytes.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, separator: UInt8) throws(RowFault) {
        self.bytes = bytes
        guard !bytes.contains(0) else { throw RowFault("a NUL byte; save the table as UTF-8") }
        var index = 0
        while true {
            if let field = QuotedField(in: bytes, at: index, separator) {
                guard let end = field.end else {
                    throw RowFault("unclosed quote; double quotes that are part of the text")
                }
                fields.append(Field(range: field.content, hasDoubledQuotes: field.hasDoubledQuotes))
                index = end
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
        return CSV.unwrapped(field.hasDoubledQuotes ? text.replacing("\"\"", with: "\"") : text)
    }

    /// Whether the fields from `start` on have nothing in them.
    package func isEmpty(from start: Int) -> Bool { (start..<max(start, count)).allSatisfy { self[$0].isEmpty } }
}

package struct RowFault: Error, Equatable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
