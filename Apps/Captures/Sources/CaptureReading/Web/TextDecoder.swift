import Basics
import CLibXML
import Foundation

/// Decoder of an encoding of the WHATWG Encoding Standard, in error mode "replacement": each invalid sequence is one
/// U+FFFD, and decoding continues behind it.
///
/// The sequences are those of the C library's iconv, which names the encodings of Windows by their code pages; where
/// glibc's tables differ from the standard's indexes, the standard's count (``additions``). With glibc 2.36 all
/// sequences of one to three bytes are those of the standard, as are the 51,620 of four bytes of gb18030 that were
/// compared (with encoding_rs, in Deno 2.9); the tables of another iconv are unknown.
struct TextDecoder {
    private let name: String
    private let table: SequenceTable
    /// Sequences of one and two bytes that were met.
    private var known: [UInt16: [UInt8]?] = [:]

    /// Replacement for invalid sequences: U+FFFD.
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    init(_ encoding: String) {
        name = encoding
        table = SequenceTable(encoding)
    }

    func utf8(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        switch name {
        case "UTF-8": return Array(String(decoding: bytes, as: UTF8.self).utf8)
        case "UTF-16LE", "UTF-16BE": return utf16(bytes)
        case "replacement": return bytes.isEmpty ? [] : Self.replacement
        case "x-user-defined": return bytes.flatMap { Array(String(Self.userDefined($0)).utf8) }
        default: break
        }
        var decoder = self
        return name == "ISO-2022-JP" ? decoder.iso2022JP(bytes) : decoder.legacy(bytes)
    }

    private static func userDefined(_ byte: UInt8) -> Unicode.Scalar {
        byte < 0x80 ? Unicode.Scalar(byte) : Unicode.Scalar(0xF700 + UInt16(byte)) ?? "\u{FFFD}"
    }

    private func utf16(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        let isBig = name == "UTF-16BE"
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
            + (bytes.count.isMultiple(of: 2) ? [] : Self.replacement)
    }

    // MARK: - Encodings of one to four bytes

    private mutating func legacy(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] < 0x80 {
                text.append(bytes[index])
                index += 1
                continue
            }
            let (character, length) = sequence(bytes[index...].prefix(4))
            text += character ?? Self.replacement
            index += length
        }
        return text
    }

    /// Returns the character that bytes begin with, and the bytes that it takes; nil for none.
    private mutating func sequence(_ bytes: ArraySlice<UInt8>) -> (character: [UInt8]?, length: Int) {
        let start = bytes.startIndex
        let first = bytes[start]
        guard isLead(first) else { return (cached(UInt16(first)) { $0[first] }, 1) }
        guard bytes.count > 1 else { return (nil, 1) }
        let second = bytes[start + 1]
        if name == "gb18030", (0x30...0x39).contains(second) {
            guard bytes.count == 4 else {
                return (nil, bytes.count > 2 && !(0x81...0xFE).contains(bytes[start + 2]) ? 1 : bytes.count)
            }
            guard (0x81...0xFE).contains(bytes[start + 2]), (0x30...0x39).contains(bytes[start + 3]) else {
                return (nil, 1)
            }
            return (table[Array(bytes)], 4)
        }
        if name == "EUC-JP", first == 0x8F, (0xA1...0xFE).contains(second) {
            guard bytes.count > 2 else { return (nil, 2) }
            let third = bytes[start + 2]
            let character = (0xA1...0xFE).contains(third) ? table[[first, second, third]] : nil
            return (character, character == nil && third < 0x80 ? 2 : 3)
        }
        let character = pair(first, second)
        // A byte of ASCII behind a lead may be the beginning of a tag.
        return (character, character == nil && second < 0x80 ? 1 : 2)
    }

    private func isLead(_ byte: UInt8) -> Bool {
        switch name {
        case "Shift_JIS": (0x81...0x9F).contains(byte) || (0xE0...0xFC).contains(byte)
        case "EUC-JP": byte == 0x8E || byte == 0x8F || (0xA1...0xFE).contains(byte)
        case "gb18030", "Big5", "EUC-KR": (0x81...0xFE).contains(byte)
        default: false
        }
    }

    private mutating func pair(_ first: UInt8, _ second: UInt8) -> [UInt8]? {
        cached(UInt16(first) << 8 | UInt16(second)) { $0[[first, second]] }
    }

    private mutating func cached(_ key: UInt16, _ make: (SequenceTable) -> [UInt8]?) -> [UInt8]? {
        if let known = known[key] { return known }
        let character = make(table)
        known[key] = .some(character)
        return character
    }

    // MARK: - ISO-2022-JP

    private enum Mode { case ascii, roman, katakana, double }

    private mutating func iso2022JP(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var mode = Mode.ascii
        // Whether a mode was chosen of which nothing has come: choosing another one then is a fault.
        var isChosen = false
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == 0x1B {
                let next = Self.mode(bytes[(index + 1)...].prefix(2))
                if next == nil || isChosen { text += Self.replacement }
                isChosen = next != nil
                mode = next ?? mode
                index += next == nil ? 1 : 3
                continue
            }
            isChosen = false
            index += 1
            switch mode {
            case .roman where byte == 0x5C: text += Array("¥".utf8)
            case .roman where byte == 0x7E: text += Array("‾".utf8)
            case .ascii where byte < 0x80 && byte != 0x0E && byte != 0x0F,
                .roman where byte < 0x80 && byte != 0x0E && byte != 0x0F:
                text.append(byte)
            case .katakana where (0x21...0x5F).contains(byte): text += pair(0x8E, byte + 0x80) ?? Self.replacement
            case .double where (0x21...0x7E).contains(byte):
                guard index < bytes.endIndex, bytes[index] != 0x1B else {
                    text += Self.replacement
                    continue
                }
                let second = bytes[index]
                index += 1
                let isPair = (0x21...0x7E).contains(second)
                text += (isPair ? pair(byte + 0x80, second + 0x80) : nil) ?? Self.replacement
            default: text += Self.replacement
            }
        }
        return text
    }

    private static func mode(_ bytes: ArraySlice<UInt8>) -> Mode? {
        switch Array(bytes) {
        case [0x28, 0x42]: .ascii
        case [0x28, 0x4A]: .roman
        case [0x28, 0x49]: .katakana
        case [0x24, 0x40], [0x24, 0x42]: .double
        default: nil
        }
    }
}

