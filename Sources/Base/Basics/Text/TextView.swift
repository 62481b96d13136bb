// Foundation is here for Unicode's normalisation forms, which the standard library does not offer.
import Foundation

/// Form in which two texts are compared.
///
/// A metric names the view it was taken in.
package enum TextView: String, Sendable, Codable, CaseIterable {
    /// As it came.
    case raw
    /// Canonically composed (NFC), white space collapsed to single spaces, none at the ends. Case, accents and
    /// punctuation count.
    case nfc
    /// ``FoldedText``: what a search would see.
    case folded

    /// `text` in this view.
    package func apply(to text: String) -> String {
        switch self {
        case .raw: text
        case .nfc where isTidyASCII(text): text
        case .nfc:
            text.precomposedStringWithCanonicalMapping.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        case .folded: FoldedText(text).description
        }
    }
    /// Whether a text is ASCII from the space on, with single spaces, and none at the ends: most lines are.
    private func isTidyASCII(_ text: String) -> Bool {
        var isAfterSpace = true
        for byte in text.utf8 {
            let isSpace = byte == 0x20
            guard byte >= 0x20, byte < 0x80, !(isSpace && isAfterSpace) else { return false }
            isAfterSpace = isSpace
        }
        return !isAfterSpace || text.isEmpty
    }
}
