/// A value of JSON, as far as book lists need one.
enum JSONListValue: Equatable {
    /// A text, or a number as it is written.
    case text(String)
    case list([JSONListValue])
    case object([String: JSONListValue])
    /// null, true and false: nothing that a book list says.
    case nothing

    /// The texts in it: its own, those of a list's items, the name of an object.
    var texts: [String] {
        switch self {
        case .text(let text): text.isEmpty ? [] : [text]
        case .list(let items): items.flatMap(\.texts)
        case .object(let members): ["name", "value", "title", "key"].lazy.compactMap { members[$0]?.texts }.first ?? []
        case .nothing: []
        }
    }

    /// The member of an object; nil where there is none.
    subscript(_ name: String) -> JSONListValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }
}

/// Reads JSON (RFC 8259) out of bytes that are UTF-8.
struct JSONListParser {
    private static let maximumDepth = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var depth = 0

    /// The object that is all of `bytes`.
    ///
    /// - Throws: ``RowFault`` when there is none.
    static func object(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowFault) -> [String: JSONListValue] {
        var parser = JSONListParser(bytes: bytes)
        guard case .object(let members) = try parser.value() else { throw RowFault("not a JSON object") }
        parser.skipSpace()
        guard parser.index == bytes.count else { throw RowFault("not valid JSON: text after the object") }
        return members
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func value() throws(RowFault) -> JSONListValue {
        skipSpace()
        guard index < bytes.count else { throw fault("it ends too early") }
        switch bytes[index] {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .list(try items())
        case UInt8(ascii: "\""): return .text(try string())
        default:
            let start = index
            while index < bytes.count, Self.isPlain(bytes[index]) { index += 1 }
            let word = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
            if ["null", "true", "false"].contains(word) { return .nothing }
            guard Double(word) != nil else { throw fault("no value", at: start) }
            return .text(word)
        }
    }

    private mutating func members() throws(RowFault) -> [String: JSONListValue] {
        try enter()
        defer { depth -= 1 }
        var members: [String: JSONListValue] = [:]
        if take("}") { return members }
        while true {
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw fault("no name of a member") }
            let name = try string()
            guard take(":") else { throw fault("no colon after \"\(name)\"") }
            members[name] = try value()
            if take("}") { return members }
            guard take(",") else { throw fault("no comma after \"\(name)\"") }
        }
    }

    private mutating func items() throws(RowFault) -> [JSONListValue] {
        try enter()
        defer { depth -= 1 }
        var items: [JSONListValue] = []
        if take("]") { return items }
        while true {
            items.append(try value())
            if take("]") { return items }
            guard take(",") else { throw fault("no comma between items") }
        }
    }

    private mutating func string() throws(RowFault) -> String {
        index += 1
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") {
            guard bytes[index] >= 0x20 else { throw fault("a control character in a string") }
            index += 1
        }
        var text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
        guard index < bytes.count else { throw fault("a string without an end", at: start) }
        while bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") {
                text.unicodeScalars.append(try escape())
            } else {
                let piece = index
                while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") {
                    guard bytes[index] >= 0x20 else { throw fault("a control character in a string") }
                    index += 1
                }
                text += String(decoding: UnsafeBufferPointer(rebasing: bytes[piece..<index]), as: UTF8.self)
            }
            guard index < bytes.count else { throw fault("a string without an end", at: start) }
        }
        index += 1
        return text
    }

    /// The character of an escape; the position is behind it afterwards.
    private mutating func escape() throws(RowFault) -> Unicode.Scalar {
        guard index + 1 < bytes.count else { throw fault("an escape without an end") }
        let kind = bytes[index + 1]
        index += 2
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(kind)
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"): return " "
        case UInt8(ascii: "u"):
            let unit = try hexadecimal()
            guard 0xD800..<0xE000 ~= unit else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
            guard unit < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "u")
            else { return "\u{FFFD}" }
            let before = index
            index += 2
            let low = try hexadecimal()
            guard 0xDC00..<0xE000 ~= low else {
                index = before
                return "\u{FFFD}"
            }
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
        default: throw fault("an unknown escape")
        }
    }

    private mutating func hexadecimal() throws(RowFault) -> UInt32 {
        guard index + 4 <= bytes.count,
            let unit = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else { throw fault("an escape without four hexadecimal digits") }
        index += 4
        return unit
    }

    private mutating func enter() throws(RowFault) {
        index += 1
        depth += 1
        guard depth <= Self.maximumDepth else { throw fault("more than \(Self.maximumDepth) values within each other") }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private func fault(_ problem: String, at place: Int? = nil) -> RowFault {
        RowFault("not valid JSON: \(problem) at byte \((place ?? index) + 1)")
    }
}
