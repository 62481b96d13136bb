import Basics
import Documents
package import Harness
package import SpineDatasets

/// The report files of a comparison.
package struct ComparisonReports: Sendable {
    /// File names in a comparison's folder.
    package enum Name {
        package static let markdown = "comparison.md"
        package static let json = "comparison.json"
        package static let flips = "flips.csv"
        package static let page = "comparison.html"
    }

    private let report: ComparisonReport
    /// Datasets of the report: truth and pictures of the samples that flipped.
    private let datasets: [Dataset]

    package init(_ report: ComparisonReport, datasets: [Dataset]) {
        (self.report, self.datasets) = (report, datasets)
    }

    /// Returns every report's bytes by its file's name.
    package func files() throws -> [String: [UInt8]] {
        try [
            Name.markdown: Array(report.document.markdown().utf8),
            Name.json: JSONFile.bytes(report),
            Name.flips: flips,
            Name.page: ReportPage(report, samples: { sample($0, $1) }).html(),
        ]
    }

    /// Writes them all into `folder`, which is there.
    package func write(to folder: String) throws { try RunFolder.write(files(), to: folder) }

    private var flips: [UInt8] {
        var table = CSVTable(["comparison", "id", "category", "read_by", "title", "text_a", "text_b", "image"])
        for comparison in report.comparisons {
            for flip in comparison.flips {
                let found = sample(flip.id, comparison.dataset)
                table.add([
                    comparison.label, flip.id, flip.category, flip.isLost ? "A" : comparison.letter,
                    found?.sample.title ?? "",
                    flip.textA ?? "", flip.textB ?? "", found?.sample.image ?? "",
                ])
            }
        }
        return table.bytes
    }

    private func sample(_ id: String, _ name: String) -> (store: PictureStore, sample: Sample)? {
        for dataset in datasets where dataset.manifest.name == name {
            if let sample = dataset.samples.first(where: { $0.id == id }) { return (dataset.store, sample) }
        }
        return nil
    }
}
