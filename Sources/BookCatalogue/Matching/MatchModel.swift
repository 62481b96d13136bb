import Foundation

/// How evidence becomes a rank and a probability.
enum MatchModel {
    /// More is better; comparable only among the books for one text.
    static func score(_ evidence: MatchEvidence) -> Double {
        4 * evidence.titleShare + 1.5 * evidence.authorShare + 3 * evidence.explained + 2 * evidence.likeness
            + 0.4 * log2(1 + evidence.titleBits) + 0.4 * log2(1 + evidence.authorBits + evidence.furtherBits)
            + (evidence.hasLabel ? 0.3 : 0) + 0.05 * evidence.popularity
    }

    /// The probability that the best book is the right one.
    static func confidence(_ evidence: MatchEvidence, score: Double, runnerUp: Double?) -> Double {
        let margin = min(3, score - (runnerUp ?? 0))
        let logit = 1.5 * (score - 9) + 2 * margin - 1
        return 1 / (1 + exp(-logit))
    }

    /// From this confidence on a book is named.
    static let answerThreshold = 0.5
}
