import Foundation

/// Files of JSON for people: with line breaks, and names in their order.
package enum JSONFile {
    package static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return Array(try encoder.encode(value) + [0x0A])
    }
}
