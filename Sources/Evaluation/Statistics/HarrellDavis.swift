/// A percentile as a mean of all values, those near its rank weighing most: the Harrell–Davis estimate.
///
/// Two variants on the same samples differ by little, while their percentiles by rank jump from one sample to another:
/// resampled, the difference jumps far more than it really varies. Weighted means do not jump.
///
/// Source: Harrell and Davis, "A new distribution-free quantile estimator", Biometrika 69 (1982), 635–640; for comparing
/// dependent groups by bootstrap: Wilcox and Erceg-Hurn, "Comparing two dependent groups via quantiles", Journal of Applied
/// Statistics 39 (2012), 2655–2664.
struct HarrellDavis {
    /// The weight of all values down from the top to a share of them, at even steps of the share.
    private let weights: [Double]
    /// Beyond this share from the top no value weighs anything.
    private let deepest: Double

    /// For about `count` values; `percent` is in 1…99.
    init(percent: Int, count: Int) {
        let p = Double(percent) / 100
        let (a, b) = (Double(count + 1) * (1 - p), Double(count + 1) * p)
        let steps = 4_096
        weights = (0...steps).map { step in
            let weight = BetaFunction.regularised(Double(step) / Double(steps), a, b)
            // Values far from the rank would not change the result, unless one that timed out is infinite.
            return weight < 1e-6 ? 0 : weight > 1 - 1e-6 ? 1 : weight
        }
        deepest = Double(weights.firstIndex(of: 1) ?? steps) / Double(steps)
    }

    /// The estimate when every group occurs as often as it was drawn.
    func estimate(_ samples: RankedSamples, drawn: [Int]) -> Double {
        let step = 1 / Double(samples.total(drawn: drawn))
        var (share, weight, sum, taken) = (0.0, 0.0, 0.0, 0)
        for (value, group) in zip(samples.values, samples.groups) {
            let times = drawn[group]
            if times == 0 { continue }
            taken += times
            share = Double(taken) * step
            let next = self.weight(to: share)
            if next > weight { sum += (next - weight) * value }
            weight = next
            if share >= deepest { break }
        }
        return sum
    }

    private func weight(to share: Double) -> Double {
        let place = min(max(0, share), 1) * Double(weights.count - 1)
        let index = min(Int(place), weights.count - 2)
        return weights[index] + (weights[index + 1] - weights[index]) * (place - Double(index))
    }
}
