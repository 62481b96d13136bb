import Foundation

/// The incomplete beta function, on which the binomial distribution and Student's t rest.
package enum BetaFunction {
    /// I_x(a, b), the regularised incomplete beta function: the chance that a beta-distributed value is x at most.
    ///
    /// `a` and `b` are above 0, `x` is in 0…1. Accurate to about 1 part in 10¹³ for parameters up to 1,000, and to
    /// 1 in 10⁹ for those up to a million.
    ///
    /// Source: continued fraction DLMF 8.17.22, evaluated by Lentz's method as in Press et al., "Numerical Recipes", 3rd ed.,
    /// section 6.4.
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
        // It takes about the square root of the larger parameter.
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

    /// ln Γ(x) for x above 0.
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
