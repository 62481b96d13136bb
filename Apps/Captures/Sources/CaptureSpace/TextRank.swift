import Basics
import Foundation

/// Ranking of a text's most important sentences.
///
/// Source: R. Mihalcea, P. Tarau, TextRank: Bringing Order into Texts, EMNLP 2004: sentences are joined by the number
/// of words that they share over the sum of the logarithms of their lengths, and ranked as pages are, with damping
/// 0.85.
package enum TextRank {
    static let damping = 0.85
    /// Maximum number of processed sentences; of a longer text, its first ones.
    static let mostSentences = 200
    /// Maximum length of the processed text, in Unicode scalars, as a character may carry any number of marks.
    static let mostScalars = 100_000

    /// Returns the best sentences, each as `shown` returns it, in the order of the text, at most `count`.
    package static func sentences(of text: String, count: Int, shown: (String) -> String = \.self) -> [String] {
        let sentences = split(text, shown: shown)
        guard sentences.count > count else { return sentences }
        let words = sentences.map { Set(FoldedText.words(of: $0)) }
        let scores = rank(words)
        return scores.indices.sorted { (-scores[$0], $0) < (-scores[$1], $1) }.prefix(count).sorted().map {
            sentences[$0]
        }
    }

    /// Returns sentences of a text, each once: they end with a full stop, a question or exclamation mark and space,
    /// or with a line's end.
    static func split(_ text: String, shown: (String) -> String) -> [String] {
        var sentences: [String] = []
        var seen: Set<String> = []
        var current = ""
        func end() {
            let sentence = shown(current)
            if sentence.split(separator: " ").count > 2, seen.insert(sentence).inserted { sentences.append(sentence) }
            current = ""
        }
        let text = String(text.unicodeScalars.prefix(mostScalars))
        var index = text.startIndex
        while index < text.endIndex, sentences.count < mostSentences {
            let character = text[index]
            index = text.index(after: index)
            if character.isNewline {
                end()
            } else {
                current.append(character)
                if ".!?".contains(character), index == text.endIndex || text[index].isWhitespace { end() }
            }
        }
        if sentences.count < mostSentences { end() }
        return sentences
    }

    static func rank(_ words: [Set<String>]) -> [Double] {
        let count = words.count
        var weights = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
        for a in 0..<count {
            for b in 0..<a where words[a].count > 1 && words[b].count > 1 {
                let shared = Double(words[a].intersection(words[b]).count)
                let weight = shared / (log(Double(words[a].count)) + log(Double(words[b].count)))
                (weights[a][b], weights[b][a]) = (weight, weight)
            }
        }
        let sums = weights.map { $0.reduce(0, +) }
        var scores = [Double](repeating: 1, count: count)
        for _ in 0..<100 {
            var change = 0.0
            let old = scores
            for a in 0..<count {
                var sum = 0.0
                for b in 0..<count where weights[b][a] > 0 { sum += weights[b][a] / sums[b] * old[b] }
                scores[a] = 1 - damping + damping * sum
                change = max(change, abs(scores[a] - old[a]))
            }
            if change < 1e-6 { break }
        }
        return scores
    }
}
