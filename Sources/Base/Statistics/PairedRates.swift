/// Difference of the rates of two systems on the same samples: Tango's score interval.
///
/// It holds with few samples and when the systems hardly ever differ, where rate ± 1.96 standard errors does not.
///
/// Source: Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample
/// design", Statistics in Medicine 17 (1998), 891–908, equations for the score statistic and its restricted estimate.
package struct PairedRates: Sendable, Equatable {
    /// Number of samples that only the second gets right; need not be whole.
    package var gained: Double
    /// Number of samples that only the first gets right.
    package var lost: Double
    package var pairs: Double

    /// - Precondition: `pairs` is above 0 and not below `gained + lost`.
    package init(gained: Double, lost: Double, pairs: Double) {
        precondition(gained >= 0 && lost >= 0 && pairs > 0 && gained + lost <= pairs * (1 + 1e-12))
        (self.gained, self.lost, self.pairs) = (gained, lost, pairs)
    }

    /// The rate of the second less that of the first, −1…1.
    package var difference: Double { (gained - lost) / pairs }

    /// Two-sided p value of no difference by the score test, below 0.05 exactly where the interval excludes 0; 1 without a
    /// sample on which they differ.
    package var p: Double {
        gained == lost ? 1 : 2 * Normal.cumulative(-abs(gained - lost) / (gained + lost).squareRoot())
    }

    /// The interval of the difference, within −1…1.
    package var interval: ClosedRange<Double> {
        let z = Normal.twoSided()
        func isPlausible(_ assumed: Double) -> Bool {
            let distance = gained - lost - pairs * assumed
            return distance * distance <= z * z * pairs * variance(ofOne: assumed)
        }
        func end(_ outside: Double) -> Double {
            Bisection.furthest(from: difference, to: outside, tolerance: 1e-13, where: isPlausible)
        }
        return end(-1)...end(1)
    }

    /// Returns the variance of one pair's difference when the rates differ by `assumed`, with the likeliest rates
    /// that do.
    private func variance(ofOne assumed: Double) -> Double {
        let a = 2 * pairs
        let b = -gained - lost + (2 * pairs - gained + lost) * assumed
        let c = -lost * assumed * (1 - assumed)
        let onlyFirst = ((max(0, b * b - 4 * a * c)).squareRoot() - b) / (2 * a)
        return max(0, 2 * onlyFirst + assumed * (1 - assumed))
    }
}

/// McNemar's test: whether two systems that read the same samples are right equally often.
///
/// Only the samples that one of them reads right and the other wrong count. If both are equally good, each such sample
/// goes either way with chance ½.
///
/// `b` is how many only the first reads right, `c` how many only the second does. Samples are taken for independent;
/// several spines from one photo are not.
package enum McNemar {
    /// Returns the two-sided exact p value; 1 without a sample on which they differ.
    package static func exactP(b: Int, c: Int) -> Double {
        min(1, 2 * Binomial(n: b + c, p: 0.5).cumulative(min(b, c)))
    }
}
