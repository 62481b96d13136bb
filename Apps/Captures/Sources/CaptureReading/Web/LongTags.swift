/// Tags with more attributes than any page has a use for.
///
/// libxml2 2.9 compares each attribute of a tag with all others: one tag of 300,000 takes it more than a minute. Where
/// tags begin depends on what scripts, comments and quotes the parser has seen, so that nothing is presumed of it; each
/// state of the scan holds the most attributes that a tag may have got that is open there in that state, and nil where
/// none can be.
struct LongTags {
    /// Attributes of the longest tag.
    static let mostAttributes = 1_000
    /// Characters of a name after which the parser may begin another (100 in libxml2).
    private static let longestName = 90

    /// Among names and unquoted values.
    private var names: Int?
    /// Position after the equals sign of a name.
    private var equals: Int?
    private var doubleQuoted: Int?
    private var singleQuoted: Int?
    /// Whether the last word is a name for certain, so that an equals sign begins its value.
    private var isPlain = false
    /// Characters of a name in a row.
    private var run = 0
    private var last = UInt8(ascii: " ")

    /// Returns the bytes before a tag with too many attributes; for nearly every page all of them.
    ///
    /// The bytes are those of an encoding that has ASCII's below 0x80.
    static func cut(_ bytes: [UInt8]) -> [UInt8] {
        var scan = LongTags()
        let end = bytes.firstIndex { byte in
            scan.take(byte)
            return scan.names ?? 0 > mostAttributes
        }
        return end.map { Array(bytes[..<$0]) } ?? bytes
    }

    private mutating func take(_ byte: UInt8) {
        defer { last = byte }
        if names == nil, equals == nil, doubleQuoted == nil, singleQuoted == nil {
            if begins(byte) { (names, isPlain, run) = (0, false, 1) }
            return
        }
        if Self.isSpace(byte) {
            run = 0
            return
        }
        switch byte {
        case UInt8(ascii: ">"): (names, equals, isPlain) = (nil, nil, false)
        case UInt8(ascii: "="):
            // A quote after a name begins a value; anywhere else it may be part of another token.
            (names, equals) = (most(isPlain ? nil : names, equals), names)
            isPlain = false
        case UInt8(ascii: "\""):
            (names, equals, doubleQuoted) = (most(names, doubleQuoted), nil, equals)
            isPlain = false
        case UInt8(ascii: "'"):
            (names, equals, singleQuoted) = (most(names, singleQuoted), nil, equals)
            isPlain = false
        default: takeInWord(byte)
        }
    }

    private mutating func takeInWord(_ byte: UInt8) {
        if equals != nil {
            // An unquoted value.
            (names, equals, isPlain) = (most(names, equals), nil, false)
        } else if Self.isSpace(last) {
            isPlain = Self.isLetter(byte)
        }
        run = Self.isName(byte) ? run + 1 : 0
        isPlain = isPlain && run > 0 && run < Self.longestName
        if begins(byte) { names = most(names, 0) }
        let isQuoteBefore = last == UInt8(ascii: "\"") || last == UInt8(ascii: "'") || last == UInt8(ascii: "/")
        if Self.isSpace(last) || isQuoteBefore || run == Self.longestName {
            names = names.map { $0 + 1 }
            if run == Self.longestName { run = 0 }
        }
    }

    /// Returns whether a byte may be the first of a tag's name.
    private func begins(_ byte: UInt8) -> Bool {
        last == UInt8(ascii: "<") && (Self.isLetter(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "."))
    }

    private func most(_ a: Int?, _ b: Int?) -> Int? {
        guard let a, let b else { return a ?? b }
        return max(a, b)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
    private static func isName(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: ":")).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}
