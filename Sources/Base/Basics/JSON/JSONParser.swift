/// A strict parser of JSON (RFC 8259) that reports the position of a fault.
///
/// Stricter than the RFC where that allows a choice: keys are unique in an object, strings have to be valid UTF-8
/// without half surrogate pairs, numbers have to fit a `Double`, and nesting ends at `maximumDepth`. Foundation's
/// decoder takes about 15 times as long for a line of labels, and neither reports the position of a fault nor detects
/// duplicate keys.
package enum JSONParser {
    /// The handling of doubtful input.
    package enum Mode: Sendable {
        /// The rules of ``JSONParser``.
        case strict
        /// Strict, but a whole number too long for a `Double` becomes its text: ids made of times and counters have
        /// 17 digits and more.
        case longNumbersAsText
        /// Tolerant, for lists of other authors: numbers become their text, half a surrogate pair is replaced by
        /// U+FFFD, and the last of several equal keys counts.
        case tolerant
    }

    package static let maximumDepth = 64

    /// Returns the value of the whole of `bytes`.
    package static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>,
        mode: Mode = .strict
    ) throws(JSONFault) -> JSONValue {
        var reader = JSONReader<JSONValue>(bytes, mode: mode)
        return try reader.document()
    }

    /// Returns the value of the whole of `bytes`.
    package static func parse(_ bytes: [UInt8], mode: Mode = .strict) throws(JSONFault) -> JSONValue {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONFault) in try parse(buffer, mode: mode) }
    }

    /// Returns the value of the whole of `bytes` with its places; the first line has the number `line`.
    package static func node(_ bytes: [UInt8], line: Int = 1) throws(JSONFault) -> LocatedNode {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONFault) in
            var reader = JSONReader<LocatedNode>(buffer, mode: .strict, line: line)
            return try reader.document()
        }
    }

    /// Returns the value of the whole of `bytes` with its places, or the fault of invalid JSON among others.
    package static func node(_ bytes: [UInt8], line: Int = 1, _ faults: FaultCollector) throws(Faults) -> LocatedNode {
        do { return try node(bytes, line: line) } catch {
            let before = bytes.prefix(error.column - 1)
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let lines = before.count { $0 == UInt8(ascii: "\n") }
            let place = LocatedNode.Place(line: line + lines, column: error.column - start)
            faults.add("invalid JSON: \(error.problem)", at: place)
            throw Faults(faults.faults)
        }
    }
}

/// Value that a ``JSONReader`` makes.
protocol JSONForm {
    associatedtype Members

    init(_ scalar: JSONValue, _ place: JSONPlace)
    init(list: [Self], _ place: JSONPlace)
    init(_ members: Members, _ place: JSONPlace)
    /// Returns an object without members, at a depth from 1.
    static func members(depth: Int) -> Members
    /// Adds a member; returns whether its key is new.
    static func add(_ key: String, _ keyPlace: JSONPlace, _ value: Self, to members: inout Members) -> Bool
}

struct JSONPlace {
    var line: Int
    /// Offset of the line's first byte.
    var lineStart: Int
    var bytes: Range<Int>

    var place: LocatedNode.Place { LocatedNode.Place(line: line, column: bytes.lowerBound - lineStart + 1) }
}

extension JSONValue: JSONForm {
    init(_ scalar: JSONValue, _ place: JSONPlace) { self = scalar }
    init(list: [JSONValue], _ place: JSONPlace) { self = .array(list) }
    init(_ members: [String: JSONValue], _ place: JSONPlace) { self = .object(members) }

    static func members(depth: Int) -> [String: JSONValue] { .init(minimumCapacity: depth == 1 ? 12 : 4) }

    static func add(
        _ key: String,
        _ keyPlace: JSONPlace,
        _ value: JSONValue,
        to members: inout [String: JSONValue]
    )
        -> Bool
    { members.updateValue(value, forKey: key) == nil }
}

extension LocatedNode: JSONForm {
    init(_ scalar: JSONValue, _ place: JSONPlace) {
        let content: Content =
            switch scalar {
            case .bool(let value): .bool(value)
            case .number(let value): .number(value)
            case .string(let text): .text(text)
            case .null, .array, .object: .null
            }
        self.init(content, place.place, bytes: place.bytes)
    }

    init(list: [LocatedNode], _ place: JSONPlace) { self.init(.list { list }, place.place, bytes: place.bytes) }

    init(_ members: (entries: [Entry], keys: Set<String>), _ place: JSONPlace) {
        self.init(.mapping { members.entries }, place.place, bytes: place.bytes)
    }

    static func members(depth: Int) -> (entries: [Entry], keys: Set<String>) { ([], []) }

    static func add(
        _ key: String,
        _ keyPlace: JSONPlace,
        _ value: LocatedNode,
        to members: inout (entries: [Entry], keys: Set<String>)
    ) -> Bool {
        members.entries.append(Entry(key: key, place: keyPlace.place, value: value))
        return members.keys.insert(key).inserted
    }
}

