import Basics
import Foundation
package import Statistics

/// Fisher's exact test: whether two groups of different samples succeed equally often.
package enum FisherExact {
    /// Returns the two-sided p value: the chance, with both margins fixed, of all tables that are no likelier than the
    /// observed one.
    ///
    /// Source: Fisher, "The logic of inductive inference", JRSS 98 (1935), 39–82; two sides as in SciPy's
    /// `fisher_exact` and R's `fisher.test`.
    package static func p(_ a: Proportion, _ b: Proportion) -> Double {
        let successes = a.successes + b.successes
        let fewest = max(0, successes - b.trials)
        let most = min(a.trials, successes)
        // Logarithms of the chances of each number of successes of `a`, up to a common summand.
        var chances = [0.0]
        for k in fewest..<most {
            let over = Double(a.trials - k) * Double(successes - k)
            let under = Double(k + 1) * Double(b.trials - successes + k + 1)
            chances.append(chances[k - fewest] + log(over / under))
        }
        let top = chances.max() ?? 0
        // Equal chances differ by rounding.
        let limit = chances[a.successes - fewest] + 1e-7
        let (extreme, all) = chances.reduce(into: (0.0, 0.0)) { sums, chance in
            let weight = exp(chance - top)
            sums.1 += weight
            if chance <= limit { sums.0 += weight }
        }
        return extreme / all
    }
}

/// Correction of several tests, of which some would be significant by chance.
package enum Holm {
    /// Returns p values, in the order of the given ones: the chance that one of them at least is as small or smaller
    /// if no group differs is their value at most, whatever the tests have in common.
    ///
    /// Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
    /// (1979), 65–70.
    package static func corrected(_ values: [Double]) -> [Double] {
        var corrected = values
        var least = 0.0
        for (rank, index) in values.indices.sorted(by: { values[$0] < values[$1] }).enumerated() {
            least = min(1, max(least, values[index] * Double(values.count - rank)))
            corrected[index] = least
        }
        return corrected
    }
}
