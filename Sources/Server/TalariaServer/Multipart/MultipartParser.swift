/// Incremental parser of a `multipart/form-data` body, in pieces of any size, without storing it.
///
/// Source: RFC 7578, and RFC 2046 section 5.1 for the delimiters.
struct MultipartParser: Sendable {
    enum Event: Sendable, Equatable {
        case part(MultipartHeader)
        /// Bytes of the part that began last.
        case bytes([UInt8])
        case partEnd
    }

    enum Failure: Error, Sendable, Equatable {
        case headerTooLong
        case malformedHeader
        case malformedDelimiter
        case endsEarly
    }

    private enum State {
        /// Text before the first delimiter, which is ignored.
        case preamble
        /// State after a delimiter: its line's end or the closing hyphens follow.
        case delimiter
        case header
        case content
        case epilogue
    }

    private var state = State.preamble
    private var buffer: [UInt8]
    /// CR LF, two hyphens and the boundary.
    private let delimiter: [UInt8]
    private let headerLimit = 4_096

    init(boundary: String) {
        delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter may be at the very start, without a line before it.
        buffer = Array("\r\n".utf8)
    }

    var isAtEnd: Bool { state == .epilogue }

    mutating func consume(_ bytes: some Sequence<UInt8>, _ handle: (Event) throws -> Void) throws {
        guard state != .epilogue else { return }
        buffer.append(contentsOf: bytes)
        while try step(handle) {}
    }

    func finish() throws {
        guard state == .epilogue else { throw Failure.endsEarly }
    }

    /// Performs a step, and returns whether the available bytes may allow another.
    private mutating func step(_ handle: (Event) throws -> Void) throws -> Bool {
        switch state {
        case .preamble:
            guard let range = firstRange(of: delimiter) else {
                // All bytes but a possible start of the delimiter.
                buffer.removeFirst(max(0, buffer.count - delimiter.count + 1))
                return false
            }
            buffer.removeFirst(range.upperBound)
            state = .delimiter
            return true
        case .delimiter: return try readDelimiterEnd()
        case .header: return try readHeader(handle)
        case .content: return try readContent(handle)
        case .epilogue:
            buffer = []
            return false
        }
    }

    private mutating func readDelimiterEnd() throws -> Bool {
        guard buffer.count >= 2 else { return false }
        if buffer.starts(with: "--".utf8) {
            state = .epilogue
            return true
        }
        // Spaces may be between a boundary and the end of its line.
        let blanks = buffer.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
        guard buffer.count >= blanks + 2 else {
            guard blanks < 128 else { throw Failure.malformedDelimiter }
            return false
        }
        guard buffer[blanks] == 13, buffer[blanks + 1] == 10 else { throw Failure.malformedDelimiter }
        // Its line's end may be the first half of the empty line that ends an empty header.
        buffer.removeFirst(blanks)
        state = .header
        return true
    }

    private mutating func readHeader(_ handle: (Event) throws -> Void) throws -> Bool {
        let emptyLine: [UInt8] = [13, 10, 13, 10]
        guard let range = firstRange(of: emptyLine) else {
            guard buffer.count <= headerLimit else { throw Failure.headerTooLong }
            return false
        }
        guard range.lowerBound <= headerLimit else { throw Failure.headerTooLong }
        let text = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
        guard let header = MultipartHeader(text) else { throw Failure.malformedHeader }
        // The last line's end stays: a delimiter may follow at once, when the part is empty.
        buffer.removeFirst(range.lowerBound + 2)
        try handle(.part(header))
        state = .content
        isContentStart = true
        return true
    }

    /// The buffer begins with the end of the header's empty line, which is not content.
    private var isContentStart = false

    private mutating func readContent(_ handle: (Event) throws -> Void) throws -> Bool {
        if let range = firstRange(of: delimiter) {
            let content = buffer[(isContentStart ? min(2, range.lowerBound) : 0)..<range.lowerBound]
            if !content.isEmpty { try handle(.bytes(Array(content))) }
            try handle(.partEnd)
            buffer.removeFirst(range.upperBound)
            (state, isContentStart) = (.delimiter, false)
            return true
        }
        let safe = buffer.count - delimiter.count + 1
        if safe > 2 {
            let content = buffer[(isContentStart ? 2 : 0)..<safe]
            if !content.isEmpty { try handle(.bytes(Array(content))) }
            buffer.removeFirst(safe)
            isContentStart = false
        }
        return false
    }

    private func firstRange(of pattern: [UInt8]) -> Range<Int>? {
        buffer.withUnsafeBufferPointer { bytes in
            var start = 0
            while bytes.count - start >= pattern.count {
                // Carriage returns are rare, even in pictures.
                guard let found = bytes[start...].firstIndex(of: pattern[0]),
                    bytes.count - found >= pattern.count
                else { return nil }
                if bytes[found..<(found + pattern.count)].elementsEqual(pattern) {
                    return found..<(found + pattern.count)
                }
                start = found + 1
            }
            return nil
        }
    }
}
