package import Basics

/// Words that a reference and a hypothesis share in any order, each as often as on both sides; counts add up.
package struct WordOverlap: Sendable, Equatable, Codable {
    package var shared = 0
    package var referenceWords = 0
    package var hypothesisWords = 0

    package init(shared: Int = 0, referenceWords: Int = 0, hypothesisWords: Int = 0) {
        (self.shared, self.referenceWords, self.hypothesisWords) = (shared, referenceWords, hypothesisWords)
    }

    /// Creates the overlap of the folded words of two texts.
    package init(reference: String, hypothesis: String) {
        let (wanted, got) = (FoldedText.words(of: reference), FoldedText.words(of: hypothesis))
        var left: [String: Int] = [:]
        for word in wanted { left[word, default: 0] += 1 }
        for word in got where left[word, default: 0] > 0 {
            left[word, default: 0] -= 1
            shared += 1
        }
        referenceWords = wanted.count
        hypothesisWords = got.count
    }

    /// The share of the hypothesis that is in the reference, 0…1; absent when the hypothesis has no words.
    package var precision: Figure { .ratio(shared, hypothesisWords, orAbsent: "the hypothesis has no words") }

    /// The share of the reference that is in the hypothesis, 0…1; absent when the reference has no words.
    package var recall: Figure { .ratio(shared, referenceWords, orAbsent: "the reference has no words") }

    /// The harmonic mean of precision and recall, 0…1: 0 when nothing was read, absent when the reference has no words.
    package var f1: Figure {
        guard referenceWords > 0 else { return recall }
        return .value(2 * Double(shared) / Double(referenceWords + hypothesisWords))
    }

    package static func + (a: WordOverlap, b: WordOverlap) -> WordOverlap {
        WordOverlap(
            shared: a.shared + b.shared,
            referenceWords: a.referenceWords + b.referenceWords,
            hypothesisWords: a.hypothesisWords + b.hypothesisWords
        )
    }
}
