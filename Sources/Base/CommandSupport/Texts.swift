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
                    default: SafeText.isForbidden(scalar) ? nil : scalar
                    }
                }
            )
        )
    }
}

extension String {
    /// The text, whose commands begin with the program as it was called: by its path, or by a name that is in PATH.
    package var typed: String { typed(by: CommandLine.arguments[0]) }

    func typed(by called: String) -> String {
        guard called.hasSuffix("/spinebench") else { return self }
        return replacing(/\bspinebench (?=[a-z])/, with: (called.contains(" ") ? "'\(called)'" : called) + " ")
    }
}
