import Basics
import Foundation

/// Texts that a narrative must not contain, such as the home's address.
package struct Redactor: Sendable {
    private var secrets: [(words: [String], joined: String)] = []

    /// - Parameter texts: the texts to redact; those with fewer than four letters and digits are ignored.
    package init(_ texts: [String]) {
        secrets = texts.map { Self.words(of: $0) }.map { ($0, $0.joined()) }.filter { $0.1.count > 3 }
    }

    /// Returns whether a text contains any of them.
    ///
    /// Spaces, hyphens and joined words are ignored, and so is the order with at most two other words between them,
    /// as in "14 Herrengasse" and "Herrengasse Nr. 14". Another spelling of it, in letters of another alphabet that
    /// look alike for instance, is another text.
    package func isSaid(in text: String) -> Bool {
        guard !secrets.isEmpty else { return false }
        let words = Self.words(of: text)
        let joined = words.joined()
        return secrets.contains { secret in
            if joined.contains(secret.joined) { return true }
            let width = secret.words.count + 2
            guard secret.words.count > 1, Set(secret.words).isSubset(of: words) else { return false }
            return words.indices.contains { start in
                Set(secret.words).isSubset(of: words[start..<min(words.count, start + width)])
            }
        }
    }

    /// Returns the words of a text in a normalised form for comparison.
    private static func words(of text: String) -> [String] {
        FoldedText.words(of: text.precomposedStringWithCompatibilityMapping)
    }
}
