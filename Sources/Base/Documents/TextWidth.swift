package enum TextWidth {
    /// Returns the width in columns: two for wide East Asian characters and for emoji, none for a mark over another
    /// letter.
    ///
    /// Source: Unicode Standard Annex 11, ranges W and F, in blocks.
    package static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

    private static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation { return 2 }
        switch first.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x202A...0x202E, 0x2066...0x2069: return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return first.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }

    /// Returns the text, with spaces behind it or in front of it up to `width` columns.
    package static func padded(_ text: String, to width: Int, onTheLeft: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - of(text)))
        return onTheLeft ? space + text : text + space
    }

    /// Returns the text, cut with an ellipsis where it is wider than `width` columns.
    package static func cut(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        return prefix(of: text[...], width: max(0, width - 1)) + (width > 0 ? "…" : "")
    }

    /// Returns the text in lines of at most `width` columns, broken between words where that can be.
    package static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            var word = word
            if !line.isEmpty, of(line) + 1 + of(String(word)) > width {
                lines.append(line)
                line = ""
            }
            while of(String(word)) > width {
                let head = prefix(of: word, width: width)
                guard !head.isEmpty else { break }
                lines.append(head)
                word = word.dropFirst(head.count)
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty || lines.isEmpty { lines.append(line) }
        return lines
    }

    private static func prefix(of text: Substring, width: Int) -> String {
        var (taken, left) = ("", width)
        for character in text {
            left -= of(character)
            if left < 0 { break }
            taken.append(character)
        }
        return taken
    }
}
