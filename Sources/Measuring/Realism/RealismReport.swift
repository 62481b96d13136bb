import Evaluation
import Judging
import SpineDatasets
import Statistics

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

    /// `lineFinder` is the variant whose lines say where text is.
    ///
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
                EngineRanking(set: set.name, rates: variants.map { ($0, set.accuracy(of: $0).titleRead.proportion) })
            },
            engines: variants
        )
    }
}
