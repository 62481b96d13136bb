import Foundation

/// JSON as the commands print it, with sorted names.
package enum JSONText {
    /// Returns the JSON, indented.
    package static func of(_ value: some Encodable) throws -> String {
        try text(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    /// Returns the JSON on one line.
    package static func line(_ value: some Encodable) throws -> String {
        try text(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Dates are in ISO 8601.
    private static func text(_ value: some Encodable, _ format: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = format
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
