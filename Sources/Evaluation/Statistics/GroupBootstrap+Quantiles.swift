extension GroupBootstrap {
    /// The interval of a percentile by nearest rank.
    ///
    /// Values may be infinite; the interval is absent when that decides it.
    package func ofQuantile(_ percent: Int, _ values: [Double], confidence: Double = 0.95) -> IntervalFigure {
        let ranked = RankedSamples(values, groups: groups, percent: percent)
        return interval(confidence, sizes: sizes) { ranked.percentile(drawn: $0) }
    }

    /// The interval of a percentile of second less that of first, both of the same samples.
    package func ofQuantileDifference(
        _ percent: Int,
        _ first: [Double],
        _ second: [Double],
        confidence: Double = 0.95
    ) -> IntervalFigure {
        ofQuantiles(percent, first, second, confidence) { $1 - $0 }
    }

    /// The interval of a percentile of second divided by that of first, both of the same samples.
    ///
    /// The values of first are above 0.
    package func ofQuantileRatio(
        _ percent: Int,
        _ first: [Double],
        _ second: [Double],
        confidence: Double = 0.95
    ) -> IntervalFigure {
        ofQuantiles(percent, first, second, confidence) { $1 / $0 }
    }

    private func ofQuantiles(
        _ percent: Int,
        _ first: [Double],
        _ second: [Double],
        _ confidence: Double,
        _ compare: (Double, Double) -> Double
    ) -> IntervalFigure {
        let a = RankedSamples(first, groups: groups, percent: percent)
        let b = RankedSamples(second, groups: groups, percent: percent)
        return interval(confidence, sizes: sizes) { drawn in
            compare(a.percentile(drawn: drawn), b.percentile(drawn: drawn))
        }
    }
}

/// Samples from the largest value down, for percentiles of many resamples.
private struct RankedSamples {
    private let values: [Double]
    /// Group of each value.
    private let groups: [Int]
    private let sizes: [Int]
    private let percent: Int

    init(_ values: [Double], groups: [Int], percent: Int) {
        precondition(values.count == groups.count, "there is one value per sample")
        let order = values.indices.sorted { values[$0] > values[$1] }
        self.values = order.map { values[$0] }
        self.groups = order.map { groups[$0] }
        self.percent = percent
        var sizes = [Int](repeating: 0, count: (groups.max() ?? -1) + 1)
        for group in groups { sizes[group] += 1 }
        self.sizes = sizes
    }

    /// The percentile by nearest rank when every group occurs as often as it was drawn.
    func percentile(drawn: borrowing [Int]) -> Double {
        var total = 0
        for group in sizes.indices { total += drawn[group] * sizes[group] }
        // So many lie above rank ⌈percent/100 · total⌉.
        var above = total - (percent * total + 99) / 100
        for (value, group) in zip(values, groups) {
            above -= drawn[group]
            if above < 0 { return value }
        }
        return values[values.count - 1]
    }
}
