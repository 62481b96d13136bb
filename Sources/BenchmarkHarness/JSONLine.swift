import Foundation

/// Values as lines of JSON: keys sorted, one object a line.
enum JSONLine {
    /// `value` and a line's end.
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + [0x0A]
    }

    /// The value in `line`; nil when it holds something else.
    static func decode<Value: Decodable>(_ type: Value.Type, from line: some Sequence<UInt8>) -> Value? {
        try? JSONDecoder().decode(type, from: Data(line))
    }
}
