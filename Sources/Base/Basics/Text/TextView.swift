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
        case .nfc:
            text.precomposedStringWithCanonicalMapping.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        case .folded: FoldedText(text).description
        }
    }
}
