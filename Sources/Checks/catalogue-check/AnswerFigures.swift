import BookCatalogue
import Foundation

/// How often what is answered is right, at each threshold, and whether the probabilities are what they say.
struct AnswerFigures: CustomStringConvertible {
    private var answers: [(confidence: Double, isRight: Bool)] = []
    private var answered = 0
    private var right = 0

    mutating func add(_ result: MatchResult, isRight: (BookRecord) -> Bool) {
        let best = result.candidates.first
        answers.append((best?.confidence ?? 0, best.map { isRight($0.book) } ?? false))
        guard let answer = result.answer else { return }
        answered += 1
        if isRight(answer.book) { right += 1 }
    }

    var description: String {
        let count = max(1, answers.count)
        func percent(_ part: Int) -> String {
            "\(part) (\(String(format: "%.1f", 100 * Double(part) / Double(count))) %)"
        }
        var lines = [
            "\(answers.count) texts: right \(percent(right)), wrong \(percent(answered - right)), no match "
                + percent(answers.count - answered)
        ]
        for threshold in stride(from: 0.3, through: 0.95, by: 0.05) {
            let named = answers.filter { $0.confidence >= threshold }
            let right = named.count { $0.isRight }
            lines.append(
                "  from \(String(format: "%.2f", threshold)): right \(percent(right)), wrong \(percent(named.count - right))"
            )
        }
        lines.append("  expected calibration error \(String(format: "%.3f", calibrationError)) in ten bins")
        return lines.joined(separator: "\n")
    }

    /// Source: Naeini, Cooper and Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning (2015).
    private var calibrationError: Double {
        let bins = Dictionary(grouping: answers) { min(9, Int($0.confidence * 10)) }
        return bins.values.reduce(0) { sum, bin in
            let expected = bin.reduce(0) { $0 + $1.confidence }
            return sum + abs(expected - Double(bin.count { $0.isRight })) / Double(max(1, answers.count))
        }
    }
}