private final class SequenceTable {
    private let name: String
    /// nil for an encoding that needs none, or that the C library does not have.
    private let handle: iconv_t?
    /// Converter of three-byte sequences of EUC-JP; nil for others.
    private let threeBytes: iconv_t?

    init(_ encoding: String) {
        name = encoding
        let names = Self.names[encoding] ?? [encoding]
        handle = names.lazy.compactMap { Self.open($0) }.first
        threeBytes = encoding == "EUC-JP" ? Self.open("EUC-JP") : nil
    }

    deinit { for handle in [handle, threeBytes] { if let handle { iconv_close(handle) } } }

    /// Names of encodings in iconv, if they differ: glibc's first, then GNU libiconv's.
    ///
    /// EUC-JP and ISO-2022-JP have the pairs of Shift_JIS in another order.
    private static let names = [
        "gb18030": ["GB18030"], "Big5": ["BIG5-HKSCS"], "EUC-KR": ["CP949"], "Shift_JIS": ["CP932"],
        "EUC-JP": ["CP932"], "ISO-2022-JP": ["CP932"], "windows-874": ["CP874"],
        "x-mac-cyrillic": ["MAC-UK", "MacCyrillic"],
    ]

    private static func open(_ name: String) -> iconv_t? {
        let handle = iconv_open("UTF-8", name)
        return handle == iconv_t(bitPattern: -1) ? nil : handle
    }

    /// The character of a byte from 0x80 on; nil for none.
    subscript(byte: UInt8) -> [UInt8]? {
        switch name {
        case "gb18030" where byte == 0x80: Array("€".utf8)
        case "Shift_JIS" where byte == 0x80: [0xC2, 0x80]
        case "Shift_JIS" where (0xA1...0xDF).contains(byte): converted([byte])
        case "gb18030", "Big5", "EUC-KR", "EUC-JP", "Shift_JIS": nil
        // Bytes without a character in a code page become control characters, if they are in that range.
        default: addition([byte]) ?? converted([byte]) ?? (byte < 0xA0 ? [0xC2, byte] : nil)
        }
    }

    /// The character of a sequence of two to four bytes; nil for none.
    subscript(bytes: [UInt8]) -> [UInt8]? {
        if let addition = addition(bytes) { return addition }
        guard name == "EUC-JP" || name == "ISO-2022-JP" else { return converted(bytes) }
        if bytes[0] == 0x8E { return (0xA1...0xDF).contains(bytes[1]) ? converted([bytes[1]]) : nil }
        guard bytes.count == 2 else { return converted(bytes, by: threeBytes) }
        guard (0xA1...0xFE).contains(bytes[1]) else { return nil }
        // JIS X 0208 by its row and cell, as Shift_JIS puts two rows behind one lead. (JIS X 0208:1997, annex 1)
        let place = Int(bytes[0] - 0xA1) * 94 + Int(bytes[1] - 0xA1)
        let (lead, trail) = place.quotientAndRemainder(dividingBy: 188)
        return converted([UInt8(lead + (lead < 0x1F ? 0x81 : 0xC1)), UInt8(trail + (trail < 0x3F ? 0x40 : 0x41))])
    }

    private func converted(_ bytes: [UInt8]) -> [UInt8]? { converted(bytes, by: handle) }

