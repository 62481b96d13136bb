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
    /// Source: Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37
    /// (1988), 477–484, function PPND16: accurate to about 1 part in 10¹⁶.
    package static func quantile(_ p: Double) -> Double {
        precondition(p > 0 && p < 1, "a quantile belongs to a share between 0 and 1")
        let q = p - 0.5
        if abs(q) <= 0.425 {
            let r = 0.180625 - q * q
            return q * polynomial(centre.over, r) / polynomial(centre.under, r)
        }
        let r = (-log(q < 0 ? p : 1 - p)).squareRoot()
        let x =
            r <= 5
            ? polynomial(middle.over, r - 1.6) / polynomial(middle.under, r - 1.6)
            : polynomial(tail.over, r - 5) / polynomial(tail.under, r - 5)
        return q < 0 ? -x : x
    }

    /// Returns z so that the share `confidence` of all values is between −z and z.
    package static func twoSided(_ confidence: Double = 0.95) -> Double { quantile((1 + confidence) / 2) }

    /// Returns a polynomial's value by Horner's rule; the coefficient of the highest power comes first.
    private static func polynomial(_ coefficients: [Double], _ x: Double) -> Double {
        coefficients.reduce(0) { $0 * x + $1 }
    }

    private static let centre = (
        over: [
            2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
            13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.3871328727963666080,
        ],
        under: [
            5226.4952788528545610, 28729.085735721942674, 39307.895800092710610, 21213.794301586595867,
            5394.1960214247511077, 687.18700749205790830, 42.313330701600911252, 1,
        ]
    )
    private static let middle = (
        over: [
            7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258,
            3.64784832476320460504, 5.76949722146069140550, 4.63033784615654529590, 1.42343711074968357734,
        ],
        under: [
            1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
            1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940, 2.05319162663775882187, 1,
        ]
    )
    private static let tail = (
        over: [
            2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
            2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580, 5.46378491116411436990,
            6.65790464350110377720,
        ],
        under: [
            2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
            7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
            5.99832206555887937690e-1, 1,
        ]
    )
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
        let front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log1p(-x))
        // The fraction converges fast on its own side of the mean; the other side follows by symmetry.
        return x < (a + 1) / (a + b + 2)
            ? front * fraction(x, a, b) / a
            : 1 - front * fraction(1 - x, b, a) / b
    }

    private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
        let tiny = 1e-300
        func awayFromZero(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
        var c = 1.0
        var d = 1 / awayFromZero(1 - (a + b) * x / (a + 1))
        var result = d
        var m = 1.0
        // The number of steps is about the square root of the larger parameter.
        let most = 1000 + 10 * max(a, b).squareRoot()
        while m <= most {
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            d = 1 / awayFromZero(1 + even * d)
            c = awayFromZero(1 + even / c)
            result *= d * c
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 / awayFromZero(1 + odd * d)
            c = awayFromZero(1 + odd / c)
            result *= d * c
            if abs(d * c - 1) < 1e-15 { break }
            m += 1
        }
        return result
    }

    /// Returns ln Γ(x) for x above 0.
    ///
    /// Source: Stirling's series, DLMF 5.11.1, for x from 15 on, reached by the recurrence Γ(x + 1) = x Γ(x). The
    /// platform's `lgamma` is not used, since results have to be the same on all of them.
    static func logGamma(_ x: Double) -> Double {
        var (x, product) = (x, 1.0)
        while x < 15 {
            product *= x
            x += 1
        }
        let r = 1 / (x * x)
        let series = (1 / 12.0 + r * (-1 / 360.0 + r * (1 / 1260.0 + r * (-1 / 1680.0 + r / 1188)))) / x
        return (x - 0.5) * log(x) - x + 0.5 * log(2 * Double.pi) + series - log(product)
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
        while high < 1e300, cumulative(high, degreesOfFreedom: degreesOfFreedom) < p { high *= 2 }
        while low.nextUp < high {
            let middle = low + (high - low) / 2
            if middle <= low || middle >= high { break }
            if cumulative(middle, degreesOfFreedom: degreesOfFreedom) < p { low = middle } else { high = middle }
            if high - low < 1e-15 * high { break }
        }
        return high
    }
}
