import Basics
import Foundation
import Statistics

/// Numbers of readings with which a question is decided in 80 % of runs, at 95 % confidence.
enum ReadingsNeeded {
    static let power = 0.8
    private static let tail = 0.025
    private static let quantiles = (confidence: Normal.quantile(1 - tail), power: Normal.quantile(power))
    /// Beyond it, no dataset decides.
    private static let most = 10_000_000

    /// Returns the least number of independent samples that show on which side of `limit` a share is.
    ///
    /// The share is truly `share`, and judged by the exact binomial test; nil when it is on the limit. Both are in 0…1.
    ///
    /// Of a percentile, the share is that of readings within its limit, and the limit is the percentile: the order
    /// statistic that bounds it is on the same side.
    static func share(_ share: Double, limit: Double) -> Int? {
        if share < limit { return self.share(1 - share, limit: 1 - limit) }
        guard share > limit, limit > 0 else { return share > limit ? 1 : nil }
        // Fleiss, Levin and Paik, "Statistical Methods for Rates and Proportions", 3rd ed., formula 2.4.
        let spread =
            quantiles.confidence * (limit * (1 - limit)).squareRoot() + quantiles.power
            * (share * (1 - share)).squareRoot()
        let about = (spread / (share - limit)) * (spread / (share - limit))
        guard about < Double(most) else { return nil }
        // With many samples, the normal approximation is exact enough; with few, it is too small for shares near 1.
        if about > 20_000 { return Int(about.rounded(.up)) }
        return (max(1, Int(about / 3))...most).first { n in
            let chance = Binomial(n: n, p: limit)
            var (low, high) = (0, n + 1)
            while low < high {
                let middle = (low + high) / 2
                if chance.upperTail(middle) <= tail { high = middle } else { low = middle + 1 }
            }
            return low <= n && Binomial(n: n, p: share).upperTail(low) >= power
        }
    }

    /// Returns the number of pairs with which a difference of two shares is found; `discordant` is the share of pairs
    /// that differ in either direction.
    ///
    /// Source: Connor, "Sample size for testing differences in proportions for the paired-sample design", Biometrics 43
    /// (1987), 207–211.
    static func difference(_ difference: Double, discordant: Double) -> Int {
        let share = max(abs(difference), discordant)
        let spread =
            quantiles.confidence * share.squareRoot()
            + quantiles.power * (share - difference * difference).squareRoot()
        return Int((spread * spread / (difference * difference)).rounded(.up))
    }

    /// Returns the number of pairs of readings with which a ratio of 1 + `change` is found; `deviation` is the standard
    /// deviation of the logarithms of the pairs' ratios.
    static func ratio(_ change: Double, deviation: Double) -> Int {
        let needed = (quantiles.confidence + quantiles.power) * deviation / log1p(change)
        return max(2, Int((needed * needed).rounded(.up)))
    }
}
