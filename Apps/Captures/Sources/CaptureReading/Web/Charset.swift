import Foundation

/// Encodings of pages.
///
/// Source: WHATWG Encoding Standard, sections 4.2 (labels) and 6 (byte order marks); HTML Standard, section 13.2.3
/// (which declaration counts).
package enum Charset {
    /// Returns a text's bytes in UTF-8, without a byte order mark: those of a text in UTF-16 with one are converted.
    ///
    /// Invalid UTF-16 is returned as it is, which is invalid UTF-8.
    package static func plain(_ bytes: [UInt8]) -> [UInt8] {
        guard let (mark, encoding) = byteOrderMarks.first(where: { bytes.starts(with: $0.bytes) }) else { return bytes }
        let rest = bytes.dropFirst(mark.count)
        if encoding == "UTF-8" { return Array(rest) }
        let text = TextDecoder(encoding).utf8(rest)
        return String(decoding: text, as: UTF8.self).contains("\u{FFFD}") ? bytes : text
    }

    /// Returns a page's bytes in UTF-8.
    ///
    /// A byte order mark has priority, then the header, then the page's own declaration; else it is UTF-8 if that is
    /// valid, and windows-1252 otherwise. Names that the standard does not have, UTF-7 among them, do not count: such
    /// a text could hide markup.
    static func utf8(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
        withoutControls(decoded(bytes, contentType: contentType))
    }

    /// Returns whether a page's content is not text: more than one in 32 of its first characters are such as no text has.
    ///
    /// Source: MIME Sniffing Standard, 3 ("binary data byte") and 5.2 (1,445 bytes).
    static func isBinary(_ bytes: [UInt8], contentType: String?) -> Bool {
        let text = decoded(Array(bytes.prefix(1_444)), contentType: contentType)
        return text.count { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B || $0 == 0x0B } * 32 > text.count
    }

    private static func decoded(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
        for (mark, encoding) in byteOrderMarks where bytes.starts(with: mark) {
            return TextDecoder(encoding).utf8(bytes.dropFirst(mark.count))
        }
        let header = contentType.flatMap(charset).flatMap(encoding)
        if let encoding = header ?? MetaScan.encoding(of: bytes.prefix(1_024)) {
            return TextDecoder(encoding).utf8(bytes[...])
        }
        // A sequence cut at the end of the examined part is not an encoding error.
        let whole = bytes.dropLast(bytes.count >= WebPage.mostBytes ? 4 : 0)
        let isUTF8 = String(validating: whole, as: UTF8.self) != nil
        // A browser that meets a late declaration after it has begun to parse begins again.
        let late = isUTF8 ? "UTF-8" : MetaScan.encoding(of: bytes.prefix(65_536)) ?? "windows-1252"
        return TextDecoder(late).utf8(bytes[...])
    }

    private static let byteOrderMarks: [(bytes: [UInt8], encoding: String)] = [
        ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFE, 0xFF], "UTF-16BE"), ([0xFF, 0xFE], "UTF-16LE"),
    ]

    /// Returns the bytes with spaces for control characters: at some of them libxml2 2.9 takes a page to end.
    private static func withoutControls(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { $0 < 0x20 && !(0x09...0x0D).contains($0) || $0 == 0x7F || $0 == 0x0B ? 0x20 : $0 }
    }

    /// Returns the label in a header or in the `content` of a `meta` element: the text after `charset=`.
    static func charset(_ contentType: String) -> String? {
        let pattern = /(?i)charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))/
        guard let match = contentType.firstMatch(of: pattern) else { return nil }
        return (match.1 ?? match.2 ?? match.3).map(String.init)
    }

    /// Returns the encoding's name for a label; nil for a label that the standard does not have.
    static func encoding(_ label: String) -> String? {
        names[label.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "\t\n\u{C}\r "))]
    }

    /// Names of encodings by their labels: each line of `encodings.txt` is a name with its labels (WHATWG Encoding Standard,
    /// section 4.2).
    static let names: [String: String] = {
        var names: [String: String] = [:]
        for line in String(decoding: PackageResources.encodings_txt, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            for label in words.dropFirst() { names[label] = words[0] }
        }
        return names
    }()
}

