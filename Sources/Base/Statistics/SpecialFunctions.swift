import Foundation

/// Default confidence of the intervals.
enum Confidence {
    static let level = 0.95
    /// May fail on either side.
    static let tail = (1 - level) / 2
}

package enum Normal {
    /// Returns the chance of a value up to `x`.
    package static func cumulative(_ x: Double) -> Double { erfc(-x * 0.5.squareRoot()) / 2 }

    /// Returns the value below which the share `p` is; `p` is in 0..<1 without 0.
    ///
    /// Newton's steps on ln Φ, which is concave: from a value below the root, all stay below it. The start is below by
    /// Φ(x) ≤ ½ exp(−x²/2) for x up to 0.
    package static func quantile(_ p: Double) -> Double {
        precondition(p > 0 && p < 1, "a quantile belongs to a share between 0 and 1")
        if p > 0.5 { return -quantile(1 - p) }
        var x = -(-2 * log(2 * p)).squareRoot()
        for _ in 0..<50 {
            let reached = cumulative(x)
            let step = log(p / reached) * reached / (exp(-x * x / 2) / (2 * Double.pi).squareRoot())
            x += step
            if abs(step) < 1e-15 * max(1, -x) { break }
        }
        return x
    }

    /// Returns z so that the share `confidence` of all values is between −z and z.
    package static func twoSided(_ confidence: Double = 0.95) -> Double { quantile((1 + confidence) / 2) }
}

/// The incomplete beta function, on which the binomial distribution and Student's t rest.
package enum BetaFunction {
    /// Returns I_x(a, b), the regularised incomplete beta function: the chance that a beta-distributed value is x at
    /// most.
    ///
    /// `a` and `b` are above 0, `x` is in 0…1. Accurate to about 1 part in 10¹³ for parameters up to 1,000, and to 1
    /// in 10⁹ for those up to a million.
    ///
    /// Source: continued fraction DLMF 8.17.22, evaluated by Lentz's method as in Press et al., "Numerical Recipes",
    /// 3rd ed., section 6.4.
    package static func regularised(_ x: Double, _ a: Double, _ b: Double) -> Double {
        if x <= 0 { return 0 }
        if x >= 1 { return 1 }
        let gammas = lgamma(a + b).0 - lgamma(a).0 - lgamma(b).0
        let front = exp(gammas + a * log(x) + b * log1p(-x))
        // The fraction converges fast on its own side of the mean; the other side follows by symmetry.
        return x < (a + 1) / (a + b + 2)
            ? front * fraction(x, a, b) / a
            : 1 - front * fraction(1 - x, b, a) / b
    }

    private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
        func awayFromZero(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }
        var (c, d) = (1.0, 1 / awayFromZero(1 - (a + b) * x / (a + 1)))
        var (result, m) = (d, 1.0)
        func step(_ term: Double) {
            d = 1 / awayFromZero(1 + term * d)
            c = awayFromZero(1 + term / c)
            result *= d * c
        }
        // The number of steps is about the square root of the larger parameter.
        while m <= 1000 + 10 * max(a, b).squareRoot() {
            step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)))
            step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)))
            if abs(d * c - 1) < 1e-15 { break }
            m += 1
        }
        return result
    }
}

/// Binomial distribution: how often something of chance `p` happens in `n` independent trials.
package struct Binomial: Sendable, Equatable {
    package var n: Int
    /// 0…1.
    package var p: Double

    package init(n: Int, p: Double) {
        precondition(n >= 0 && p >= 0 && p <= 1, "a chance lies between 0 and 1")
        self.n = n
        self.p = p
    }

    /// Returns the chance of `k` times or fewer.
    package func cumulative(_ k: Int) -> Double {
        if k < 0 { return 0 }
        if k >= n { return 1 }
        return BetaFunction.regularised(1 - p, Double(n - k), Double(k + 1))
    }

    /// Returns the chance of `k` times or more.
    package func upperTail(_ k: Int) -> Double {
        if k <= 0 { return 1 }
        if k > n { return 0 }
        return BetaFunction.regularised(p, Double(k), Double(n - k + 1))
    }

    /// Returns the least `k` for which `cumulative(k)` is above `chance`, which is in 0..<1.
    func least(above chance: Double) -> Int {
        Bisection.least(in: 0...n) { cumulative($0) > chance }
    }
}

/// Student's t distribution.
package enum StudentT {
    /// Returns the chance of a value up to `t` with that many degrees of freedom.
    package static func cumulative(_ t: Double, degreesOfFreedom: Double) -> Double {
        let tail =
            BetaFunction.regularised(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5) / 2
        return t < 0 ? tail : 1 - tail
    }

    /// Returns t so that the share ``Confidence/level`` of all values is between −t and t.
    static func twoSided(degreesOfFreedom: Double) -> Double {
        quantile((1 + Confidence.level) / 2, degreesOfFreedom: degreesOfFreedom)
    }

    /// Returns the value below which the share `p` is, found by bisection; `p` is in 0..<1 without 0.
    package static func quantile(_ p: Double, degreesOfFreedom: Double) -> Double {
        precondition(p > 0 && p < 1, "a quantile belongs to a share between 0 and 1")
        if p < 0.5 { return -quantile(1 - p, degreesOfFreedom: degreesOfFreedom) }
        var (low, high) = (0.0, 1.0)
        func isBelow(_ t: Double) -> Bool { cumulative(t, degreesOfFreedom: degreesOfFreedom) < p }
        while high < 1e300, isBelow(high) { high *= 2 }
        while high - low >= 1e-15 * high, case let middle = low + (high - low) / 2, middle > low, middle < high {
            if isBelow(middle) { low = middle } else { high = middle }
        }
        return high
    }
}
