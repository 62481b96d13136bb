public import Foundation

/// JSON of messages, written and read.
public enum WireJSON {
    /// A message as JSON on one line, its keys in order, so that the same message is always the same bytes.
    ///
    /// - Throws: `EncodingError` where a number is not finite.
    public static func encode(_ message: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(message)
    }

    /// The message that `bytes` hold.
    ///
    /// - Throws: `DecodingError` for bytes that are not JSON, or not this message.
    public static func decode<Message: Decodable>(_ type: Message.Type, from bytes: Data) throws -> Message {
        try JSONDecoder().decode(type, from: bytes)
    }
}

/// A message in the envelope of the second generation: `{"success": true, "data": {…}}`.
struct Envelope<Content: Encodable>: Encodable {
    let success = true
    let data: Content

    private enum CodingKeys: String, CodingKey { case success, data }
}
