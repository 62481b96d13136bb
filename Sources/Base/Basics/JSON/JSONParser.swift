/// A strict parser of JSON (RFC 8259) that reports the position of a fault.
///
/// Stricter than the RFC where that allows a choice: keys are unique in an object, strings have to be valid UTF-8
/// without half surrogate pairs, numbers have to fit a `Double`, and nesting ends at `maximumDepth`. Foundation's
/// decoder neither reports the position of a fault nor detects duplicate keys.
public enum JSONParser {
    package static let maximumDepth = 64

    /// Returns the value of the whole of `bytes`.
    public static func parse(_ bytes: [UInt8]) throws(JSONFault) -> JSONValue { JSONValue(try node(bytes), in: bytes) }

    /// Returns the value of the whole of `bytes` with its places; the first line has the number `line`.
    package static func node(_ bytes: [UInt8], line: Int = 1) throws(JSONFault) -> LocatedNode {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONFault) in
            var reader = JSONReader(bytes: buffer, line: line)
            return try reader.document()
        }
    }

    /// Returns the value of the whole of `bytes` with its places, or the fault of invalid JSON among others.
    public static func node(_ bytes: [UInt8], line: Int = 1, _ faults: FaultCollector) throws(Faults) -> LocatedNode {
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

extension JSONValue {
    /// Creates the value of a node in the text of JSON.
    ///
    /// A whole number beyond ±2^53, which no `Double` tells from its neighbours, is its text: ids made of times and
    /// counters have 17 digits and more.
    init(_ node: LocatedNode, in bytes: [UInt8]) {
        switch node.content {
        case .null, .empty: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let value):
            let text = String(decoding: bytes[node.bytes], as: UTF8.self)
            let isLong =
                abs(value) >= 0x1p53 && !text.hasSuffix("9007199254740992") && !text.contains { ".eE".contains($0) }
            self = isLong ? .string(text) : .number(value)
        case .text(let text), .plain(let text): self = .string(text)
        case .list(let elements): self = .array(elements().map { JSONValue($0, in: bytes) })
        case .mapping(let entries):
            let members = entries().map { ($0.key, JSONValue($0.value, in: bytes)) }
            self = .object(Dictionary(members) { first, _ in first })
        }
    }
}

