package import Basics

/// The values of one quantity over a set of samples.
package struct ValueDistribution: Sendable, Equatable {
    /// In ascending order.
    package let sorted: [Double]

    /// The distribution of `values`, in any order.
    ///
    /// - Precondition: none is NaN.
    package init(_ values: some Sequence<Double>) {
        sorted = values.sorted()
        precondition(!sorted.contains(where: \.isNaN), "a value that cannot be computed is left out, not NaN")
    }

    package var count: Int { sorted.count }

    /// A percentile by nearest rank, as a description and not as a claim; absent without values.
    ///
    /// `percent` is in 1…100.
    package func percentile(_ percent: Int) -> Figure {
        sorted.isEmpty ? .absent("no values") : .value(Percentile.nearestRank(percent, of: sorted))
    }

    /// Spread of the values in their own unit: the interquartile range divided by 1.349.
    ///
    /// For normally distributed values this is their standard deviation (the quartiles lie 0.6745 of it from the
    /// median). The standard deviation itself would not do: sizes and contrasts have long tails, a few extreme values
    /// widen it, and whatever is compared by it then seems close. Absent without values, and when half of all values
    /// are the same.
    package var spread: Figure {
        guard let low = percentile(25).value, let high = percentile(75).value else { return .absent("no values") }
        return high > low ? .value((high - low) / 1.349) : .absent("the values do not spread")
    }

    /// The Kolmogorov–Smirnov statistic of two samples, 0…1: how far apart their distribution functions are at most.
    ///
    /// Absent when either is empty.
    package func kolmogorovSmirnov(to other: ValueDistribution) -> Figure {
        guard count > 0, other.count > 0 else { return .absent("no values") }
        var furthest = 0.0
        Self.walk(self, other) { _, _, difference in furthest = max(furthest, abs(difference)) }
        return .value(furthest)
    }

    /// The Wasserstein-1 distance of two samples, in the values' unit: the area between their distribution functions,
    /// which is how far values have to be moved on average to turn one into the other.
    ///
    /// Absent when either is empty.
    package func wasserstein(to other: ValueDistribution) -> Figure {
        guard count > 0, other.count > 0 else { return .absent("no values") }
        var area = 0.0
        Self.walk(self, other) { value, next, difference in area += abs(difference) * (next - value) }
        return .value(area)
    }

    /// Goes through the values of both in ascending order; `step` gets each, the next one (itself when it is the last),
    /// and what the first distribution function is above the second between them.
    private static func walk(
        _ a: ValueDistribution,
        _ b: ValueDistribution,
        step: (_ value: Double, _ next: Double, _ difference: Double) -> Void
    ) {
        var (i, j) = (0, 0)
        while i < a.count || j < b.count {
            let value = min(i < a.count ? a.sorted[i] : .infinity, j < b.count ? b.sorted[j] : .infinity)
            while i < a.count, a.sorted[i] <= value { i += 1 }
            while j < b.count, b.sorted[j] <= value { j += 1 }
            let following = min(i < a.count ? a.sorted[i] : .infinity, j < b.count ? b.sorted[j] : .infinity)
            let next = following == .infinity ? value : following
            step(value, next, Double(i) / Double(a.count) - Double(j) / Double(b.count))
        }
    }
}

/// Distance of one distribution from another, measured by a spread.
package struct DistributionShift: Sendable, Equatable, Codable {
    /// The median of the second less that of the first, in spreads: above 0 when the second one is larger.
    ///
    /// Absent when either has no values, or the medians differ and there is no spread to measure by.
    package var median: Figure
    /// The Kolmogorov–Smirnov statistic, 0…1.
    package var kolmogorovSmirnov: Figure
    /// The Wasserstein-1 distance in spreads.
    package var wasserstein: Figure
    /// Whether the medians lie no further apart than one spread; nil when that cannot be told.
    package var isWithin: Bool?

    /// The spread is the unit: the reference's own unless several comparisons share one.
    package init(from reference: ValueDistribution, to candidate: ValueDistribution, spread: Figure) {
        func inSpreads(_ difference: Figure) -> Figure {
            switch (difference, spread) {
            case (.absent, _), (.value(0), _): difference
            case (.value(let value), .value(let unit)): .value(value / unit)
            case (.value, .absent(let reason)): .absent(reason)
            }
        }
        let medians = (reference.percentile(50), candidate.percentile(50))
        switch medians {
        case (.value(let a), .value(let b)): median = inSpreads(.value(b - a))
        case (.absent(let reason), _), (_, .absent(let reason)): median = .absent(reason)
        }
        kolmogorovSmirnov = reference.kolmogorovSmirnov(to: candidate)
        wasserstein = inSpreads(reference.wasserstein(to: candidate))
        isWithin = median.value.map { abs($0) <= 1 }
    }
}
