package import Foundation

/// Values as lines of JSON: keys sorted, one object a line.
package enum JSONLine {
    /// `value` and a line's end.
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + [0x0A]
    }

    /// The value in `line`; nil when it holds something else.
    package static func decode<Value: Decodable>(_ type: Value.Type, from line: some Sequence<UInt8>) -> Value? {
        try? JSONDecoder().decode(type, from: Data(line))
    }

    /// Why something could not be decoded, in the parser's own words where it has any.
    package static func reason(of error: any Error) -> String {
        switch error {
        case DecodingError.dataCorrupted(let context):
            guard let underlying = context.underlyingError as NSError? else { return context.debugDescription }
            return underlying.userInfo[NSDebugDescriptionErrorKey] as? String ?? context.debugDescription
        case DecodingError.keyNotFound(let key, _): return "\"\(key.stringValue)\" is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? context.debugDescription : "\"\(path)\": \(context.debugDescription)"
        default: return "\(error)"
        }
    }
}
