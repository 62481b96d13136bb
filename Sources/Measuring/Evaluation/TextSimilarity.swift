/// How alike two texts are as wholes.
package enum TextSimilarity {
    /// One less the normalised edit distance (1-NED): the distance in graphemes as a share of the longer text, taken
    /// from 1.
    ///
    /// In 0…1; 1 for two empty texts.
    package static func normalized(_ a: String, _ b: String, view: TextView = .folded) -> Double {
        TextCodes.withCodes(of: a, b, in: view, bytes: similarity, codes: similarity)
    }

    private static func similarity<Code>(of pair: CodePair<Code>) -> Double {
        let longest = max(pair.referenceCount, pair.hypothesisCount)
        return longest == 0 ? 1 : 1 - Double(pair.distance()) / Double(longest)
    }
}
