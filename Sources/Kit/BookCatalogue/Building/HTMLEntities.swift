import Foundation

/// Character references of HTML, which some lists left in their titles.
enum HTMLEntities {
    /// Returns `text` with the characters that its references mean; those that are not known stay.
    static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var decoded = ""
        var rest = text[...]
        while let ampersand = rest.firstIndex(of: "&") {
            decoded += rest[..<ampersand]
            rest = rest[ampersand...]
            // "Tom & Jerry; or, …" has a semicolon, but no reference.
            guard let end = rest.prefix(10).firstIndex(of: ";"),
                let character = character(rest[rest.index(after: ampersand)..<end])
            else {
                decoded.append("&")
                rest = rest.dropFirst()
                continue
            }
            decoded += character
            rest = rest[rest.index(after: end)...]
        }
        return decoded + rest
    }

    private static func character(_ name: Substring) -> String? {
        if name.first == "#" {
            let digits = name.dropFirst()
            let value =
                digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap(Unicode.Scalar.init).flatMap { $0.value < 0x20 ? " " : String($0) }
        }
        if let known = named[name] { return known }
        // "eacute": a letter and its mark.
        guard let letter = name.first, letter.isASCII, letter.isLetter, let mark = marks[name.dropFirst()] else {
            return nil
        }
        return "\(letter)\(mark)".precomposedStringWithCanonicalMapping
    }

    private static let named: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "szlig": "ß", "aelig": "æ",
        "AElig": "Æ", "oelig": "œ", "OElig": "Œ", "oslash": "ø", "Oslash": "Ø", "ndash": "–", "mdash": "—",
        "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "hellip": "…", "deg": "°", "ordf": "ª",
        "ordm": "º", "iquest": "¿", "iexcl": "¡", "middot": "·", "laquo": "«", "raquo": "»",
    ]

    private static let marks: [Substring: Unicode.Scalar] = [
        "acute": "\u{301}", "grave": "\u{300}", "circ": "\u{302}", "uml": "\u{308}", "tilde": "\u{303}",
        "cedil": "\u{327}", "ring": "\u{30A}", "caron": "\u{30C}",
    ]
}
