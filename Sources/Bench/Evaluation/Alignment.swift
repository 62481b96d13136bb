package import Basics

/// A reference and a hypothesis side by side, in the pieces in which they agree and differ.
package struct Alignment: Sendable, Equatable, Codable {
    /// A piece of both.
    package struct Chunk: Sendable, Equatable, Codable {
        package var kind: EditOperation.Kind
        /// Reference text; empty for an insertion.
        package var reference: String
        /// Hypothesis text; empty for a deletion.
        package var hypothesis: String

        package init(_ kind: EditOperation.Kind, reference: String, hypothesis: String) {
            self.kind = kind
            self.reference = reference
            self.hypothesis = hypothesis
        }
    }

    /// Chunks in order; their references joined are the reference in its view, and their hypotheses the hypothesis.
    package var chunks: [Chunk]

    /// Aligns two texts grapheme by grapheme, both in `view`: one cheapest way, the one whose edits
    /// `EditCounts.ofCharacters` counts.
    package static func ofCharacters(reference: String, hypothesis: String, view: TextView = .nfc) -> Alignment {
        let (a, b) = (Array(view.apply(to: reference)), Array(view.apply(to: hypothesis)))
        let operations = Levenshtein.operations(from: a, to: b)
        return Alignment(
            chunks: operations.map {
                Chunk($0.kind, reference: String(a[$0.reference]), hypothesis: String(b[$0.hypothesis]))
            }
        )
    }
}
