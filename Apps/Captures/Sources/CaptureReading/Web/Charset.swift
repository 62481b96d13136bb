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
        let text = TextDecoder.utf8(rest, encoding)
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
            return TextDecoder.utf8(bytes.dropFirst(mark.count), encoding)
        }
        let header = contentType.flatMap(charset).flatMap(encoding)
        if let encoding = header ?? MetaScan.encoding(of: bytes.prefix(1_024)) {
            return TextDecoder.utf8(bytes[...], encoding)
        }
        // A sequence cut at the end of the examined part is not an encoding error.
        let whole = bytes.dropLast(bytes.count >= WebPage.mostBytes ? 4 : 0)
        let isUTF8 = String(validating: whole, as: UTF8.self) != nil
        // A browser that meets a late declaration after it has begun to parse begins again.
        let late = isUTF8 ? "UTF-8" : MetaScan.encoding(of: bytes.prefix(65_536)) ?? "windows-1252"
        return TextDecoder.utf8(bytes[...], late)
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
private enum MetaScan {
    /// A comment; a name with a tag's attributes; or another declaration, which ends at the first ">".
    private static let token =
        #"(?is)<!(?=--)(?:.*?-->|.*+)|<(/?[a-z][^\s/>]*+)((?:[\s/]++|[^\s/>][^\s/>=]*+\s*+(?:=\s*+(?:"[^"]*+"?+|'[^']*+'?+|[^\s>]*+))?+)*+)|<[!?/][^>]*+"#
    private static let attribute = #"(?s)([^\s/>][^\s/>=]*+)\s*+(?:=\s*+(?:"([^"]*+)|'([^']*+)|([^\s>]*+))['"]?+)?+"#

    /// Returns the name of the encoding; nil where none is declared.
    static func encoding(of bytes: ArraySlice<UInt8>) -> String? {
        // Two bytes a character: "<?x".
        if bytes.starts(with: [0x3C, 0, 0x3F, 0, 0x78, 0]) { return "UTF-16LE" }
        if bytes.starts(with: [0, 0x3C, 0, 0x3F, 0, 0x78]) { return "UTF-16BE" }
        let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        let found = metaEncoding(text) ?? xmlEncoding(text)
        // A declaration readable as ASCII is not in UTF-16, even if it names it.
        return found.map { $0.hasPrefix("UTF-16") ? "UTF-8" : $0 }
    }

    private static func xmlEncoding(_ text: String) -> String? {
        let match = text.prefix { $0 != ">" }.prefixMatch(of: /<\?xml[^\n]*?encoding\s*=\s*(?:"([^"]*)"|'([^']*)')/)
        return (match?.1 ?? match?.2).flatMap { Charset.encoding(String($0)) }
    }

    private static func metaEncoding(_ text: String) -> String? {
        for parts in matches(of: token, in: text) where parts[1]?.lowercased() == "meta" {
            var values: [String: String] = [:]
            for pair in matches(of: attribute, in: parts[2] ?? "") {
                let name = (pair[1] ?? "").lowercased()
                if values[name] == nil { values[name] = pair[2] ?? pair[3] ?? pair[4] ?? "" }
            }
            let isContent = values["http-equiv"]?.lowercased() == "content-type"
            let label = values["charset"] ?? (isContent ? values["content"].flatMap(Charset.charset) : nil)
            if let encoding = label.flatMap(Charset.encoding) {
                return encoding == "x-user-defined" ? "windows-1252" : encoding
            }
        }
        return nil
    }

    /// Returns the parts of each match of a pattern.
    private static func matches(of pattern: String, in text: String) -> [[String?]] {
        let whole = text as NSString
        let matches = (try? NSRegularExpression(pattern: pattern))?.matches(in: text, range: NSRange(0..<whole.length))
        return (matches ?? []).map { match in
            (0..<match.numberOfRanges).map(match.range(at:)).map {
                $0.location == NSNotFound ? nil : whole.substring(with: $0)
            }
        }
    }
}