/// Reader of the value of a JSON text, in one of its forms.
struct JSONReader<Value: JSONForm> {
    private let mode: JSONParser.Mode
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var depth = 0
    private var line: Int
    private var lineStart = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, mode: JSONParser.Mode, line: Int = 1) {
        (self.bytes, self.mode, self.line) = (bytes, mode, line)
    }

    private var here: JSONPlace { JSONPlace(line: line, lineStart: lineStart, bytes: index..<index) }

    mutating func document() throws(JSONFault) -> Value {
        skipSpace()
        let value = try value()
        skipSpace()
        guard index == bytes.count else { throw fault("expected the end after the value, found \(found)") }
        return value
    }

    private mutating func value() throws(JSONFault) -> Value {
        guard index < bytes.count else { throw fault("expected a value, found the end") }
        let start = here
        let scalar: JSONValue
        switch bytes[index] {
        case UInt8(ascii: "{"):
            let members = try nested { reader throws(JSONFault) in try reader.object() }
            return Value(members, from(start))
        case UInt8(ascii: "["):
            let list = try nested { reader throws(JSONFault) in try reader.array() }
            return Value(list: list, from(start))
        case UInt8(ascii: "\""): scalar = .string(try string())
        case UInt8(ascii: "t"): scalar = try word("true", .bool(true))
        case UInt8(ascii: "f"): scalar = try word("false", .bool(false))
        case UInt8(ascii: "n"): scalar = try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            if mode == .tolerant {
                scalar = .string(try writtenNumber())
            } else if mode == .longNumbersAsText, let text = longNumber() {
                scalar = .string(text)
            } else {
                scalar = .number(try number())
            }
        default: throw fault("expected a value, found \(found)")
        }
        return Value(scalar, from(start))
    }

    private func from(_ start: JSONPlace) -> JSONPlace {
        JSONPlace(line: start.line, lineStart: start.lineStart, bytes: start.bytes.lowerBound..<index)
    }

    /// Parses the inside of an object or a list: `index` is at its opening bracket.
    private mutating func nested<Inside>(
        _ body: (inout JSONReader) throws(JSONFault) -> Inside
    ) throws(JSONFault) -> Inside {
        guard depth < JSONParser.maximumDepth else {
            throw fault("nested deeper than \(JSONParser.maximumDepth) levels")
        }
        depth += 1
        defer { depth -= 1 }
        index += 1
        return try body(&self)
    }

    private mutating func object() throws(JSONFault) -> Value.Members {
        var members = Value.members(depth: depth)
        skipSpace()
        if take("}") { return members }
        while true {
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                throw fault("expected a key in quotation marks, found \(found)")
            }
            let place = here
            let key = try string()
            skipSpace()
            guard take(":") else { throw fault("expected \":\" after a key, found \(found)") }
            skipSpace()
            guard Value.add(key, place, try value(), to: &members) || mode == .tolerant else {
                index = place.bytes.lowerBound
                throw fault("duplicate key \"\(key)\"")
            }
            skipSpace()
            if take("}") { return members }
            guard take(",") else { throw fault("expected \",\" or \"}\", found \(found)") }
            skipSpace()
        }
    }

    private mutating func array() throws(JSONFault) -> [Value] {
        var values: [Value] = []
        skipSpace()
        if take("]") { return values }
        while true {
            values.append(try value())
            skipSpace()
            if take("]") { return values }
            guard take(",") else { throw fault("expected \",\" or \"]\", found \(found)") }
            skipSpace()
        }
    }

    private mutating func string() throws(JSONFault) -> String {
        let start = index + 1
        var end = start
        var hasEscapes = false
        var bits: UInt8 = 0
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            if bytes[end] == UInt8(ascii: "\\") {
                hasEscapes = true
                end += 1
                guard end < bytes.count else { break }
            } else if bytes[end] < 0x20 {
                index = end
                throw fault("a control character in text; write it as \\u\(Self.hex(bytes[end]))")
            }
            bits |= bytes[end]
            end += 1
        }
        guard end < bytes.count else { throw fault("text without an end") }
        index = end + 1
        let raw = UnsafeBufferPointer(rebasing: bytes[start..<end])
        guard hasEscapes else {
            // Pure ASCII needs no validation, which is slow.
            if bits < 0x80 { return String(decoding: raw, as: UTF8.self) }
            guard let text = String(validating: raw, as: UTF8.self) else {
                index = start
                throw fault("text that is not UTF-8")
            }
            return text
        }
        var escapes = JSONEscapes(bytes: raw, offset: start, replacesHalves: mode == .tolerant)
        return try escapes.resolve()
    }

    /// Parses a number (RFC 8259, section 6).
    private mutating func number() throws(JSONFault) -> Double {
        let start = index
        let isNegative = take("-")
        var (digits, count): (UInt64, Int) = (0, 0)
        if take("0") {
            if hasDigit { throw fault("a number must not begin with 0") }
        } else {
            try takeDigits(into: &digits, &count)
        }
        let whole = count
        if take(".") { try takeDigits(into: &digits, &count) }
        let scale = count - whole
        let hasExponent = take("e") || take("E")
        if hasExponent {
            if !take("+") { _ = take("-") }
            var exponent: (UInt64, Int) = (0, 0)
            try takeDigits(into: &exponent.0, &exponent.1)
        }
        // Up to 15 digits and a power of ten up to 22 are exact in a Double, so that one division rounds correctly
        // (Clinger 1990).
        if !hasExponent, count <= 15, scale < powersOfTen.count {
            let value = Double(digits) / powersOfTen[scale]
            return isNegative ? -value : value
        }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            index = start
            throw fault("the number \(text.prefix(40)) is too large")
        }
        return value
    }

    private var hasDigit: Bool { index < bytes.count && 0x30...0x39 ~= bytes[index] }

    /// Reads one digit or more; `count` grows by their number.
    private mutating func takeDigits(into value: inout UInt64, _ count: inout Int) throws(JSONFault) {
        let before = index
        while hasDigit {
            value = value &* 10 &+ UInt64(bytes[index] - 0x30)
            index += 1
        }
        guard index > before else { throw fault("expected a digit") }
        count += index - before
    }

    /// Returns a number as it is written; leading zeros, as of an ISBN, count.
    private mutating func writtenNumber() throws(JSONFault) -> String {
        let start = index
        while index < bytes.count, "0123456789+-.eE".utf8.contains(bytes[index]) { index += 1 }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
        guard Double(text) != nil else {
            index = start
            throw fault("\(text.prefix(40)) is not a number")
        }
        return text
    }

    /// Returns the whole number at `index` as it is written, when it is beyond ±2^53; nil otherwise, and nothing is
    /// taken.
    private mutating func longNumber() -> String? {
        let first = bytes[index] == UInt8(ascii: "-") ? index + 1 : index
        let end = bytes[first...].firstIndex { !(0x30...0x39 ~= $0) } ?? bytes.count
        guard end - first >= 16, bytes[first] != UInt8(ascii: "0"),
            end == bytes.count || !".eE".utf8.contains(bytes[end])
        else { return nil }
        let digits = String(decoding: UnsafeBufferPointer(rebasing: bytes[first..<end]), as: UTF8.self)
        if let number = UInt64(digits), number <= 1 << 53 { return nil }
        defer { index = end }
        return (first > index ? "-" : "") + digits
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[index...].starts(with: expected) else { throw fault("expected \(word), found something else") }
        index += expected.count
        return value
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else { return }
            index += 1
            if byte == 0x0A { (line, lineStart) = (line + 1, index) }
        }
    }

    private func fault(_ problem: String) -> JSONFault { JSONFault(column: index + 1, problem: problem) }

    /// The byte at `index`, for a message.
    private var found: String {
        guard index < bytes.count else { return "the end" }
        let byte = bytes[index]
        return (0x21...0x7E).contains(byte) ? "\"\(Unicode.Scalar(byte))\"" : "byte 0x\(Self.hex(byte).suffix(2))"
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

private let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14]