/// Reader of the value of a JSON text.
private struct JSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var line: Int
    private var index = 0
    private var depth = 0
    /// Offset of the line's first byte.
    private var lineStart = 0

    init(bytes: UnsafeBufferPointer<UInt8>, line: Int) { (self.bytes, self.line) = (bytes, line) }

    private var here: LocatedNode.Place { LocatedNode.Place(line: line, column: index - lineStart + 1) }

    mutating func document() throws(JSONFault) -> LocatedNode {
        skipSpace()
        let value = try value()
        skipSpace()
        guard index == bytes.count else { throw fault("expected the end after the value, found \(found)") }
        return value
    }

    private mutating func value() throws(JSONFault) -> LocatedNode {
        guard index < bytes.count else { throw fault("expected a value, found the end") }
        let (start, place) = (index, here)
        let content: LocatedNode.Content
        switch bytes[index] {
        case UInt8(ascii: "{"):
            var (entries, keys) = ([LocatedNode.Entry](), Set<String>())
            try items(until: "}") { reader throws(JSONFault) in
                entries.append(try reader.member(new: &keys))
            }
            content = .mapping { [entries] in entries }
        case UInt8(ascii: "["):
            var list: [LocatedNode] = []
            try items(until: "]") { reader throws(JSONFault) in list.append(try reader.value()) }
            content = .list { [list] in list }
        case UInt8(ascii: "\""): content = .text(try string())
        case UInt8(ascii: "t"): content = try word("true", .bool(true))
        case UInt8(ascii: "f"): content = try word("false", .bool(false))
        case UInt8(ascii: "n"): content = try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): content = .number(try number())
        default: throw fault("expected a value, found \(found)")
        }
        return LocatedNode(content, place, bytes: start..<index)
    }

    /// Reads what commas separate between brackets; `index` is at the opening one.
    private mutating func items(
        until end: Unicode.Scalar,
        _ item: (inout JSONReader) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        guard depth < JSONParser.maximumDepth else {
            throw fault("nested deeper than \(JSONParser.maximumDepth) levels")
        }
        depth += 1
        defer { depth -= 1 }
        index += 1
        skipSpace()
        if take(end) { return }
        while true {
            try item(&self)
            skipSpace()
            if take(end) { return }
            guard take(",") else { throw fault("expected \",\" or \"\(end)\", found \(found)") }
            skipSpace()
        }
    }

    private mutating func member(new keys: inout Set<String>) throws(JSONFault) -> LocatedNode.Entry {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            throw fault("expected a key in quotation marks, found \(found)")
        }
        let (start, place) = (index, here)
        let key = try string()
        guard keys.insert(key).inserted else {
            index = start
            throw fault("duplicate key \"\(key)\"")
        }
        skipSpace()
        guard take(":") else { throw fault("expected \":\" after a key, found \(found)") }
        skipSpace()
        return LocatedNode.Entry(key: key, place: place, value: try value())
    }

    private mutating func string() throws(JSONFault) -> String {
        let start = index
        index += 1
        /// Begin of the bytes that are not yet in `resolved`.
        var plain = index
        var resolved: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] < 0x20 {
                throw fault("a control character in text; write it as \\u\(Self.hex(bytes[index]))")
            }
            index += 1
            if bytes[index - 1] == UInt8(ascii: "\\"), index < bytes.count {
                resolved += bytes[plain..<index - 1]
                try resolveEscape(&resolved)
                plain = index
            }
        }
        let rest = UnsafeBufferPointer(rebasing: bytes[plain..<index])
        guard take("\"") else {
            index = start
            throw fault("text without an end")
        }
        let isWhole = plain == start + 1
        guard
            let text = isWhole
                ? String(validating: rest, as: UTF8.self) : String(validating: resolved + rest, as: UTF8.self)
        else {
            index = start + 1
            throw fault("text that is not UTF-8")
        }
        return text
    }

    /// Escapes of one character, and what they mean (RFC 8259, section 7).
    private static let escapes = Dictionary(uniqueKeysWithValues: zip("\"\\/bfnrt".utf8, "\"\\/\u{8}\u{C}\n\r\t".utf8))

    /// Adds what an escape means, after whose backslash `index` is.
    private mutating func resolveEscape(_ text: inout [UInt8]) throws(JSONFault) {
        if let byte = Self.escapes[bytes[index]] {
            text.append(byte)
            index += 1
            return
        }
        guard bytes[index] == UInt8(ascii: "u") else { throw fault("an escape that JSON does not have") }
        let start = index
        var value = try unit()
        // Two escapes that are a surrogate pair.
        if 0xD800..<0xDC00 ~= value, bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            index += 1
            let second = try unit()
            if 0xDC00..<0xE000 ~= second { value = 0x10000 + (value - 0xD800) << 10 + (second - 0xDC00) }
        }
        guard let scalar = Unicode.Scalar(value) else {
            index = start
            throw fault("half a surrogate pair")
        }
        text += String(scalar).utf8
    }

    /// Returns four hexadecimal digits after the `u`.
    private mutating func unit() throws(JSONFault) -> UInt32 {
        index += 1
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard index < bytes.count, bytes[index] < 0x80,
                let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue
            else { throw fault("expected four hexadecimal digits after \\u") }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    /// Parses a number (RFC 8259, section 6).
    private mutating func number() throws(JSONFault) -> Double {
        let start = index
        _ = take("-")
        if take("0") {
            if hasDigit { throw fault("a number must not begin with 0") }
        } else {
            try takeDigits()
        }
        if take(".") { try takeDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try takeDigits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            index = start
            throw fault("the number \(text.prefix(40)) is too large")
        }
        return value
    }

    private var hasDigit: Bool { index < bytes.count && 0x30...0x39 ~= bytes[index] }

    private mutating func takeDigits() throws(JSONFault) {
        guard hasDigit else { throw fault("expected a digit") }
        while hasDigit { index += 1 }
    }

    private mutating func word(
        _ word: String,
        _ content: LocatedNode.Content
    ) throws(JSONFault) -> LocatedNode.Content {
        guard bytes[index...].starts(with: word.utf8) else {
            throw fault("expected \(word), found something else")
        }
        index += word.utf8.count
        return content
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
        return 0x21...0x7E ~= byte ? "\"\(Unicode.Scalar(byte))\"" : "byte 0x\([byte].hexadecimal.uppercased())"
    }

    private static func hex(_ byte: UInt8) -> String { "00" + [byte].hexadecimal.uppercased() }
}
