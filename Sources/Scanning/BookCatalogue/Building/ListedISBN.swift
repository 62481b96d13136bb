import Basics
import Foundation

/// Numbers as lists have them after a spreadsheet has been at them.
enum ListedISBN {
    /// The number that a row states in one of its fields; nil when there is none that is right.
    static func parse(_ fields: [String]) -> ISBN? {
        fields.lazy.compactMap(written).first ?? fields.lazy.compactMap(scientific).first
    }

    private static func written(_ text: String) -> ISBN? {
        if let isbn = ISBN(text) { return isbn }
        let whole = text.hasSuffix(".0") ? text.dropLast(2) : text[...]
        // Leading zeros are what spreadsheets drop first.
        if (7...9).contains(whole.utf8.count), whole.utf8.dropLast().allSatisfy({ 0x30...0x39 ~= $0 }) {
            return ISBN(String(repeating: "0", count: 10 - whole.utf8.count) + whole)
        }
        if whole.utf8.count < text.utf8.count { return ISBN(String(whole)) }
        // Several numbers, or one with a remark: "0306406152 (pbk.)", "9780306406157; 0306406152".
        let pieces = text.split { ";,|/() \n".contains($0) }
        guard pieces.count > 1 else { return nil }
        return pieces.lazy.compactMap { ISBN(String($0)) }.first
    }

    static func isPlaceholder(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
            || ["nan", "null", "none", "n/a", "na", "unknown"].contains(text.lowercased())
    }

    /// The number of which "9.78043902348e+12" is the rounded one; nil when two are, or none.
    ///
    /// Twelve digits are left of thirteen. The last one is the check digit, so only two numbers round to the twelve: those
    /// whose first twelve digits are these and whose check digit rounds down, or one less and a check digit that rounds up.
    private static func scientific(_ text: String) -> ISBN? {
        let parts = text.lowercased().split(separator: "e")
        guard parts.count == 2, parts[1] == "+12" || parts[1] == "12" else { return nil }
        let digits = parts[0].filter { $0 != "." }
        guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), (2...13).contains(digits.utf8.count) else { return nil }
        if digits.utf8.count == 13 { return ISBN(digits) }
        guard let rounded = Int(digits + String(repeating: "0", count: 12 - digits.utf8.count)) else { return nil }
        let down = (0...5).compactMap { ISBN("\(rounded)\($0)") }
        let up = (5...9).compactMap { ISBN("\(rounded - 1)\($0)") }
        return down.count + up.count == 1 ? (down + up).first : nil
    }
}

/// Character references of HTML, which some lists left in their titles.
enum HTMLEntities {
    /// `text` with the characters that its references mean; those that are not known stay.
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
