import Basics
import Foundation
import Reports
package import Results
import SpineDatasets

/// A history as one HTML page, which loads nothing: a plot for each figure of each variant, the steps marked, and the
/// samples over the runs.
package struct HistoryPage: Sendable {
    private let entries: [HistoryEntry]
    private let history: History

    package init(_ entries: [HistoryEntry], baselines: [Baseline] = []) {
        self.entries = History.inOrder(entries)
        history = History(entries, baselines: baselines)
    }

    private static let template = PageTemplate(
        html: PackageResources.history_html,
        style: SampleExplorer.style + PackageResources.history_css,
        scripts: SampleExplorer.scripts + [PackageResources.history_js]
    )

    private struct Contents: Encodable {
        var history: History
        var method: String
        var samples: SampleExplorer
    }

    package var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let contents = Contents(history: history, method: HistoryText(history).method, samples: samples)
            return Array(
                Self.template.opening([:]) + PageText.dataBlock(try encoder.encode(contents)) + Self.template.ending
            )
        }
    }

    /// Titles read in each run, of the datasets as the newest run with each has them; hosts do not change them.
    private var samples: SampleExplorer {
        let runs = history.runs.enumerated().map { index, run in
            SampleExplorer.Run(
                id: "run\(index + 1)",
                label: run.revision.commit.map { String($0.prefix(8)) } ?? run.name,
                time: run.time,
                host: run.host,
                link: run.revision.link
            )
        }
        let parts = entries.map { entry in Dictionary(entry.baseline.measurements.map { ($0.id, $0) }) { $1 } }
        let ids = Set(parts.flatMap(\.keys)).sorted()
        let rows = ids.flatMap { id in
            let digest = parts.last { $0[id] != nil }?[id]?.datasetDigest
            let read = parts.map { parts in
                Dictionary(
                    (parts[id].flatMap { $0.datasetDigest == digest ? $0.samples : nil } ?? []).map { ($0.id, $0) }
                ) { $1 }
            }
            let categories = Dictionary(read.flatMap { $0.mapValues(\.category) }) { $1 }
            return categories.keys.sorted().map { sample in
                var row = SampleExplorer.Entry(
                    id: ids.count > 1 ? "\(id): \(sample)" : sample,
                    category: categories[sample] ?? "",
                    truth: ""
                )
                for samples in read { row.append(isRight: samples[sample]?.title, text: nil) }
                return row
            }
        }
        return SampleExplorer(runs: runs, samples: rows)
    }
}
