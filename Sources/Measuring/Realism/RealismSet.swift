import Basics
import Evaluation
package import Judging
package import SpineDatasets
package import Statistics

/// One spine of a dataset: what was measured of it and what every variant read.
package struct RealismSpine: Sendable {
    package var sample: Sample
    /// Without those that cannot be had.
    package var statistics: [SpineStatistic: Double]
    /// The text by variant; empty for a reading that failed.
    package var texts: [String: String]

    package init(sample: Sample, statistics: [SpineStatistic: Double] = [:], texts: [String: String] = [:]) {
        self.sample = sample
        self.statistics = statistics
        self.texts = texts
    }
}

/// A dataset's legible spines, measured and read.
package struct RealismSet: Sendable {
    package var name: String
    package var digest: String
    package var spines: [RealismSpine]

    package init(name: String, digest: String, spines: [RealismSpine]) {
        self.name = name
        self.digest = digest
        self.spines = spines
    }

    /// Several sets as one.
    ///
    /// Of one set, that set.
    package static func pooled(_ sets: [RealismSet]) -> RealismSet {
        sets.count == 1
            ? sets[0]
            : RealismSet(name: sets.map(\.name).joined(separator: " + "), digest: "", spines: sets.flatMap(\.spines))
    }

    /// The values of a statistic, of the spines that have it.
    package func distribution(of statistic: SpineStatistic) -> ValueDistribution {
        ValueDistribution(spines.compactMap { $0.statistics[statistic] })
    }

    /// How well a variant reads, of one category or of all spines.
    package func accuracy(of variant: String, category: SampleCategory? = nil) -> AccuracySummary {
        AccuracySummary(scores(of: variant, category: category).map { AccuracySummary.Entry($0) })
    }

    /// The character error rate of each spine whose label has characters.
    package func characterErrorRates(of variant: String) -> ValueDistribution {
        ValueDistribution(scores(of: variant, category: nil).compactMap(\.characters.rate.value))
    }

    private func scores(of variant: String, category: SampleCategory?) -> [SampleScore] {
        spines.filter { category == nil || $0.sample.category == category }
            .map { SampleScore($0.texts[variant] ?? "", against: $0.sample) }
    }
}