/// The text between quotation marks that has escapes in it (RFC 8259, section 7).
struct JSONEscapes {
    /// Bytes between the quotation marks.
    let bytes: UnsafeBufferPointer<UInt8>
    /// Offset of the first byte in the whole text, for messages.
    let offset: Int
    /// Half a surrogate pair is U+FFFD, rather than a fault.
    let replacesHalves: Bool
    private(set) var index = 0

    mutating func resolve() throws(JSONFault) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                index += 1
                continue
            }
            index += 1
            switch index < bytes.count ? bytes[index] : 0 {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[index])
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                text += Array(String(try scalar()).utf8)
                continue
            default: throw fault("an escape that JSON does not have")
            }
            index += 1
        }
        guard let valid = String(validating: text, as: UTF8.self) else {
            index = 0
            throw fault("text that is not UTF-8")
        }
        return valid
    }

    /// Returns the character of a `\uXXXX`, or of two that are a surrogate pair; `index` is at the `u`.
    private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
        let start = index
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            index += 1
            let second = try unit()
            if (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                return scalar
            }
        }
        if replacesHalves {
            // Behind the first half: the second may be an escape of its own.
            index = start + 5
            return "\u{FFFD}"
        }
        index = start
        throw fault("half a surrogate pair")
    }

    /// Returns four hexadecimal digits after the `u`.
    private mutating func unit() throws(JSONFault) -> UInt32 {
        index += 1
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard index < bytes.count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue,
                bytes[index] < 0x80
            else { throw fault("expected four hexadecimal digits after \\u") }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    private func fault(_ problem: String) -> JSONFault { JSONFault(column: offset + index + 1, problem: problem) }
}
