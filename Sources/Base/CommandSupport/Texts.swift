import Basics
import Foundation

/// Values as JSON on standard output.
public enum JSONText {
    /// Returns the value with line breaks.
    public static func of(_ value: some Encodable) throws -> String {
        String(decoding: try JSONFile.bytes(value).dropLast(), as: UTF8.self)
    }

    /// Returns the value on one line.
    public static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// Texts of others on one line of a terminal.
public enum PlainLine {
    /// Returns a text without control characters of a terminal: line ends and tabs become spaces, others are removed.
    public static func of(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.compactMap { scalar in
                    switch scalar.value {
                    case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: " "
                    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: nil
                    default: scalar
                    }
                }
            )
        )
    }
}
