import Foundation

/// What a text says for and against a book.
package struct MatchEvidence: Sendable {
    /// The share of the main title's bits that the text has, 0…1.
    package var titleShare = 0.0
    /// Those bits.
    package var titleBits = 0.0
    /// The bits of the best author's name that the text has over those of its rarest word, 0…1: a surname is enough for 1.
    package var authorShare = 0.0
    /// The bits of all authors' names that the text has.
    package var authorBits = 0.0
    /// Whether the book names an author.
    package var hasAuthor = false
    /// The bits of subtitle and series that the text has.
    package var furtherBits = 0.0
    /// The share of the text's weight that the book explains, 0…1.
    package var explained = 0.0
    /// The weight that it does not explain, in bits.
    package var unexplainedBits = 0.0
    /// The likeness of all grams, 0…1.
    package var likeness = 0.0
    /// Whether a library's label has the first three letters of an author, or of a title without one.
    package var hasLabel = false
    /// The popularity's rank, 0…1.
    package var popularity = 0.0
    /// The book's words that the text has, folded.
    package var words: [String] = []

    /// Of a book whose ISBN stands in the text: nothing else counts.
    static let isbn = MatchEvidence()

    private init() {}

    init(_ book: IndexedBook, candidate: MatchIndex.Candidate, query: MatchQuery, queryBits: Float) {
        var search = ApproximateSearch()
        var covered = [Bool](repeating: false, count: query.text.count)
        var titleTotal = 0.0
        var authors: [Int: (sum: Double, rarest: Double)] = [:]
        for word in book.words {
            let shape = OpticalShape.of(word.letters)
            let match = WordMatch(shape, letters: word.letters, in: query, search: &search)
            let bits = word.bits * match.credit
            if match.credit > 0 {
                for index in match.range { covered[index] = true }
                words.append(String(decoding: word.letters, as: UTF8.self))
            }
            switch word.field {
            case .title:
                titleTotal += word.bits
                titleBits += bits
            case .subtitle, .series: furtherBits += bits
            case .publisher: break
            case .author(let number):
                hasAuthor = true
                let known = authors[number] ?? (0, 0)
                authors[number] = (known.sum + bits, max(known.rarest, word.bits))
                authorBits += bits
            }
        }
        titleShare = titleTotal > 0 ? titleBits / titleTotal : 0
        authorShare = authors.values.map { min(1, $0.sum / max($0.rarest, 0.1)) }.max() ?? 0
        for word in query.words where word.weight > 0 {
            let share = Double(covered[word.range].count { $0 }) / Double(word.range.count)
            explained += word.weight * share
        }
        unexplainedBits = query.weight - explained
        explained = query.weight > 0 ? explained / query.weight : 0
        likeness = Double(2 * candidate.sharedBits / max(1, candidate.bits + queryBits))
        hasLabel = Self.label(of: book, in: query)
        popularity = book.popularity
    }

    private static func label(of book: IndexedBook, in query: MatchQuery) -> Bool {
        let hasAuthor = book.words.contains { if case .author = $0.field { true } else { false } }
        let starts = book.words.filter { word in
            if case .author = word.field { return true }
            return word.field == .title && !hasAuthor
        }
        return query.words.contains { word in
            word.shape.count == 3 && !word.isNumber
                && starts.contains { $0.letters.count > 3 && OpticalShape.of($0.letters).starts(with: word.shape) }
        }
    }
}
