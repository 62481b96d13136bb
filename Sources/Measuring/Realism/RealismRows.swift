package import Basics
import Evaluation
package import Judging
import SpineDatasets
package import Statistics

/// What is compared with what.
struct RealismSets {
    var candidate: RealismSet
    var references: [RealismSet]
    /// The references as one.
    var pooled: RealismSet
}

/// One statistic of one set.
package struct DistributionSummary: Sendable, Equatable, Codable {
    /// Spines that have it.
    package var count: Int
    /// Spines that do not.
    package var missing: Int
    package var p10: Figure
    package var p50: Figure
    package var p90: Figure

    init(_ values: ValueDistribution, of spines: Int) {
        count = values.count
        missing = spines - values.count
        p10 = values.percentile(10)
        p50 = values.percentile(50)
        p90 = values.percentile(90)
    }
}

/// How a variant reads each set.
package struct RealismRate: Sendable, Equatable, Codable {
    package var variant: String
    /// A category's name, or "all".
    package var category: String
    package var candidate: AccuracySummary
    /// All references as one.
    package var pooled: AccuracySummary
    package var references: [AccuracySummary]
    /// The lowest end of the references' 95 % intervals of title read.
    package var lowest: Figure
    /// The highest end.
    package var highest: Figure
    /// Whether the candidate's title read lies between them, ends included; nil when one of the three is not there.
    package var isWithin: Bool?

    init(_ variant: String, _ category: SampleCategory?, of sets: RealismSets) {
        self.variant = variant
        self.category = category?.rawValue ?? "all"
        candidate = sets.candidate.accuracy(of: variant, category: category)
        pooled = sets.pooled.accuracy(of: variant, category: category)
        references = sets.references.map { $0.accuracy(of: variant, category: category) }
        let intervals = references.compactMap(\.titleRead.proportion.interval)
        lowest = intervals.map(\.lowerBound).min().map { .value($0) } ?? .absent("no samples")
        highest = intervals.map(\.upperBound).max().map { .value($0) } ?? .absent("no samples")
        if let low = lowest.value, let high = highest.value, let rate = candidate.titleRead.rate.value {
            isWithin = low <= rate && rate <= high
        }
    }
}

/// One statistic of all sets.
package struct RealismStatistic: Sendable, Equatable, Codable {
    /// A name for programs: a ``SpineStatistic``, or "cer:" and a variant.
    package var name: String
    package var label: String
    package var decimals: Int
    package var candidate: DistributionSummary
    /// All references as one.
    package var pooled: DistributionSummary
    package var references: [DistributionSummary]
    /// Of all references as one, in the statistic's unit: what shifts are measured by.
    package var spread: Figure
    /// From the pooled references to the candidate.
    package var shift: DistributionShift
    /// The two references that lie furthest apart, by their medians, in spreads; absent with one reference.
    package var betweenReferences: Figure

    init(
        _ name: String,
        label: String,
        decimals: Int,
        of sets: RealismSets,
        _ values: (RealismSet) -> ValueDistribution
    ) {
        let distributions = sets.references.map(values)
        let (own, all) = (values(sets.candidate), values(sets.pooled))
        self.name = name
        self.label = label
        self.decimals = decimals
        candidate = DistributionSummary(own, of: sets.candidate.spines.count)
        pooled = DistributionSummary(all, of: sets.pooled.spines.count)
        references = zip(distributions, sets.references).map { DistributionSummary($0, of: $1.spines.count) }
        spread = all.spread
        shift = DistributionShift(from: all, to: own, spread: all.spread)
        let apart = distributions.indices.flatMap { i in
            distributions.indices.dropFirst(i + 1).compactMap { j in
                DistributionShift(from: distributions[i], to: distributions[j], spread: all.spread).median.value
            }
        }
        betweenReferences = apart.map { abs($0) }.max().map { .value($0) } ?? .absent("no two references")
    }
}
