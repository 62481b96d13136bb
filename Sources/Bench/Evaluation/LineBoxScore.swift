import Foundation
package import Imaging

/// Boxes of lines that were found on a picture, against those that are labelled (S0-A03, E-06).
///
/// A box is a line's own from an overlap (intersection over union) of 0.5 on, the criterion of PASCAL VOC (Everingham
/// et al. 2010) that ICDAR's text localisation uses too; as many pairs of one box and one line are made as can be.
package struct LineBoxScore: Sendable, Equatable {
    package static let leastOverlap = 0.5

    /// Whether each labelled line has a box of its own.
    package var isFound: [Bool]
    /// Whether each box matches a labelled line.
    package var isRight: [Bool]
    /// Overlap of each labelled line with its best box, 0…1; 0 without any.
    package var overlaps: [Double]

    /// Compares; all quads are convex, in the same picture's pixels, in any order.
    package init(labelled: [Quad], found: [Quad]) {
        let table = labelled.map { line in found.map { line.overlap(with: $0) } }
        overlaps = table.map { $0.max() ?? 0 }
        let pairs = ShelfScore.pairs(
            table.map { row in
                row.indices.filter { row[$0] >= Self.leastOverlap }.sorted { (row[$1], $0) < (row[$0], $1) }
            }
        )
        (isFound, isRight) = (labelled.map { _ in false }, found.map { _ in false })
        for pair in pairs { (isFound[pair.book], isRight[pair.spine]) = (true, true) }
    }
}

/// Whether a line of text that was read is right in every character.
package enum LineRead {
    /// Returns whether the words of `text`, case and accents included, are consecutive in one of the labelled texts;
    /// nil for no words.
    ///
    /// The number of spaces does not count; apostrophes are equal, and so are dashes and bullets of all kinds, as
    /// labels seldom tell them apart. A detector may have found a part of a line, or two lines as one.
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
