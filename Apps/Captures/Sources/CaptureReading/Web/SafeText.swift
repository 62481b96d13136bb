import Foundation

/// Text of a page that is safe to show: no markup, no control characters, no direction marks.
enum SafeText {
    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF,
            0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// Returns a text on one line with single spaces, of 500 characters at most; nil for an empty one.
    static func line(_ text: String) -> String? {
        // Counted by scalars: one character may carry any number of marks.
        let line = collapsed(String(String.UnicodeScalarView(text.unicodeScalars.prefix(5_000))))
        return line.isEmpty ? nil : String(line.prefix(500))
    }

    /// Returns a text with single spaces.
    static func collapsed(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isSpace = true
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace || (isForbidden(scalar) && scalar.value != 0xAD && scalar.value != 0x200B)
            {
                if !isSpace { result.append(" ") }
                isSpace = true
            } else if !isForbidden(scalar) {
                result.append(scalar)
                isSpace = false
            }
        }
        if result.last == " " { result.removeLast() }
        return String(result)
    }

    /// Returns an address of the web, whole; nil for any other kind ("javascript:", "data:").
    static func address(_ text: String, relativeTo base: URL) -> String? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.count <= 4_096, !text.unicodeScalars.contains(where: isForbidden),
            let url = URL(string: text, relativeTo: base)?.absoluteURL, let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host()?.isEmpty == false
        else { return nil }
        return url.absoluteString
    }
}
