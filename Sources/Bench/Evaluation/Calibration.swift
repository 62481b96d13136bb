package import Basics
package import Statistics

/// Calibration of answers: the relation of their confidence to their accuracy.
package struct Calibration: Sendable, Equatable, Codable {
    /// Answers of about the same confidence.
    package struct Bin: Sendable, Equatable, Codable {
        /// The confidences that fall into it, above `lower` up to `upper`; the first bin has its lower end too.
        package var lower: Double
        package var upper: Double
        /// Absent when there are none.
        package var meanConfidence: Figure
        package var accuracy: Proportion

        /// Difference between mean confidence and accuracy, 0…1; absent without answers.
        package var gap: Figure {
            guard case .value(let rate) = accuracy.rate else { return accuracy.rate }
            return meanConfidence.map { abs($0 - rate) }
        }
    }

    /// Result of a review by a person of answers below a confidence.
    package struct Review: Sendable, Equatable, Codable {
        package var threshold: Double
        /// The share of answers below the threshold.
        package var reviewed: Proportion
        /// Share of right answers among those at or above it.
        package var acceptedRight: Proportion
        /// Share of wrong answers below it: the errors that a reviewer sees.
        package var errorsCaught: Proportion
    }

    package var answers: Int
    /// Answers omitted because their confidence is not a number in 0…1.
    package var unusable: Int
    /// Ten bins of equal width: the points of a reliability diagram.
    package var bins: [Bin]
    /// Bins of about equally many answers, ten at most; answers of one confidence stay together.
    package var equalMassBins: [Bin]
    /// Mean squared difference between confidence and outcome (Brier 1950), 0…1.
    package var brierScore: Figure
    package var review: Review

    /// Mean gap of the bins of equal width, weighted by their answers (ECE), 0…1; Guo et al., ICML 2017, equation 3.
    package var expectedError: Figure

    /// Expected error over bins of equal mass, which no crowded end dominates; Nixon et al., CVPR workshops 2019.
    package var equalMassExpectedError: Figure

    /// The widest gap of a bin of equal width (MCE), 0…1; one answer in a bin is enough to make it wide.
    package var maximumError: Figure

    /// `threshold` is the confidence below which a person reviews an answer.
    package init(_ answers: [(confidence: Double, isRight: Bool)], reviewBelow threshold: Double = 0.8) {
        let usable = answers.filter { (0...1).contains($0.confidence) }
        self.answers = usable.count
        unusable = answers.count - usable.count
        bins = Self.bins(of: usable, from: 0, upTo: (1...10).map { Double($0) / 10 })
        let sorted = usable.map(\.confidence).sorted()
        var uppers: [Double] = []
        for percent in stride(from: 10, through: 100, by: 10) where !sorted.isEmpty {
            let upper = Percentile.nearestRank(percent, of: sorted)
            if uppers.last != upper { uppers.append(upper) }
        }
        equalMassBins = Self.bins(of: usable, from: sorted.first ?? 0, upTo: uppers)
        expectedError = Self.expectedError(bins)
        equalMassExpectedError = Self.expectedError(equalMassBins)
        maximumError = bins.compactMap(\.gap.value).max().map(Figure.value) ?? .absent(Self.nothing)
        let squares = usable.map { answer in
            let difference = answer.confidence - (answer.isRight ? 1 : 0)
            return difference * difference
        }
        brierScore = squares.isEmpty ? .absent(Self.nothing) : .value(squares.reduce(0, +) / Double(squares.count))
        review = Review(usable, below: threshold)
    }

    private static let nothing = "no answers with a confidence"

    /// Returns the answers in bins from `lowest` to the first of `uppers`, and from each of those, which ascend, to
    /// the next.
    private static func bins(
        of answers: [(confidence: Double, isRight: Bool)],
        from lowest: Double,
        upTo uppers: [Double]
    ) -> [Bin] {
        zip([lowest] + uppers, uppers).enumerated().map { index, edge in
            let inside = answers.filter { (index == 0 || $0.confidence > edge.0) && $0.confidence <= edge.1 }
            let sum = inside.reduce(0) { $0 + $1.confidence }
            return Bin(
                lower: edge.0,
                upper: edge.1,
                meanConfidence: inside.isEmpty ? .absent("no answers in this bin") : .value(sum / Double(inside.count)),
                accuracy: Proportion(successes: inside.count { $0.isRight }, trials: inside.count)
            )
        }
    }

    private static func expectedError(_ bins: [Bin]) -> Figure {
        let answers = bins.reduce(0) { $0 + $1.accuracy.trials }
        guard answers > 0 else { return .absent(nothing) }
        let sum = bins.reduce(0) { $0 + ($1.gap.value ?? 0) * Double($1.accuracy.trials) }
        return .value(sum / Double(answers))
    }
}

extension Calibration.Review {
    fileprivate init(_ answers: [(confidence: Double, isRight: Bool)], below threshold: Double) {
        let (below, accepted) = (
            answers.filter { $0.confidence < threshold }, answers.filter { $0.confidence >= threshold }
        )
        self.threshold = threshold
        reviewed = Proportion(successes: below.count, trials: answers.count)
        acceptedRight = Proportion(successes: accepted.count { $0.isRight }, trials: accepted.count)
        errorsCaught = Proportion(successes: below.count { !$0.isRight }, trials: answers.count { !$0.isRight })
    }
}
