import Basics
import BookCatalogue

/// The share of a title that appears in a text.
package enum TitleSimilarity {
    /// Returns the best of a title's similarities to the whole text, to each line, and to the most similar part of
    /// the text.
    ///
    /// Letters are compared without case, accents and punctuation; similarity is one less the Levenshtein distance by
    /// the longer length.
    ///
    /// - Parameters:
    ///   - title: its main part counts, and the whole of it if that is more similar.
    ///   - lines: as read, in reading order.
    /// - Returns: 0…1; 0 when either is empty.
    package static func of(_ title: String, in lines: [String]) -> Double {
        let lines = lines.map(fold).filter { !$0.isEmpty }
        let text = Array(lines.joined(separator: [UInt8(ascii: " ")]))
        let whole = fold(title)
        let main = fold(title.split(separator: ":").first.map(String.init) ?? title)
        return [whole, main].filter { !$0.isEmpty && !text.isEmpty }.map { pattern in
            let part = 1 - Double(distance(of: pattern, toPartOf: text)) / Double(pattern.count)
            let rows = (lines + [text]).map { line in
                1 - Double(Levenshtein.distance(pattern, line)) / Double(max(pattern.count, line.count))
            }
            // A short title is found in nearly any text: it has to be a line of it.
            return max(pattern.count < 5 ? 0 : part, rows.max() ?? 0)
        }.max() ?? 0
    }

    private static func fold(_ text: String) -> [UInt8] { Array(FoldedText(text).bytes.prefix(512)) }

    /// Returns the distance between a pattern and the part of a text that is nearest to it (Sellers 1980).
    private static func distance(of pattern: [UInt8], toPartOf text: [UInt8]) -> Int {
        var column = Array(0...pattern.count)
        var best = pattern.count
        for letter in text {
            var diagonal = 0
            for row in 1...pattern.count {
                let substituted = diagonal + (pattern[row - 1] == letter ? 0 : 1)
                diagonal = column[row]
                column[row] = min(substituted, column[row] + 1, column[row - 1] + 1)
            }
            best = min(best, column[pattern.count])
        }
        return best
    }
}
