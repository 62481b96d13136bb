import Foundation

/// A property of a contact: a content line of a vCard.
///
/// Sources: RFC 6350, 3.3 and 3.4; RFC 2426; vCard 2.1 (versit, 1996).
package struct ContentLine: Sendable, Equatable {
    /// Name in upper case, without its group.
    package var name: String
    /// Value with its escapes; quoted-printable is decoded.
    package var value: String
    /// Whether the value is a file's bytes as text.
    package private(set) var isBinary = false

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    /// Creates the property of an unfolded line; nil for any other text.
    private init?(line: Substring) {
        let form = /\s*(?:[\w\-]++\s*\.)?\s*([\w\-]++)\s*((?>;(?>"[^"]*"|[^;:])*+)*+):(.*)/.dotMatchesNewlines()
        guard let match = line.wholeMatch(of: form)?.output else { return nil }
        let parameters = match.2.uppercased()
        self.init(match.1.uppercased(), String(match.3))
        isBinary = parameters.contains(/;\s*(?:ENCODING=)?(?:B|BASE64)(?:;|$)/)
        guard parameters.contains("QUOTED-PRINTABLE") else { return }
        value = Self.decoded(value, charset: (parameters.firstMatch(of: /CHARSET="?([^;"]*)/)?.1).map(String.init))
    }

    /// The value without escapes: `\n` is a line feed.
    package var text: String { Self.unescaped(value) }

    /// The parts of a structured value (N, ADR, ORG), without escapes.
    package var parts: [String] { Self.split(value, at: ";").map(Self.unescaped) }

    /// Returns a text as a value has it.
    package static func escaped(_ text: String) -> String {
        text.replacing(/\r\n|\r/, with: "\n").replacing(/[\\,;]/) { "\\\($0.0)" }.replacing("\n", with: "\\n")
    }

    /// A backslash before a letter other than n stands for itself, as in "C:\Temp".
    private static func unescaped(_ value: String) -> String {
        value.replacing(/\\([\\,;:"nN])/) { $0.1.lowercased() == "n" ? "\n" : String($0.1) }
    }

    /// Returns the parts of a text between separators that no backslash escapes.
    package static func split(_ text: String, at separator: Character) -> [String] {
        var (parts, isEscaped) = ([""], false)
        for character in text {
            if character == separator, !isEscaped { parts.append("") } else { parts[parts.count - 1].append(character) }
            isEscaped = character == "\\" && !isEscaped
        }
        return parts
    }

    /// Returns the lines of each card in a text, without those of cards within it (AGENT).
    package static func cards(in text: String) -> [[ContentLine]] {
        var (cards, depth) = ([[ContentLine]](), 0)
        for line in unfolded(text).lazy.compactMap({ ContentLine(line: $0[...]) }) {
            let isCard = line.value.trimmingCharacters(in: .whitespaces).uppercased() == "VCARD"
            switch line.name {
            case "BEGIN" where isCard:
                // One that is not closed ends where the next one begins.
                depth = cards.last?.last?.name == "AGENT" ? depth + 1 : 1
                if depth == 1 { cards.append([]) }
            case "END" where isCard: depth = max(0, depth - 1)
            default: if depth == 1 { cards[cards.count - 1].append(line) }
            }
        }
        return cards
    }

    /// Returns the lines of a text.
    ///
    /// A line that begins with a space or a tab continues the one before it, and so does any line behind a
    /// quoted-printable one that ends with "=". In vCard 2.1 the space of a continued line belongs to the text (RFC 822,
    /// 3.1.1).
    private static func unfolded(_ text: String) -> [String] {
        let keepsSpace = text.contains(/(?i)version:\s*2\.1/)
        var lines: [String] = []
        // No others end a line: U+2028 may stand in a value.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { ["\r\n", "\n", "\r"].contains($0) })
        {
            let last = lines.last ?? ""
            let isSoft = last.hasSuffix("=") && last.prefix { $0 != ":" }.uppercased().contains("QUOTED-PRINTABLE")
            if isSoft, !line.uppercased().hasPrefix("END:") {
                lines[lines.count - 1] = "\(last.dropLast())\(line)"
            } else if let first = line.unicodeScalars.first, first == " " || first == "\t", !lines.isEmpty {
                let rest = keepsSpace ? line.unicodeScalars[...] : line.unicodeScalars.dropFirst()
                lines[lines.count - 1] = last + String(String.UnicodeScalarView(rest))
            } else {
                lines.append(String(line))
            }
        }
        return lines
    }

    /// Returns a quoted-printable text (RFC 2045, 6.7), its line feeds escaped; in UTF-8, else windows-1252, where no
    /// encoding is named.
    private static func decoded(_ value: String, charset: String?) -> String {
        var bytes: [UInt8] = []
        var rest = value.utf8[...]
        while let byte = rest.popFirst() {
            let escaped =
                byte == UInt8(ascii: "=") && rest.count > 1
                ? UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) : nil
            bytes.append(escaped ?? byte)
            if escaped != nil { rest = rest.dropFirst(2) }
        }
        // What a reader of codes has made UTF-8 of is none of the encoding's bytes.
        let named = value.utf8.allSatisfy { $0 < 0x80 } ? charset.flatMap(Charset.encoding) : nil
        let encoding = named ?? (String(validating: bytes, as: UTF8.self) == nil ? "windows-1252" : "UTF-8")
        let text = String(decoding: TextDecoder.utf8(bytes[...], encoding), as: UTF8.self)
        return text.replacing(/\r\n|\r|\n/, with: "\\n")
    }
}
