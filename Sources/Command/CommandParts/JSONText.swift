import Foundation
import SpineDatasets

/// JSON as the commands print it, with sorted names.
package enum JSONText {
    /// Indented.
    package static func of(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    package static func line(_ value: some Encodable) throws -> String {
        String(decoding: try JSONLine.encode(value).dropLast(), as: UTF8.self)
    }
}
