package import Evaluation
import SpineDatasets

/// A set's share in a comparison.
package struct RealismSetSummary: Sendable, Equatable, Codable {
    package var name: String
    package var digest: String
    package var spines: Int
    /// Photos that they were cut from; a spine without one counts for itself.
    package var groups: Int
    package var categories: [String: Int]

    init(_ set: RealismSet) {
        name = set.name
        digest = set.digest
        spines = set.spines.count
        groups = Set(set.spines.map { $0.sample.group ?? "\n" + $0.sample.id }).count
        categories = Dictionary(grouping: set.spines, by: \.sample.category.rawValue).mapValues(\.count)
    }
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
        let intervals = references.compactMap(\.titleRead.interval)
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

/// What is compared with what.
struct RealismSets {
    var candidate: RealismSet
    var references: [RealismSet]
    /// The references as one.
    var pooled: RealismSet
}

/// A dataset beside datasets of real photographs.
package struct RealismReport: Sendable, Equatable, Codable {
    package var candidate: RealismSetSummary
    package var references: [RealismSetSummary]
    package var variants: [String]
    /// The variant whose lines say where text is.
    package var lineFinder: String
    /// Each variant, all spines first, then by category.
    package var rates: [RealismRate]
    package var statistics: [RealismStatistic]
    package var order: EngineOrder
    /// Readings that failed, and pictures that could not be measured.
    package var problems: [String]

    /// - Parameters:
    ///   - candidate: What is compared.
    ///   - references: What it is compared with; one at least.
    ///   - variants: The variants that read all sets.
    ///   - lineFinder: The variant whose lines say where text is.
    ///   - problems: What could not be read or measured.
    /// - Precondition: There is a reference.
    package init(
        candidate: RealismSet,
        references: [RealismSet],
        variants: [String],
        lineFinder: String,
        problems: [String] = []
    ) {
        precondition(!references.isEmpty, "a comparison takes a reference")
        let sets = RealismSets(candidate: candidate, references: references, pooled: .pooled(references))
        self.candidate = RealismSetSummary(candidate)
        self.references = references.map(RealismSetSummary.init)
        self.variants = variants
        self.lineFinder = lineFinder
        self.problems = problems
        let present = SampleCategory.allCases.filter { category in
            (references + [candidate]).contains { $0.spines.contains { $0.sample.category == category } }
        }
        rates = variants.flatMap { variant in
            ([nil] + present.map(Optional.some)).map { RealismRate(variant, $0, of: sets) }
        }
        statistics =
            SpineStatistic.allCases.map { statistic in
                RealismStatistic(statistic.rawValue, label: statistic.label, decimals: statistic.decimals, of: sets) {
                    $0.distribution(of: statistic)
                }
            }
            + variants.map { variant in
                RealismStatistic("cer:\(variant)", label: "CER of a spine, \(variant)", decimals: 3, of: sets) {
                    $0.characterErrorRates(of: variant)
                }
            }
        let ranked = [candidate] + references + (references.count > 1 ? [sets.pooled] : [])
        order = EngineOrder(
            ranked.map { set in
                EngineRanking(set: set.name, rates: variants.map { ($0, set.accuracy(of: $0).titleRead) })
            },
            engines: variants
        )
    }
}
