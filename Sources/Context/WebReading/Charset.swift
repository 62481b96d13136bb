import Foundation

/// Encodings of pages.
enum Charset {
    /// Bytes that the parser can decode, and the name of their encoding, which has ASCII's bytes below 0x80.
    ///
    /// A byte order mark counts first, then the header, then what the page itself says; else it is UTF-8 where that is
    /// valid, and windows-1252 where it is not. UTF-8, UTF-16 and windows-1252 are decoded here, with U+FFFD for
    /// what is none; the encodings in ``ofTheParser`` by the parser. Others, UTF-7 among them, are not decoded: their
    /// text could hide markup. (WHATWG Encoding, section 4.2; HTML 13.2.3)
    static func decodable(_ bytes: [UInt8], contentType: String?) -> (bytes: [UInt8], encoding: String) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return utf8(String(decoding: bytes.dropFirst(3), as: UTF8.self)) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf8(utf16(bytes.dropFirst(2), bigEndian: false)) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf8(utf16(bytes.dropFirst(2), bigEndian: true)) }
        let header = contentType.flatMap(charset)?.lowercased()
        // What can be read as ASCII in the page's own bytes is not in UTF-16, whatever it says.
        let named = header ?? declared(bytes).map { $0.lowercased().hasPrefix("utf-16") ? "utf-8" : $0.lowercased() }
        switch named {
        case "utf-16le", "utf-16": return utf8(utf16(bytes[...], bigEndian: false))
        case "utf-16be": return utf8(utf16(bytes[...], bigEndian: true))
        case "utf-8", "utf8": return utf8(String(decoding: bytes, as: UTF8.self))
        case "iso-8859-1", "iso8859-1", "latin1", "ascii", "us-ascii", "windows-1252", "cp1252":
            return utf8(windows1252(bytes))
        case let name? where ofTheParser.contains { name.hasPrefix($0) }: return (withoutControls(bytes), name)
        default:
            // A sequence that was cut at the end of what is looked at is no fault of the encoding.
            let whole = bytes.dropLast(bytes.count >= WebPage.mostBytes ? 4 : 0)
            let isUTF8 = String(validating: whole, as: UTF8.self) != nil
            return utf8(isUTF8 ? String(decoding: bytes, as: UTF8.self) : windows1252(bytes))
        }
    }

    /// Beginnings of names of encodings that are left to the parser.
    private static let ofTheParser = [
        "iso-8859-", "windows-125", "windows-874", "koi8-", "euc-", "gb2312", "gbk", "gb18030", "big5", "shift_jis",
        "macintosh", "tis-620",
    ]

    /// What windows-1252 has from 0x80 to 0x9F. (WHATWG Encoding, index windows-1252)
    private static let windows1252High: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    private static func windows1252(_ bytes: [UInt8]) -> String {
        let units = bytes.map { (0x80..<0xA0).contains($0) ? windows1252High[Int($0) - 0x80] : UInt16($0) }
        return String(decoding: units, as: UTF16.self)
    }

    private static func utf8(_ text: String) -> (bytes: [UInt8], encoding: String) {
        (withoutControls(Array(text.utf8)), "UTF-8")
    }

    /// The bytes with spaces for control characters: at some of them libxml2 2.9 takes a page to end.
    private static func withoutControls(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { $0 < 0x20 && !(0x09...0x0D).contains($0) || $0 == 0x7F || $0 == 0x0B ? 0x20 : $0 }
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

    private static func utf16(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> String {
        let bytes = Array(bytes)
        var units: [UInt16] = []
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(bigEndian ? first << 8 | second : second << 8 | first)
        }
        return String(decoding: units, as: UTF16.self)
    }
}
