/// Finds where the records of a list begin and end, without looking at what is in them.
struct RecordSplitter: Sendable {
    /// How the records of a list are set apart.
    enum Framing: Sendable, Equatable {
        /// A record a line.
        case lines
        /// RFC 4180: a quoted field may have line ends in it.
        case table(separator: UInt8)
    }

    /// Where one record is, without its line end.
    struct Span: Sendable {
        var range: Range<Int>
        /// Where it begins, counted from 1.
        var line: Int
        /// Whether a quote is opened in it that is never closed.
        var isUnclosed = false
    }

    /// What a quoted field may have at most, before its quote counts as one that is never closed.
    private static let maximumField = 1 << 16

    let framing: Framing
    private var position: Int
    private var line = 1

    /// - Parameters:
    ///   - framing: of the list.
    ///   - start: behind a byte order mark.
    init(_ framing: Framing, from start: Int) {
        self.framing = framing
        position = start
    }

    /// The next records that are not blank, `count` at most; none at the end.
    mutating func next(_ count: Int, in bytes: UnsafeBufferPointer<UInt8>) -> [Span] {
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
