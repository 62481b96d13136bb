import Foundation

/// Whether a line of text that was read is right in every character.
package enum LineRead {
    /// Returns whether the words of `text`, case and accents included, are consecutive in one of the labelled texts;
    /// nil for no words.
    ///
    /// Spaces between words count, their number does not; apostrophes are equal, and so are dashes and bullets of all
    /// kinds: the intended one is seldom labelled. A detector may have found a part of a line, or two lines as one:
    /// labels are the lines, as printed.
    package static func isExact(_ text: String, in labels: [String]) -> Bool? {
        let words = words(text)
        guard !words.isEmpty else { return nil }
        return labels.contains { label in
            let printed = Self.words(label)
            return printed.indices.contains { printed[$0...].starts(with: words) }
        }
    }

    private static func words(_ text: String) -> [String] {
        // NFC: as Swift compares strings, it does not matter to them, but to the marks below.
        text.precomposedStringWithCanonicalMapping.split(whereSeparator: \.isWhitespace).map { word in
            String(word.map { same[$0] ?? $0 })
        }
    }

    private static let same: [Character: Character] = ["’": "'", "‘": "'", "–": "-", "—": "-", "•": "·"]
}
