import Foundation

/// The standard normal distribution.
package enum Normal {
    /// The chance of a value up to `x`.
    package static func cumulative(_ x: Double) -> Double {
        erfc(-x * 0.5.squareRoot()) / 2
    }

    /// The value below which the share `p` lies; `p` is in 0..<1 without 0.
    ///
    /// Source: Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988),
    /// 477–484, function PPND16: accurate to about 1 part in 10¹⁶.
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

    /// z so that the share `confidence` of all values lies between −z and z.
    package static func twoSided(_ confidence: Double) -> Double {
        quantile((1 + confidence) / 2)
    }

    /// Horner's rule; the coefficient of the highest power comes first.
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
