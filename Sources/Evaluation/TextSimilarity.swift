/// How alike two texts are as wholes.
package enum TextSimilarity {
    /// One less the normalised edit distance (1-NED): the distance in graphemes as a share of the longer text, taken
    /// from 1.
    ///
    /// In 0…1; 1 for two empty texts.
    package static func normalized(_ a: String, _ b: String, view: TextView = .folded) -> Double {
        let (a, b) = (Array(view.apply(to: a)), Array(view.apply(to: b)))
        let longest = max(a.count, b.count)
        return longest == 0 ? 1 : 1 - Double(Levenshtein.edits(from: a, to: b).errors) / Double(longest)
    }
}
