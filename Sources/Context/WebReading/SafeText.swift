import Foundation

/// Text of a page as it may be shown: no markup, no control characters, no marks that turn what follows.
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

    /// A text on one line with single spaces, of 500 characters at most; nil for an empty one.
    static func line(_ text: String) -> String? {
        let line = collapsed(String(text.prefix(5_000)))
        return line.isEmpty ? nil : String(line.prefix(500))
    }

    /// A text with single spaces.
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

    /// An address of the web, whole; nil for any other kind ("javascript:", "data:").
    static func address(_ text: String, relativeTo base: URL) -> String? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.count <= 4_096, !text.unicodeScalars.contains(where: isForbidden),
            let url = URL(string: text, relativeTo: base)?.absoluteURL, let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host()?.isEmpty == false
        else { return nil }
        return url.absoluteString
    }
}

/// Encodings of pages.
enum Charset {
    /// Bytes that the parser can decode, and the name of their encoding.
    ///
    /// A byte order mark counts first, then the header, then what the page itself says; else it is UTF-8 where that is valid, and
    /// windows-1252 where it is not. What the parser does not know is decoded here. (WHATWG Encoding, section 4.2; HTML 13.2.3)
    static func decodable(_ bytes: [UInt8], contentType: String?) -> (bytes: [UInt8], encoding: String?) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (Array(bytes.dropFirst(3)), "UTF-8") }
        if bytes.starts(with: [0xFF, 0xFE]) { return (utf8(bytes.dropFirst(2), bigEndian: false), "UTF-8") }
        if bytes.starts(with: [0xFE, 0xFF]) { return (utf8(bytes.dropFirst(2), bigEndian: true), "UTF-8") }
        let named = contentType.flatMap(charset) ?? declared(bytes)
        switch named?.lowercased() {
        case "utf-16le", "utf-16": return (utf8(bytes[...], bigEndian: false), "UTF-8")
        case "utf-16be": return (utf8(bytes[...], bigEndian: true), "UTF-8")
        case "iso-8859-1", "latin1", "ascii", "us-ascii", "windows-1252", "cp1252": return (bytes, "windows-1252")
        case "utf-8", "utf8", nil:
            // A sequence that was cut at the end of what is looked at is no fault of the encoding.
            return (
                bytes,
                String(validating: bytes.dropLast(bytes.count >= WebPage.mostBytes ? 4 : 0), as: UTF8.self) == nil
                    ? (named == nil ? "windows-1252" : "UTF-8") : "UTF-8"
            )
        case let name?: return (bytes, name)
        }
    }

    private static func charset(_ contentType: String) -> String? {
        guard let match = contentType.firstMatch(of: /(?i)charset\s*=\s*["']?([A-Za-z0-9_:.\-]{1,40})/) else {
            return nil
        }
        return String(match.1)
    }

    private static func declared(_ bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(1_024).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
        guard let meta = head.firstMatch(of: /(?i)<meta[^>]{0,200}charset\s*=\s*["']?\s*([A-Za-z0-9_:.\-]{1,40})/)
        else {
            return nil
        }
        return String(meta.1)
    }

    private static func utf8(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> [UInt8] {
        let bytes = Array(bytes)
        var units: [UInt16] = []
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(bigEndian ? first << 8 | second : second << 8 | first)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
