import Basics

/// The text of a JSON object, of which values can be set while all others stay as they were written: numbers with their
/// digits, and fields that nobody here knows.
struct JSONObjectText {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Sets members to text; a member of the outermost object that is missing is added at its end.
    ///
    /// - Parameter values: By path, as `JSONParser.members(of:)` has it: "split", "books[2].id".
    /// - Throws: `JSONFault` when the text is no JSON.
    mutating func set(_ values: [String: String]) throws(JSONFault) {
        let members = try JSONParser.members(of: bytes)
        let known = values.compactMap { path, value in members[path].map { ($0, value) } }
        // From the end, so that what is in front keeps its place.
        for (range, value) in known.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            bytes.replaceSubrange(range, with: Self.encoded(value))
        }
        for (key, value) in values.sorted(by: { $0.key < $1.key }) where members[key] == nil {
            guard let end = bytes.lastIndex(of: UInt8(ascii: "}")) else { return }
            let comma: [UInt8] = bytes[..<end].contains(UInt8(ascii: ":")) ? [UInt8(ascii: ",")] : []
            bytes.insert(contentsOf: comma + Self.encoded(key) + [UInt8(ascii: ":")] + Self.encoded(value), at: end)
        }
    }

    private static func encoded(_ text: String) -> [UInt8] {
        var encoded: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): encoded += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: encoded += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: encoded.append(byte)
            }
        }
        return encoded + [UInt8(ascii: "\"")]
    }
}
