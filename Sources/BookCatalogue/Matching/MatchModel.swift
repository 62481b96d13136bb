import Foundation

/// How evidence becomes a rank and a probability: two linear models of few terms.
///
/// Fitted by Peers/fit_matcher.py on four sets of texts: 2,935 strings that a commercial reader read off the spines of a
/// Spanish and Catalan library (catalogue of 14,692 books), readings of 165 real English spines by the fast and the
/// accurate variant (twice, with catalogues of 10,000 and of 145,000 books), and 1,200 made-up readings. The rank is a
/// listwise softmax over the candidates; the probability a logistic regression on the first candidate, each text once as
/// it is and once with its book taken out of the catalogue.
enum MatchModel {
    /// From this probability on a book is named.
    ///
    /// Measured on the spines: of those whose book was taken out, less than one in a hundred gets an answer.
    static let answerThreshold = 0.6

    /// More is better; comparable only among the books for one text.
    static func score(_ evidence: MatchEvidence) -> Double {
        let e = evidence
        let otherAuthor = e.hasAuthor ? 1 - e.authorShare : 0
        var score = 0.670 * e.titleShare + 2.116 * e.titleShare * e.titleShare
        score += 0.281 * log2(1 + e.titleBits) + 0.112 * log2(1 + e.furtherBits)
        score += 0.555 * e.authorShare + 0.125 * log2(1 + e.authorBits)
        score += 0.720 * e.explained - 0.718 * log2(1 + e.unexplainedBits)
        score += 12.982 * e.likeness + (e.hasLabel ? 4.496 : 0)
        score += 0.770 * e.titleShare * e.authorShare + 1.354 * e.titleShare * e.explained
        score -= otherAuthor * (0.535 + 0.138 * log2(1 + e.unexplainedNameBits))
        score -= 0.126 * log2(1 + e.titleMissingBits) + 0.0188 * min(e.replacedBits, 15)
        score += 2.186 * e.phraseShare * e.lineFit
        // Decides between editions only: no list that was fitted on has popularities.
        return score + 0.01 * e.popularity
    }

    /// The probability that the book is the right one.
    ///
    /// - Parameters:
    ///   - evidence: for the book.
    ///   - margin: its score less that of the best other book.
    static func confidence(_ evidence: MatchEvidence, margin: Double) -> Double {
        let e = evidence
        let otherAuthor = e.hasAuthor ? 1 - e.authorShare : 0
        let phraseBits = min(e.phraseShare * e.titleBits, 40) / 10
        let missing = 1 - e.titleShare
        var logit = -5.920 + 2.404 * max(0, min(9, margin)).squareRoot()
        logit += -0.065 * e.titleShare + 4.097 * e.titleShare * e.authorShare + 2.647 * missing * missing
        logit += -2.007 * e.authorShare - 1.342 * otherAuthor
        logit += 0.721 * phraseBits + 0.254 * e.phraseShare * e.lineFit
        logit += -0.0283 * min(e.unexplainedTellingBits - e.unexplainedNameBits, 40)
        logit += -0.0477 * min(e.titleMissingBits, e.unexplainedTellingBits, 15)
        logit += -3.323 * min(e.replacedBits, 6) / 6
        let title = 1.019 * e.phraseShare * min(e.titleBits, 40) / 10 - 0.349 * e.phraseShare * e.lineFit
        logit += otherAuthor * (title - 0.2815 * min(e.unexplainedNameBits, 15))
        return 1 / (1 + exp(-logit))
    }
}
