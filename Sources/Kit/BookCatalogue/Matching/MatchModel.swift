import Foundation

/// Model that turns evidence into a rank and a probability: two linear models of few terms.
///
/// Fitted by research/fit_matcher.py. The rank is a listwise softmax over the candidates of a library's 2,935 strings, 165
/// real spines and 2,700 made-up readings. The probability is a logistic regression on the first candidate, each text
/// once unchanged and once with its book removed from the catalogue, and without real spines in the second fit.
enum MatchModel {
    /// Returns a score: higher is better, comparable only among the books for one text.
    static func score(_ e: MatchEvidence) -> Double {
        let otherAuthor = e.hasAuthor ? 1 - e.authorShare : 0
        let terms = [
            e.titleShare, e.titleShare * e.titleShare, log2(1 + e.titleBits), e.authorShare, log2(1 + e.authorBits),
            log2(1 + e.furtherBits), e.explained, log2(1 + e.unexplainedBits), e.likeness, e.hasLabel ? 1 : 0,
            e.titleShare * e.authorShare, e.titleShare * e.explained, otherAuthor, log2(1 + e.titleMissingBits),
            e.phraseShare * e.lineFit, otherAuthor * log2(1 + e.unexplainedNameBits), min(e.replacedBits, 15) / 10,
        ]
        // Popularity decides between editions only: no list that was fitted on has it.
        return sum(terms, rankCoefficients) + 0.01 * e.popularity - (e.hasOtherNumber ? otherNumberLoss : 0)
    }

    /// Returns the probability that the book is the right one.
    ///
    /// - Returns: 0…1.
    static func confidence(_ e: MatchEvidence, margin: Double) -> Double {
        let otherAuthor = e.hasAuthor ? 1 - e.authorShare : 0
        let phraseBits = min(e.phraseShare * e.titleBits, 40) / 10
        let hasWholeLines = e.titleShare * e.phraseShare * e.lineFit > 0.9 ? 1.0 : 0
        // Nothing was fitted on catalogues of fewer than 10,000 books: smaller ones are not surer.
        let size = max(0, e.sizeBits - 13) / 4
        // A word that is nearly the author's is the author's, misread.
        let otherName = e.authorLikeness > 0 ? 0 : min(e.nameLineBits, 15) / 10
        let terms = [
            max(0, min(9, margin)).squareRoot(), e.titleShare * e.authorShare, otherAuthor, e.authorShare,
            (1 - e.titleShare) * (1 - e.titleShare), phraseBits, otherAuthor * e.phraseShare * e.lineFit,
            otherAuthor * e.phraseShare * min(e.titleBits, 40) / 10,
            min(e.titleMissingBits, e.unexplainedDistinctiveBits, 15) / 10,
            min(e.unexplainedDistinctiveBits - e.unexplainedNameBits, 40) / 10, min(e.replacedBits, 6) / 6,
            otherAuthor * otherName, size, hasWholeLines, hasWholeLines * otherAuthor,
        ]
        let probability = 1 / (1 + exp(-sum(terms, confidenceCoefficients) - confidenceIntercept))
        return min(probability, limit(e))
    }

    /// Returns the greatest probability that the evidence allows, by rules that are not fitted.
    private static func limit(_ e: MatchEvidence) -> Double {
        // Another volume is another book.
        if e.hasOtherNumber { return 0.05 }
        // "Dune Messiah" has the title "Dune", and words that no record of it explains; words that no book has may be
        // misread.
        if e.unmatchedOnTitleLine >= max(leastRest, restShare * e.titleBits) {
            return e.unexplainedDistinctiveBits >= leastRest ? 0.14 : 0.3
        }
        // The spines of the series' other books carry the name too.
        if e.isNameOfSeries, e.unmatchedElsewhere >= leastOtherTitle { return 0.14 }
        // A series' name, and nothing of the volume's own title.
        if e.isSeriesAlone { return 0.14 }
        // The author of another book, or a word of another title.
        if e.otherAuthor > 1 || e.otherAuthor > 0 && e.sizeBits < allAuthors || e.hasOtherWord { return 0.14 }
        // Without an author, a title that is a name, or less than the rest of the text, may be the spine's author,
        // publisher or series.
        if e.authorShare < 0.5 {
            // The main title may be a series, and the other line this volume's title.
            if e.hasOtherSubtitle || e.isOneWord && e.unmatchedElsewhere >= leastOtherTitle { return 0.14 }
            // A short name, such as "AVI", may be a library's label as well, but not of this book.
            if e.hasAuthor, !e.hasLabel, e.authorLikeness == 0, e.unexplainedNameBits >= leastOtherTitle { return 0.14 }
            if e.titleNameShare > 0.6 { return 0.3 }
            if e.unmatchedOnTitleLine + e.unmatchedElsewhere + e.nameLineBits > e.titleBits { return 0.4 }
        }
        // An author alone names no book, however few the catalogue has.
        return e.titleShare < leastTitleShare ? 0.5 : 1
    }

    /// Bits of a catalogue's size from which on an author's name is known there, mostly.
    private static let allAuthors = 15.0
    /// Bits of words in other lines that are another title where this one is a series' name.
    static let leastOtherTitle = 8.0
    /// Lowers the rank of a record with another volume's number below that of the volume itself.
    private static let otherNumberLoss = 3.0
    /// Minimum bits of other words in the title's lines for the title to be a part of another one.
    private static let leastRest = 3.5
    /// The same as a share of the title's bits: a word that was misread counts less in a long title.
    private static let restShare = 0.08

    /// The share of a title, by its words' rarity, without which no book is named.
    private static let leastTitleShare = 0.3

    private static func sum(_ terms: [Double], _ coefficients: [Double]) -> Double {
        zip(terms, coefficients).reduce(0) { $0 + $1.0 * $1.1 }
    }

    private static let rankCoefficients = [
        0.199,  // titleShare
        2.071,  // titleShare²
        0.233,  // log(titleBits)
        0.555,  // authorShare
        0.131,  // log(authorBits)
        0.117,  // log(furtherBits)
        0.325,  // explained
        -0.761,  // log(unexplained)
        12.641,  // likeness
        4.411,  // label
        0.893,  // titleShare·authorShare
        1.902,  // titleShare·explained
        -0.255,  // otherAuthor
        -0.251,  // log(titleMissing)
        2.868,  // phrase·lineFit
        -0.206,  // otherAuthor·log(names)
        -0.060,  // replaced/10
    ]
    private static let confidenceIntercept = -4.457
    private static let confidenceCoefficients = [
        2.023,  // sqrt(margin)
        2.722,  // titleShare·authorShare
        -2.342,  // otherAuthor
        -2.132,  // authorShare
        1.488,  // (1-titleShare)²
        0.919,  // phraseBits/10
        -0.435,  // otherAuthor·phrase·lineFit
        0.564,  // otherAuthor·phraseBits/10
        -0.226,  // conflict/10
        -0.575,  // titleWords/10
        -1.114,  // replaced/6
        -3.441,  // otherAuthor·nameLine/10
        0.425,  // size/4
        1.432,  // wholeLines
        -1.008,  // otherAuthor·wholeLines
    ]
}
