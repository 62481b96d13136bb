/// How far one distribution lies from another, measured by a spread.
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

    /// - Parameters:
    ///   - reference: What is compared with.
    ///   - candidate: What is compared.
    ///   - spread: The unit; the reference's own unless several comparisons share one.
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
