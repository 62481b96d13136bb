import Basics
package import Foundation

/// JSON of messages: written in one form, and read in every form that servers have had (K-8, K-10).
///
/// Messages are plain `Codable` structs. Before one is decoded, its keys become the names of the properties, and the
/// contents of envelopes are taken out; the methods of `KeyedDecodingContainer` below convert the values.
package enum WireJSON {
    /// Names of the properties that have another one on the wire, or several: the first is written, all are read.
    private static let names = [
        "jobID": ["jobId", "id"], "stream": ["streamUrl", "sseUrl", "streamLink"], "token": ["token", "authToken"],
        "resultsLocation": ["resultsUrl"], "status": ["status", "statusCode", "stage"],
        "detectedCount": ["count_detected"], "problem": ["error"],
        "results": ["results", "books", "items", "data"], "books": ["books", "results"],
        "title": ["title", "verifiedTitle"], "authors": ["authors", "author", "verifiedAuthor"],
        "isbn": ["isbn", "isbn13", "isbn10"], "coverURL": ["coverUrl", "coverURL"],
        "publicationYear": ["publicationYear", "year"], "corners": ["quad"],
        "width": ["width", "w"], "height": ["height", "h"],
        "processed": ["total_processed"], "reviewNeeded": ["review_needed", "needsReview"],
        "degraded": ["degraded_count"], "detected": ["totalDetected"], "unique": ["totalUnique"],
        "detail": ["detail", "message", "error"], "isRetryable": ["retryable"],
        "rawText": ["raw_text", "text"], "deviceID": ["device_id", "deviceId"],
    ]
    private static let readNames = names.mapValues { $0.map(camelCase) }

    /// Returns a message as JSON on one line, its keys in order, so that the same message is always the same bytes.
    ///
    /// - Throws: `EncodingError` where a number is not finite.
    package static func encode(_ message: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .custom { path in
            let name = path.last?.stringValue ?? ""
            return FieldName(names[name]?.first ?? name)
        }
        return try encoder.encode(message)
    }

    /// Returns the message that `bytes` hold.
    ///
    /// - Throws: An error for bytes that are not JSON, or not this message.
    package static func decode<Message: Decodable>(_ type: Message.Type, from bytes: Data) throws -> Message {
        let wrappers = type == ProblemDetails.self ? ["error"] : ["data", "results", "book", "enrichment"]
        let value = canonical(try JSONParser.parse([UInt8](bytes)), unwrapping: wrappers)
        return try JSONDecoder().decode(type, from: JSONEncoder().encode(value))
    }

    private static func canonical(
        _ value: JSONValue,
        unwrapping wrappers: [String] = ["book", "enrichment"]
    ) -> JSONValue {
        if case .array(let list) = value { return .array(list.map { canonical($0) }) }
        guard case .object(let object) = value else { return value }
        var fields: [String: JSONValue] = [:]
        // In order, so that the first of two spellings counts.
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            let name = camelCase(name)
            guard fields[name] == nil, name == "rawText" || !value.isBlank else { continue }
            fields[name] = canonical(value)
        }
        for wrapper in wrappers {
            guard case .object(let inner)? = fields[wrapper] else { continue }
            fields[wrapper] = nil
            fields.merge(inner) { $1 }
        }
        // A link is an address, or an object that holds one.
        if case .object(let links)? = fields["links"], let link = links["stream"] {
            if case .object(let link) = link {
                fields["streamLink"] = link["href"]
            } else {
                fields["streamLink"] = link
            }
        }
        for (property, names) in readNames {
            if let name = names.first(where: { fields[$0] != nil }) { fields[property] = fields[name] }
        }
        BookMetadata.repair(&fields)
        // The latest servers have the numbers among the event's own fields.
        if fields["summary"] == nil, fields["processed"] != nil || fields["detected"] != nil {
            fields["summary"] = .object(fields)
        }
        return .object(fields)
    }

    /// Returns `coverUrl` for `cover_url`, and other names as they are.
    private static func camelCase(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == 0x5F || $0 == 0x2D }) else { return name }
        let words = name.split { $0 == "_" || $0 == "-" }
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

extension JSONValue {
    /// Whether it is null or blank text.
    fileprivate var isBlank: Bool {
        switch self {
        case .null: true
        case .string(let text): text.allSatisfy(\.isWhitespace)
        default: false
        }
    }

    /// Text, or a whole number's digits.
    var word: String? {
        switch self {
        case .string(let text): text
        case .number(let number): Int(exactly: number).map(String.init)
        default: nil
        }
    }

    var share: Double { if case .number(let number) = self { number } else { .nan } }
}

/// Tolerant reading of all messages of this module, in the place of the standard library's methods of these names: a
/// value that cannot be read is absent, and does not cost the others.
extension KeyedDecodingContainer {
    /// Text without the spaces around it; a whole number counts as its digits.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        let text = (try? decodeStrictly(String.self, key)) ?? (try? decodeStrictly(Int.self, key)).map(String.init)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A share from 0 to 1; text that is one counts.
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        number(key).flatMap { (0...1).contains($0) ? $0 : nil }
    }

    /// A whole number; text that is one counts.
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { number(key).flatMap(Int.init(exactly:)) }

    func decodeIfPresent<Word: RawRepresentable & Decodable>(_ type: Word.Type, forKey key: Key) throws -> Word?
    where Word.RawValue == String { try decodeIfPresent(String.self, forKey: key).flatMap(Word.init) }

    /// Corners, four or none.
    func decodeIfPresent(_ type: [NormalizedPoint].Type, forKey key: Key) throws -> [NormalizedPoint]? {
        let corners = try? decodeStrictly(type, key)
        return corners?.count == 4 ? corners : nil
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try? decodeStrictly(type, key) }

    /// The elements that can be read.
    func decodeIfPresent<Element: Decodable>(_ type: [Element].Type, forKey key: Key) throws -> [Element]? {
        (try? decodeStrictly([Tolerant<Element>].self, key))?.compactMap(\.value)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try? decodeStrictly(type, key)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { (try? decodeStrictly(type, key)) ?? false }

    func decode(_ type: [String].Type, forKey key: Key) throws -> [String] {
        try decodeIfPresent(type, forKey: key)?.filter { !$0.allSatisfy(\.isWhitespace) } ?? []
    }

    func decode(_ type: EnrichmentStatus.Type, forKey key: Key) throws -> EnrichmentStatus {
        try decodeIfPresent(type, forKey: key) ?? .pending
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try required(key, decodeIfPresent(type, forKey: key))
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try required(key, decodeIfPresent(type, forKey: key))
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try required(key, decodeIfPresent(type, forKey: key))
    }

    func decode<Element: Decodable>(_ type: [Element].Type, forKey key: Key) throws -> [Element] {
        try required(key, decodeIfPresent(type, forKey: key))
    }

    private func required<Value>(_ key: Key, _ value: Value?) throws -> Value {
        guard let value else {
            let problem = "'\(key.stringValue)' is missing or invalid"
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: problem))
        }
        return value
    }

    private func number(_ key: Key) -> Double? {
        let number =
            (try? decodeStrictly(Double.self, key)) ?? (try? decodeStrictly(String.self, key)).flatMap(Double.init)
        return number?.isFinite == true ? number : nil
    }

    /// Reads a value as its type does.
    func decodeStrictly<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
        try Value(from: superDecoder(forKey: key))
    }
}

/// An element of an array that may be malformed without costing the others.
private struct Tolerant<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
