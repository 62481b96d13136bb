/// Student's t distribution.
package enum StudentT {
    /// The chance of a value up to `t` with that many degrees of freedom.
    package static func cumulative(_ t: Double, degreesOfFreedom: Double) -> Double {
        let tail =
            BetaFunction.regularised(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5) / 2
        return t < 0 ? tail : 1 - tail
    }

    /// The value below which the share `p` lies, found by bisection; `p` is in 0..<1 without 0.
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
