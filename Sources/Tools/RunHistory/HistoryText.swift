package import Basics
import Evaluation
import Foundation
package import Harness
import Reports
import SpineDatasets

/// A history for people: as tables, CSV and a page, which have the same rows, one a series.
package struct HistoryText: Sendable {
    private let entries: [HistoryEntry]
    let history: History

    package init(_ entries: [HistoryEntry], baselines: [Baseline] = []) {
        self.entries = History.inOrder(entries)
        history = History(entries, baselines: baselines)
    }

    /// Source of the steps, and what is promised of them; of earlier runs, also what their memory was.
    package var method: String {
        let hasEarlierMemory = history.series.contains { $0.metric == Metric.peakMemory.chart }
        return Self.steps
            + (hasEarlierMemory
                ? " The memory of runs until 28 November 2026 was taken by another definition: its series \"memory\" ends there, "
                    + "and \"footprint\" and \"resident\" are not compared with it."
                : "")
    }

    private static let steps = """
        Steps: binary segmentation (Vostrikova 1981) by Student's t of the runs before and after, with weighted Bonferroni \
        (Genovese, Roeder and Wasserman 2006) over the places of a step; latency, processor time, titles and authors by the \
        same samples in all runs, other figures by their values. Over 30 runs, judged after each, at most 5 % of series \
        without a step show one at some time; a step is confirmed when the chance is at most 0.1 %. Titles, authors and \
        publishers are of the runs by the newest scoring rule.
        """

    /// A table for each dataset and host: the last value of each figure with its newest step and its baseline's age.
    package var tables: [Table] {
        let titles = history.series.map(\.title).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return titles.map { title in
            Table(
                title,
                columns: [
                    "variant", "figure", .number("last"), .number("95 % interval"), .number("runs"), "step", "since",
                    .number("confidence"), .number("baseline"), "age",
                ],
                rows: history.series.filter { $0.title == title }.map(\.cells)
            )
        }
    }

    /// A line for each figure of each run, for spreadsheets.
    package var csv: String {
        let heading =
            "time run commit branch host dataset digest variant metric unit value lower upper step chance link"
            .split(separator: " ").map(String.init)
        let rows = history.series.flatMap { series in
            let steps = Dictionary(series.steps.map { ($0.run, $0) }) { $1 }
            return series.points.map { point in
                let (run, step) = (history.runs[point.run], steps[point.run])
                let figures = [point.value, point.lower, point.upper, step?.change, step?.chance]
                return [
                    run.time, run.name, run.revision.commit ?? "", run.revision.branch ?? "", run.host, series.dataset,
                    series.digest, series.variant, series.metric, series.unit,
                ] + figures.map { $0.map { "\($0)" } ?? "" } + [run.revision.link ?? ""]
            }
        }
        return ([heading] + rows).map { CSV.line($0, guardsFormulas: true) }.joined()
    }

    package var json: [UInt8] { get throws { [UInt8](try JSONLine.encode(history)) } }

    /// The history as one HTML page, which loads nothing: a card for each series, and the samples over the runs.
    package var page: [UInt8] {
        get throws {
            struct Contents: Encodable {
                var history: History, cells: [[String]], titles: [String], samples: SampleExplorer
            }
            let template = PageTemplate(
                html: PackageResources.history_html,
                style: SampleExplorer.style + PackageResources.history_css,
                scripts: SampleExplorer.scripts + [PackageResources.history_js]
            )
            let steps = history.series.reduce(0) { $0 + $1.steps.count }
            let opening = template.opening([
                "heading": "\(NumberText.count(history.runs.count, "run")), \(NumberText.count(steps, "step"))",
                "method": PageText.escaped(method),
            ])
            let contents = Contents(
                history: history,
                cells: history.series.map(\.cells),
                titles: history.series.map(\.title),
                samples: explorer
            )
            return Array(opening + PageText.dataBlock(try JSONEncoder().encode(contents)) + template.ending)
        }
    }

    /// Titles read in each run, of the datasets as the newest run with each has them; hosts do not change them.
    private var explorer: SampleExplorer {
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
            let digest = parts.compactMap { $0[id]?.datasetDigest }.last
            let read = parts.map { parts in
                let samples = parts[id].flatMap { $0.datasetDigest == digest ? $0.samples : nil } ?? []
                return Dictionary(samples.map { ($0.id, $0) }) { $1 }
            }
            let categories = Dictionary(read.flatMap { $0.mapValues(\.category) }) { $1 }
            return categories.sorted { $0.key < $1.key }.map { sample, category in
                let name = ids.count > 1 ? "\(id): \(sample)" : sample
                var row = SampleExplorer.Entry(id: name, category: category, truth: "")
                for samples in read { row.append(isRight: samples[sample]?.title, text: nil) }
                return row
            }
        }
        return SampleExplorer(runs: runs, samples: rows)
    }
}

extension History.Series {
    fileprivate var title: String { "\(dataset) \((digest.split(separator: ":").last ?? "").prefix(8)) on \(host)" }

    /// Its row of a table.
    fileprivate var cells: [String] {
        let last = points.last.map { point in
            [
                text(point.value),
                point.lower.flatMap { low in point.upper.map { "\(number(low))–\(number($0))" } } ?? "–",
            ]
        }
        let step = steps.last.map { [$0.size, $0.commits, $0.confidence] } ?? ["none", "–", "–"]
        let level = baseline.map { level in
            let age = NumberText.count(Int(max(0, level.days)), "day")
            return [text(level.value), "\(NumberText.count(level.runs, "run")), \(age)"]
        }
        return [variant, metric] + (last ?? ["–", "–"]) + ["\(points.count)"] + step + (level ?? ["–", "–"])
    }
}