    /// Returns iconv's result for a whole sequence; nil when there is none, or it covers more than one sequence.
    private func converted(_ bytes: [UInt8], by handle: iconv_t?) -> [UInt8]? {
        guard let handle else { return nil }
        // Each sequence for itself: some of glibc's converters put combining characters together.
        iconv(handle, nil, nil, nil, nil)
        var room = [UInt8](repeating: 0, count: 16)
        let length: Int? = bytes.withUnsafeBytes { source in
            room.withUnsafeMutableBytes { target in
                var input = UnsafeMutablePointer(mutating: source.bindMemory(to: CChar.self).baseAddress)
                var output = target.bindMemory(to: CChar.self).baseAddress
                var (inputLeft, outputLeft) = (source.count, target.count)
                guard iconv(handle, &input, &inputLeft, &output, &outputLeft) != -1, inputLeft == 0,
                    iconv(handle, nil, nil, &output, &outputLeft) != -1
                else { return nil }
                return target.count - outputLeft
            }
        }
        return length.map { Array(room[..<$0]) }
    }

    // MARK: - Where the standard has other characters

    /// Returns the character of a sequence for which glibc has another one, or none.
    private func addition(_ bytes: [UInt8]) -> [UInt8]? {
        if name == "gb18030", bytes.count == 4 {
            // Characters of Unicode 4.1, by the places of sequences of four bytes. (WHATWG index gb18030 ranges)
            let place =
                (Int(bytes[0]) - 0x81) * 12_600 + (Int(bytes[1]) - 0x30) * 1_260 + (Int(bytes[2]) - 0x81) * 10
                + Int(bytes[3]) - 0x30
            switch place {
            case 19_057...19_064: return Array(String(decoding: [UInt16(place - 19_057 + 0x9FB4)], as: UTF16.self).utf8)
            case 39_076...39_085: return Array(String(decoding: [UInt16(place - 39_076 + 0xFE10)], as: UTF16.self).utf8)
            default: return nil
            }
        }
        return Self.additions[name]?[bytes.hexadecimal.uppercased()]
    }

    private static let additions = written.mapValues { text in
        // Scalars are counted: one of the characters joins its predecessor.
        let words = text.unicodeScalars.split(separator: " ").map { word in
            (
                String(String.UnicodeScalarView(word.dropLast())),
                Array(String(String.UnicodeScalarView(word.suffix(1))).utf8)
            )
        }
        return Dictionary(uniqueKeysWithValues: words)
    }

    /// Sequences in hexadecimal digits, each with its character.
    ///
    /// Of Big5 they are those that HKSCS-1999 has beside a sequence of Big5, and signs for which glibc has a like
    /// one; of gb18030 characters that the standard leaves in the private use area.
    private static let written = [
        "KOI8-U": "AEў BEЎ", "macintosh": "C6∆ F0\u{F8FF}", "windows-1255": "CA\u{05BA}", "x-mac-cyrillic": "FF€",
        "gb18030": "A3A0\u{3000} FE51\u{E816} FE52\u{E817} FE53\u{E818} FE6C\u{E831} FE76\u{E83B} FE91\u{E855}",
        "Big5": """
        8E69箸 8E6F簆 8E7E糎 8EAB緒 8EB4縝 8ECD者 8ED0耨 8F57菁 8F69蒨 8F6E萏 8FCB覦 8FCC覩 8FFE起 906D都 907A銹 90DC靜 90F1響 91BF鼖 \
        9244蔃 92AF兙 92B0兛 92B1兝 92B2兞 92C8鍮 92D1瑹 9447浧 94CA禛 95D9邗 9644靝 96ED瀞 96FC嬨 9B76爁 9B78矗 9B7B纇 9BC6駖 9BDE釔 \
        9BEC惞 9BF6澶 9C42輶 9C53侻 9C62營 9C68鄄 9C6B鷰 9C77菏 9CBC尐 9CBD秣 9CD0婧 9D57輋 9D5A筑 9DC4拐 9EA9恢 9EEF痹 9EFD汊 9F60鬮 \
        9F66鼗 9FCB僭 9FD8弌 A063蠏 A077拎 A0D5瑨 A0DF煢 A0E4牐 A145‧ A14E﹑ A15A╴ A1C2¯ A1C3￣ A1C5ˍ A1E3～ A1F2⊕ A1F3⊙ A1FE／ \
        A240＼ A241∕ A242﹨ A244￥ A246￠ A247￡ A2CC十 A2CE卅 A3C0␀ A3C1␁ A3C2␂ A3C3␃ A3C4␄ A3C5␅ A3C6␆ A3C7␇ A3C8␈ A3C9␉ \
        A3CA␊ A3CB␋ A3CC␌ A3CD␍ A3CE␎ A3CF␏ A3D0␐ A3D1␑ A3D2␒ A3D3␓ A3D4␔ A3D5␕ A3D6␖ A3D7␗ A3D8␘ A3D9␙ A3DA␚ A3DB␛ \
        A3DC␜ A3DD␝ A3DE␞ A3DF␟ A3E0␡ A3E1€ C6CF廴 C6D3无 C6D5癶 C6D7隶 C6DE〃 C6DF仝 FA5F倩 FA66偽 FABD包 FAC5卄 FAD5卿 FB48嘅 \
        FBB8婷 FBF3幵 FBF9廐 FC4F彘 FC6C悤 FCB9撐 FCE2晴 FCF1杞 FDB7沜 FDB8渝 FDBB港 FDF1煮 FE52猪 FE6F瑜 FEAA瓩 FEDD砉
        """,
    ]
}
