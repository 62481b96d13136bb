import Foundation

/// Text as titles and names are compared: lower case, no marks, words of letters and digits with one space between.
///
/// The one rule by which a title counts as read and a book is found. `L'Hivern del món (2ª ed.)` folds to
/// `l hivern del mon 2a ed`. Letters of other scripts than the Latin one are kept.
public struct FoldedText: Sendable, Hashable, CustomStringConvertible {
    /// UTF-8.
    public let bytes: [UInt8]

    /// Folds what a list or a reader wrote.
    public init(_ text: String) {
        var text = text
        bytes = text.withUTF8 { source in
            var folder = Folder(source: source)
            return folder.fold()
        }
    }

    /// The folded text.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    package var words: [ArraySlice<UInt8>] { bytes.split(separator: UInt8(ascii: " ")) }

    /// Its letters and digits alone: a name as people write it with and without spaces and hyphens.
    public var joined: String { String(decoding: bytes.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self) }

    /// Returns the folded words of a text.
    public static func words(of text: String) -> [String] {
        FoldedText(text).words.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The plain letters and digits that a scalar below U+0250 stands for; none for other characters.
    public static func plainLatin(_ scalar: UInt32) -> [UInt8] { LatinFolding.table[Int(scalar)] }

    /// `text` as keys, indices and searches have it: folded, with "and" for "&".
    public static func key(_ text: String) -> String {
        FoldedText(text.utf8.contains(UInt8(ascii: "&")) ? text.replacing("&", with: " and ") : text).description
    }
}

/// Folds valid UTF-8, scalar by scalar; what is ASCII without decoding it.
private struct Folder {
    let source: UnsafeBufferPointer<UInt8>
    var output: [UInt8] = []
    var spacePending = false

    init(source: UnsafeBufferPointer<UInt8>) {
        self.source = source
        output.reserveCapacity(source.count + 8)
    }

    mutating func fold() -> [UInt8] {
        var index = 0
        while index < source.count {
            let byte = source[index]
            index += 1
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): append(byte | 0x20)
            case UInt8(ascii: "'"), UInt8(ascii: "`"): addApostrophe(before: index)
            case ..<0x80: spacePending = true
            default:
                let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
                var value = UInt32(byte) & (0xFF >> UInt32(length + 1))
                for next in source[index..<index + length - 1] { value = value << 6 | UInt32(next & 0x3F) }
                index += length - 1
                add(value, before: index)
            }
        }
        return output
    }

    private mutating func append(_ byte: UInt8) {
        if spacePending {
            if !output.isEmpty { output.append(UInt8(ascii: " ")) }
            spacePending = false
        }
        output.append(byte)
    }

    /// What stands behind an apostrophe belongs to the word when it is one letter or two, as in "soldier's" and "they'll",
    /// and is a word of its own when it is more, as in "l'hivern" and "O'Dell".
    private mutating func addApostrophe(before index: Int) {
        let rest = source[index...].prefix(3).prefix {
            $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")
        }
        let endsWord = rest.count < 3 && (index + rest.count == source.count || source[index + rest.count] < 0x80)
        if !(endsWord && !rest.isEmpty) { spacePending = true }
    }

    private mutating func add(_ value: UInt32, before index: Int) {
        switch value {
        case 0x2019, 0x2018, 0x2BC, 0xB4: addApostrophe(before: index)
        // The Catalan l·l is inside a word.
        case 0xB7 where output.last == UInt8(ascii: "l") && index < source.count && source[index] | 0x20 == 0x6C: break
        // Marks, and what has no width.
        case 0x300...0x36F, 0xAD, 0x200B...0x200F, 0xFE00...0xFE0F, 0xFEFF: break
        case 0..<UInt32(LatinFolding.table.count): addFolded(LatinFolding.table[Int(value)])
        case 0x1E00..<0x1F00: addFolded(LatinFolding.additional[Int(value - 0x1E00)])
        default: addOther(value)
        }
    }

    private mutating func addFolded(_ folded: [UInt8]) {
        if folded.isEmpty { spacePending = true }
        for byte in folded {
            if byte == 0x20 { spacePending = true } else { append(byte) }
        }
    }

    private mutating func addOther(_ value: UInt32) {
        if let plain = LatinFolding.compatible[value] { return addFolded(plain) }
        guard let scalar = Unicode.Scalar(value) else { return }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: break
        case .spacingMark, .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber:
            for byte in scalar.properties.lowercaseMapping.utf8 { append(byte) }
        default: spacePending = true
        }
    }
}

/// Plain letters and digits that the Latin script's others stand for; none for other characters.
///
/// A space is a gap between words: `½` is two of them.
enum LatinFolding {
    /// Of every scalar below U+0250.
    static let table = (0..<0x250).map(folded)
    /// Of U+1E00..<U+1F00.
    static let additional = (0x1E00..<0x1F00).map(folded)
    /// Of superscripts, letter-like signs, Roman numerals, ligatures and full-width forms: what Unicode's compatibility
    /// decomposition makes Latin letters or digits of.
    static let compatible: [UInt32: [UInt8]] = {
        let blocks = [0x2070...0x209C, 0x2100...0x218B, 0xFB00...0xFB06, 0xFF10...0xFF5A].joined()
        let forms = blocks.map { (UInt32($0), folded($0)) }
        return Dictionary(uniqueKeysWithValues: forms.filter { !$1.isEmpty && $1.allSatisfy { $0 < 0x80 } })
    }()

    /// Letters whose mark is part of them, which Unicode does not take apart.
    private static let undecomposed: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
        "ħ": "h", "ŧ": "t", "ŋ": "n", "ĸ": "k", "ŀ": "l", "ŉ": "n", "ƒ": "f", "ƀ": "b", "ɨ": "i", "ª": "a", "º": "o",
    ]

    private static func folded(_ value: Int) -> [UInt8] {
        guard let scalar = Unicode.Scalar(UInt32(value)) else { return [] }
        let lower = scalar.properties.lowercaseMapping
        if let first = lower.unicodeScalars.first, let letters = undecomposed[first] { return Array(letters.utf8) }
        let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        guard isWord else { return [] }
        let plain = lower.decomposedStringWithCompatibilityMapping.unicodeScalars
        // A fraction is two words, and no part of the number before it: 13¾ is 13 3 4.
        if plain.contains("\u{2044}") {
            return [0x20] + plain.flatMap { $0 == "\u{2044}" ? [0x20] : Array(String($0).utf8) }
        }
        return plain.filter {
            $0.properties.generalCategory != .nonspacingMark && $0.properties.isAlphabetic || $0.value < 0x80
        }.flatMap { Array(String($0).utf8) }
    }
}
