package import Foundation

/// A JSON object read tolerantly: fields under several names, and values of another type converted.
struct Fields {
    private let container: KeyedDecodingContainer<WireKey>

    init(_ decoder: any Decoder) throws { container = try decoder.container(keyedBy: WireKey.self) }

    private init(_ container: KeyedDecodingContainer<WireKey>) { self.container = container }

    /// Fields inside `data`, if the message has an envelope; else these fields.
    var unwrapped: Fields { inner("data") ?? self }

    /// Returns the object under the first of `names` that holds one.
    func inner(_ names: String...) -> Fields? {
        for name in names {
            if let inner = try? container.nestedContainer(keyedBy: WireKey.self, forKey: WireKey(name)) {
                return Fields(inner)
            }
        }
        return nil
    }

    /// Returns the value under the first of `names` that holds one of this type.
    func value<Value: Decodable>(_ type: Value.Type, _ names: String...) -> Value? { first(type, names) }

    /// Returns the elements of the first of `names` that holds an array, without those that are not of this type.
    func list<Element: Decodable>(_ type: Element.Type, _ names: String...) -> [Element]? {
        first([Lenient<Element>].self, names)?.compactMap(\.value)
    }

    /// Returns the text that is not blank; a number counts as its digits.
    func text(_ names: String...) -> String? {
        for name in names {
            let key = WireKey(name)
            if let text = try? container.decode(String.self, forKey: key) {
                let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
                if !trimmed.isEmpty { return trimmed }
            } else if let number = try? container.decode(Int.self, forKey: key) {
                return String(number)
            }
        }
        return nil
    }

    /// Returns a finite number; text that is a number counts.
    func number(_ names: String...) -> Double? {
        for name in names {
            let key = WireKey(name)
            let number =
                (try? container.decode(Double.self, forKey: key))
                ?? (try? container.decode(String.self, forKey: key)).flatMap(Double.init)
            if let number, number.isFinite { return number }
        }
        return nil
    }

    /// Returns a whole number; text that is one counts.
    func integer(_ names: String...) -> Int? {
        for name in names {
            if let whole = number(name).flatMap({ Int(exactly: $0) }) { return whole }
        }
        return nil
    }

    /// Returns a share from 0 to 1; numbers beyond are none.
    func share(_ names: String...) -> Double? {
        for name in names {
            if let share = number(name), (0...1).contains(share) { return share }
        }
        return nil
    }

    func flag(_ names: String...) -> Bool? { first(Bool.self, names) }

    private func first<Value: Decodable>(_ type: Value.Type, _ names: [String]) -> Value? {
        for name in names {
            if let value = try? container.decode(type, forKey: WireKey(name)) { return value }
        }
        return nil
    }

    /// Returns the error for a message without a required field.
    func missing(_ name: String, in message: String) -> DecodingError {
        .keyNotFound(
            WireKey(name),
            DecodingError.Context(codingPath: container.codingPath, debugDescription: "\(message) without '\(name)'")
        )
    }
}

/// Any name of a field.
struct WireKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

extension Encoder {
    /// Writes an object: names and values in any order; nil is omitted.
    func write(_ fields: [(name: String, value: (any Encodable)?)]) throws {
        var container = container(keyedBy: WireKey.self)
        for case (let name, let value?) in fields { try container.encode(value, forKey: WireKey(name)) }
    }
}

/// An element of an array that may be malformed without costing the others.
private struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

/// JSON of messages, written and read.
package enum WireJSON {
    /// Returns a message as JSON on one line, its keys in order, so that the same message is always the same bytes.
    ///
    /// - Throws: `EncodingError` where a number is not finite.
    package static func encode(_ message: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(message)
    }

    /// Returns the message that `bytes` hold.
    ///
    /// - Throws: `DecodingError` for bytes that are not JSON, or not this message.
    package static func decode<Message: Decodable>(_ type: Message.Type, from bytes: Data) throws -> Message {
        try JSONDecoder().decode(type, from: bytes)
    }
}

/// A message in the envelope of the second generation: `{"success": true, "data": {…}}`.
struct Envelope<Content: Encodable>: Encodable {
    let success = true
    let data: Content

    private enum CodingKeys: String, CodingKey { case success, data }
}
