/// How the rates of two systems on the same samples differ: Tango's score interval.
///
/// It holds with few samples and when the systems hardly ever differ, where rate ± 1.96 standard errors does not.
///
/// Source: Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample
/// design", Statistics in Medicine 17 (1998), 891–908, equations for the score statistic and its restricted estimate.
package struct PairedRates: Sendable, Equatable {
    /// How many samples only the second gets right; need not be whole.
    package var gained: Double
    /// How many samples only the first gets right.
    package var lost: Double
    /// How many samples there are.
    package var pairs: Double

    /// - Precondition: `pairs` is above 0 and not below `gained + lost`.
    package init(gained: Double, lost: Double, pairs: Double) {
        precondition(gained >= 0 && lost >= 0 && pairs > 0 && gained + lost <= pairs * (1 + 1e-12))
        self.gained = gained
        self.lost = lost
        self.pairs = pairs
    }

    /// The rate of the second less that of the first, −1…1.
    package var difference: Double { (gained - lost) / pairs }

    /// The interval of the difference, within −1…1.
    package func interval(confidence: Double = 0.95) -> ClosedRange<Double> {
        let z = Normal.twoSided(confidence)
        func isPlausible(_ assumed: Double) -> Bool {
            let distance = gained - lost - pairs * assumed
            return distance * distance <= z * z * pairs * variance(ofOne: assumed)
        }
        func end(_ outside: Double) -> Double {
            if isPlausible(outside) { return outside }
            var (inside, outside) = (difference, outside)
            while abs(inside - outside) > 1e-13 {
                let middle = (inside + outside) / 2
                if isPlausible(middle) { inside = middle } else { outside = middle }
            }
            return inside
        }
        return end(-1)...end(1)
    }

    /// The variance of one pair's difference when the rates differ by `assumed`, with the likeliest rates that do.
    private func variance(ofOne assumed: Double) -> Double {
        let a = 2 * pairs
        let b = -gained - lost + (2 * pairs - gained + lost) * assumed
        let c = -lost * assumed * (1 - assumed)
        let onlyFirst = ((max(0, b * b - 4 * a * c)).squareRoot() - b) / (2 * a)
        return max(0, 2 * onlyFirst + assumed * (1 - assumed))
    }
}
