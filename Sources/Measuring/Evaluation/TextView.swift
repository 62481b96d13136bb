// Foundation is here for Unicode's normalisation forms, which the standard library does not offer.
import Foundation

/// How much of a text's form counts when two texts are compared.
///
/// A metric names the view it was taken in.
package enum TextView: String, Sendable, Codable, CaseIterable {
    /// As it came.
    case raw
    /// Canonically composed (NFC), white space collapsed to single spaces, none at the ends. Case, accents and
    /// punctuation count.
    case nfc
    /// The words of `TextFolding.words`, joined by single spaces: what a search would see.
    case folded

    /// `text` in this view.
    package func apply(to text: String) -> String {
        switch self {
        case .raw: text
        case .nfc:
            text.precomposedStringWithCanonicalMapping.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        case .folded: TextFolding.words(of: text).joined(separator: " ")
        }
    }
}

/// Reduces text to the letters and digits that a search by title needs.
package enum TextFolding {
    /// The words of `text`: compatibility decomposition (NFKD), case folded, combining marks and apostrophes dropped,
    /// and everything but `0-9a-z` taken for a gap.
    ///
    /// Text in another script than Latin has no words here.
    package static func words(of text: String) -> [String] {
        if let words = text.utf8.withContiguousStorageIfAvailable(asciiWords) ?? nil { return words }
        var words: [String] = []
        var word = ""
        func close() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            if isDropped(scalar) { continue }
            for folded in fold(scalar).unicodeScalars {
                switch folded {
                case "a"..."z", "0"..."9": word.unicodeScalars.append(folded)
                default: close()
                }
            }
        }
        close()
        return words
    }

    /// The words of a text in ASCII, where there is nothing to decompose, in a fraction of the time; nil for another one.
    private static func asciiWords(of text: UnsafeBufferPointer<UInt8>) -> [String]? {
        guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
        var words: [String] = []
        var word: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): word.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
            case UInt8(ascii: "'"): break
            default:
                if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
                word.removeAll(keepingCapacity: true)
            }
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// Marks that combine with the letter before them, and both apostrophes: "don’t" is one word.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "'" || scalar == "\u{2019}" || scalar.properties.canonicalCombiningClass != .notReordered
    }

    /// Full case folding, as far as it can yield Latin letters: after NFKD, the sharp s is the only letter whose
    /// folding is not its lower case.
    private static func fold(_ scalar: Unicode.Scalar) -> String {
        scalar == "\u{DF}" || scalar == "\u{1E9E}" ? "ss" : scalar.properties.lowercaseMapping
    }
}
