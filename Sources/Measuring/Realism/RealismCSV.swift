import Basics
import Documents
import Evaluation
import Judging
import Reports
import SpineDatasets

/// Every spine of a comparison with its figures, one a row.
package struct RealismCSV: Sendable {
    private let sets: [RealismSet]
    private let variants: [String]

    package init(_ sets: [RealismSet], variants: [String]) {
        self.sets = sets
        self.variants = variants
    }

    /// The table in UTF-8; an empty field is a figure that cannot be had.
    package var bytes: [UInt8] {
        var table = CSVTable(
            ["set", "id", "category"] + SpineStatistic.allCases.map(\.rawValue)
                + variants.flatMap { ["\($0)_title_read", "\($0)_cer"] }
        )
        for set in sets {
            for spine in set.spines {
                let scores = variants.map { SampleScore(spine.texts[$0] ?? "", against: spine.sample) }
                table.add(
                    [set.name, spine.sample.id, spine.sample.category.rawValue]
                        + SpineStatistic.allCases.map { statistic in
                            spine.statistics[statistic].map { NumberText.fixed($0, 4) } ?? ""
                        }
                        + scores.flatMap { score in
                            [score.title.isRead.map { "\($0)" } ?? "", CSVTable.number(score.characters.rate, 4)]
                        }
                )
            }
        }
        return table.bytes
    }
}
