import Basics
import Foundation

/// Embedding without a model: words and the letters in them, counted into 384 places by their hashes.
///
/// Near in spelling, not in meaning: "library" finds "libraries", and no bookshelf. Needs no file and no start, and
/// is the same on every machine.
///
/// Source: Weinberger et al., "Feature hashing for large scale multitask learning", ICML 2009 (a sign beside the
/// place, so that collisions cancel on average); Bojanowski et al., "Enriching word vectors with subword
/// information", TACL 2017 (n-grams with marks at the ends of words).
package struct HashedNGrams: TextEmbedder {
    /// Name with the hashed features, and a version.
    package let name = "hashed-words-3-5-grams-1"
    package let dimensions = 384
    /// Minimum cosine: it costs 0.002 of NDCG@10 on the labelled questions, and hides a fifth of the unrelated
    /// results.
    package let leastCosine: Float = 0.1
    package let knowsMeaning = false
    package let leastAlike: Float = 0.5
    /// Letters of the shortest and the longest n-gram, marks at the ends of words counted.
    static let lengths = 3...5

    package init() {}

    /// Returns the vector of all of a text: each word, and each n-gram of 3 to 5 letters in it, weighs 1 + ln(its
    /// count).
    ///
    /// - Returns: 384 values of length 1; all 0 for a text without a letter or digit.
    package func embed(_ text: String) -> [Float] {
        var counts: [UInt64: Int] = [:]
        for word in FoldedText.words(of: text) {
            // A word's own mark distinguishes it from an n-gram of the same letters.
            counts[Self.hash(Array(word.unicodeScalars)[...], mark: UInt8(ascii: "w")), default: 0] += 1
            let marked = ["<"] + Array(word.unicodeScalars) + [">"]
            for length in Self.lengths where length <= marked.count {
                for start in 0...(marked.count - length) {
                    let gram = Self.hash(marked[start..<start + length], mark: UInt8(ascii: "g"))
                    counts[gram, default: 0] += 1
                }
            }
        }
        var vector = [Float](repeating: 0, count: dimensions)
        // Ordered by hash: sums of floats depend on their order, and a dictionary's changes with every start.
        for (hash, count) in counts.sorted(by: { $0.key < $1.key }) {
            let weight = 1 + log(Float(count))
            // The sign by the upper end: the lowest bit of FNV-1a knows nothing but the lowest bits of the letters.
            vector[Int(hash % UInt64(dimensions))] += hash >> 63 == 0 ? weight : -weight
        }
        return VectorMath.normalized(vector)
    }

    private static func hash(_ letters: ArraySlice<Unicode.Scalar>, mark: UInt8) -> UInt64 {
        var hash = FNV1a()
        hash.append(mark)
        for letter in letters { for byte in UTF8.encode(letter) ?? .init() { hash.append(byte) } }
        return hash.value
    }
}
