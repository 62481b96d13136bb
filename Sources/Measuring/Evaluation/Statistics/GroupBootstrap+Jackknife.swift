extension GroupBootstrap {
    /// The standard error of a statistic, from leaving out one group at a time.
    ///
    /// `statistic` is computed from how often every group occurs.
    func jackknifeError(_ statistic: (_ drawn: [Int]) -> Double) -> Double {
        var drawn = [Int](repeating: 1, count: groupCount)
        let results = drawn.indices.map { group in
            drawn[group] = 0
            defer { drawn[group] = 1 }
            return statistic(drawn)
        }
        let mean = results.reduce(0, +) / Double(groupCount)
        let squares = results.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares * Double(groupCount - 1) / Double(groupCount)).squareRoot()
    }

    /// An estimate with Student's t times its jackknife error to both sides; absent when either is not finite.
    func jackknifeInterval(
        _ confidence: Double,
        _ statistic: (_ drawn: [Int]) -> Double
    ) -> IntervalFigure {
        let effective = Self.effectiveCount(of: sizes)
        if let reason = Self.tooFew(groups: groupCount, effective: effective) { return .absent(reason) }
        let estimate = statistic([Int](repeating: 1, count: groupCount))
        let t = StudentT.quantile((1 + confidence) / 2, degreesOfFreedom: effective - 1)
        let half = t * jackknifeError(statistic)
        return half.isFinite && estimate.isFinite
            ? .value(estimate - half...estimate + half)
            : .absent("readings that timed out decide it")
    }
}