/// The encoding that a page's own first bytes declare.
///
/// Source: HTML Standard, section 13.2.3.2, "prescan a byte stream to determine its encoding".
private struct MetaScan {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    /// Returns the name of the encoding; nil where none is declared.
    static func encoding(of bytes: ArraySlice<UInt8>) -> String? {
        // Two bytes a character: "<?x".
        if bytes.starts(with: [0x3C, 0, 0x3F, 0, 0x78, 0]) { return "UTF-16LE" }
        if bytes.starts(with: [0, 0x3C, 0, 0x3F, 0, 0x78]) { return "UTF-16BE" }
        var scan = MetaScan(bytes: bytes, index: bytes.startIndex)
        let found = scan.metaEncoding() ?? xmlEncoding(bytes)
        // A declaration readable as ASCII is not in UTF-16, even if it names it.
        return found.map { $0.hasPrefix("UTF-16") ? "UTF-8" : $0 }
    }

    private static func xmlEncoding(_ bytes: ArraySlice<UInt8>) -> String? {
        let head = String(decoding: bytes.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        let match = head.prefixMatch(of: /<\?xml[^\n]*?encoding\s*=\s*(?:"([^"]*)"|'([^']*)')/)
        return (match?.1 ?? match?.2).flatMap { Charset.encoding(String($0)) }
    }

    private mutating func metaEncoding() -> String? {
        while index < bytes.endIndex {
            if starts(with: "<!--") {
                index += 2
                skip { !$0.starts(with: "-->") }
            } else if starts(with: "<meta"), index + 5 < bytes.endIndex, isSpace(bytes[index + 5]) || at("/", index + 5)
            {
                index += 5
                if let encoding = encodingOfMeta() { return encoding }
            } else if at("<", index), let next = second, isLetter(bytes[next]) {
                skip { !$0.isSpace($0.bytes[$0.index]) && !$0.at(">", $0.index) }
                while attribute() != nil {}
            } else if ["<!", "</", "<?"].contains(where: { starts(with: $0) }) {
                skip { !$0.at(">", $0.index) }
            }
            index += 1
        }
        return nil
    }

    /// Place of a tag's first letter, behind `<` or `</`.
    private var second: Int? {
        let next = at("/", index + 1) ? index + 2 : index + 1
        return next < bytes.endIndex ? next : nil
    }

    private mutating func encodingOfMeta() -> String? {
        var values: [String: String] = [:]
        while let (name, value) = attribute() { if values[name] == nil { values[name] = value } }
        var label = values["charset"]
        if label == nil, values["http-equiv"]?.lowercased() == "content-type" {
            label = values["content"].flatMap(Charset.charset)
        }
        return label.flatMap(Charset.encoding).map { $0 == "x-user-defined" ? "windows-1252" : $0 }
    }

    /// Returns the next attribute of a tag, its name in lower case; nil at the tag's end.
    private mutating func attribute() -> (name: String, value: String)? {
        skip { $0.isSpace($0.bytes[$0.index]) || $0.at("/", $0.index) }
        guard index < bytes.endIndex, !at(">", index) else { return nil }
        let start = index
        skip { scan in
            let isEquals = scan.at("=", scan.index) && scan.index > start
            return !isEquals && !scan.isSpace(scan.bytes[scan.index]) && !scan.at("/", scan.index)
                && !scan.at(">", scan.index)
        }
        let name = text(start..<index).lowercased()
        skip { $0.isSpace($0.bytes[$0.index]) }
        guard at("=", index) else { return (name, "") }
        index += 1
        skip { $0.isSpace($0.bytes[$0.index]) }
        guard index < bytes.endIndex else { return nil }
        let from = index
        if at("\"", from) || at("'", from) {
            index += 1
            skip { $0.bytes[$0.index] != $0.bytes[from] }
            defer { index = min(index + 1, bytes.endIndex) }
            return (name, text(from + 1..<index))
        }
        skip { !$0.isSpace($0.bytes[$0.index]) && !$0.at(">", $0.index) }
        return (name, text(from..<index))
    }

    private mutating func skip(while holds: (MetaScan) -> Bool) {
        while index < bytes.endIndex, holds(self) { index += 1 }
    }

    private func starts(with text: String) -> Bool {
        let part = bytes[index...].prefix(text.utf8.count)
        return part.count == text.utf8.count
            && zip(part, text.utf8).allSatisfy { $0 == $1 || isLetter($0) && $0 | 0x20 == $1 }
    }

    private func at(_ character: Unicode.Scalar, _ place: Int) -> Bool {
        place < bytes.endIndex && bytes[place] == UInt8(ascii: character)
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    private func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte) }
    private func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
}
