/// A share with the counts it comes from.
package struct Proportion: Sendable, Equatable, Codable {
    package var successes: Int
    package var trials: Int

    /// - Precondition: `0 ≤ successes ≤ trials`.
    package init(successes: Int, trials: Int) {
        precondition(successes >= 0 && successes <= trials, "there are no more successes than trials")
        self.successes = successes
        self.trials = trials
    }

    /// The point estimate, 0…1; absent without trials.
    package var rate: Figure { .ratio(successes, trials, orAbsent: "no samples") }

    /// The 95 % score interval, 0…1; nil without trials.
    ///
    /// It takes the trials for independent: several spines from one photo are not, and the true interval is wider then.
    ///
    /// Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), 209–212.
    package var interval: ClosedRange<Double>? {
        guard trials > 0 else { return nil }
        let n = Double(trials)
        let p = Double(successes) / n
        let z2 = Self.z95 * Self.z95
        let centre = p + z2 / (2 * n)
        let half = Self.z95 * (p * (1 - p) / n + z2 / (4 * n * n)).squareRoot()
        // Rounding may leave the ends of 0 of n and n of n a hair outside.
        return max(0, (centre - half) / (1 + z2 / n))...min(1, (centre + half) / (1 + z2 / n))
    }

    /// The fewest trials at which a perfect score puts the whole interval at or above `target`: with fewer, no result
    /// can show that the target is met.
    ///
    /// `target` is in 0..<1. Solved from the lower end for p = 1, which is n / (n + z²).
    package static func minimumTrials(toShow target: Double) -> Int {
        Int((target / (1 - target) * z95 * z95).rounded(.up))
    }

    /// The 97.5 % point of the standard normal distribution.
    private static let z95 = 1.959964
}
