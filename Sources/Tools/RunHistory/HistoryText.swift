import Basics
package import Documents
import Evaluation
import Foundation
import Harness
import Reports
import SpineDatasets

/// A history for people: as tables, CSV and a page.
extension History {
    /// Source of the steps, and what is promised of them; of earlier runs, also what their memory was.
    package var method: String {
        let hasEarlierMemory = series.contains { $0.metric == Metric.peakMemory.chart }
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
        let titles = series.map(\.title).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return titles.map { title in
            Table(
                title,
                columns: [
                    "variant", "figure", .number("last"), .number("95 % interval"), .number("runs"), "step", "since",
                    .number("confidence"), .number("baseline"), "age",
                ],
                rows: series.filter { $0.title == title }.map(\.cells)
            )
        }
    }

    /// A line for each figure of each run, for spreadsheets.
    package var csv: String {
        let heading =
            "time run commit branch host dataset digest variant metric unit value lower upper step chance link"
            .split(separator: " ").map(String.init)
        let rows = series.flatMap { series in
            let steps = Dictionary(series.steps.map { ($0.run, $0) }) { $1 }
            return series.points.map { point in
                let (run, step) = (runs[point.run], steps[point.run])
                let figures = [point.value, point.lower, point.upper, step?.change, step?.chance]
                return [
                    run.time, run.name, run.revision.commit ?? "", run.revision.branch ?? "", run.host, series.dataset,
                    series.digest, series.variant, series.metric, series.unit,
                ] + figures.map { $0.map { "\($0)" } ?? "" } + [run.revision.link ?? ""]
            }
        }
        return ([heading] + rows).map { CSV.line($0, guardsFormulas: true) }.joined()
    }

    package var json: [UInt8] { get throws { [UInt8](try JSONLine.encode(self)) } }

    /// Returns the history of entries as one HTML page: plots and steps of each dataset and host, the runs, and the
    /// samples over them.
    package func page(_ entries: [HistoryEntry]) throws -> [UInt8] {
        let count = series.reduce(0) { $0 + $1.steps.count }
        let sections = tables.map { table in
            var section = Document.Section(table)
            section.blocks.insert(.table(steps(of: series.filter { $0.title == table.title })), at: 0)
            return section
        }
        let document = Document(
            "History of runs",
            [Document.Section(nil, [.paragraph(method)])] + sections + [Document.Section(runTable)]
        )
        let word = "\(NumberText.count(runs.count, "run")), \(NumberText.count(count, "step"))"
        let plots = Dictionary(grouping: series, by: \.title).mapValues { own in
            // What changed is first.
            (own.filter { !$0.steps.isEmpty } + own.filter(\.steps.isEmpty)).map(\.plot)
        }
        return try document.page(
            word,
            names: runs.map { run in run.revision.commit.map { String($0.prefix(8)) } ?? run.name },
            runs: runs.map { .init(time: $0.time, host: $0.host, link: $0.revision.link) },
            samples: samples(entries),
            plots: plots
        )
    }

    /// Steps, the newest first, with the samples that flipped.
    private func steps(of series: [Series]) -> Table {
        let all = series.flatMap { one in one.steps.map { (series: one, step: $0) } }.sorted {
            $0.step.run > $1.step.run
        }
        return Table(
            "Steps",
            columns: ["variant", "figure", "step", "since", "confidence", "lost", "gained"],
            rows: all.map { series, step in
                let subject = runs[step.run].revision.subject.map { " (\(Markdown.literal($0)))" } ?? ""
                let flips = [step.lost ?? [], step.gained ?? []].map { ids in
                    ids.isEmpty ? "–" : "\(ids.count): \(Markdown.literal(ids.joined(separator: ", ")))"
                }
                return [series.variant, series.metric, step.size, step.commits + subject, step.confidence] + flips
            }
        )
    }

    private var runTable: Table {
        let rows = runs.enumerated().map { index, run in
            let revision = run.revision
            let texts = [
                run.name, revision.commit.map { String($0.prefix(8)) }, revision.branch, revision.subject, run.host,
            ]
            return ["\(index + 1)", run.time] + texts.map { $0.map(Markdown.literal) ?? "–" }
                + [run.verdict?.rawValue ?? "–", run.load.map { NumberText.fixed($0, 1) } ?? "–", revision.link ?? "–"]
        }
        let columns: [Table.Column] = [
            "run", "time", "name", "commit", "branch", "subject", "host", "verdict", "load", "link",
        ]
        return Table("Runs", columns: columns, rows: rows)
    }

    /// Returns the titles read in each run, of the datasets as the newest run with each has them; hosts do not change them.
    private func samples(_ entries: [HistoryEntry]) -> [SampleRow] {
        let parts = Self.inOrder(entries).map { entry in Dictionary(entry.measurements.map { ($0.id, $0) }) { $1 } }
        let ids = Set(parts.flatMap(\.keys)).sorted()
        return ids.flatMap { id in
            let digest = parts.compactMap { $0[id]?.datasetDigest }.last
            let read = parts.map { parts in
                let samples = parts[id].flatMap { $0.datasetDigest == digest ? $0.readings.entries : nil } ?? []
                return Dictionary(samples.map { ($0.id, $0) }) { $1 }
            }
            let categories = Dictionary(read.flatMap { $0.mapValues(\.category) }) { $1 }
            return categories.sorted { $0.key < $1.key }.map { sample, category in
                let name = ids.count > 1 ? "\(id): \(sample)" : sample
                return SampleRow(
                    name,
                    category: category,
                    nil,
                    readings: read.map { $0[sample].map { .init($0.title) } }
                )
            }
        }
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

    /// Its values with their intervals over the runs, the steps, and the baseline.
    fileprivate var plot: SteppedPlot {
        func line(_ name: String, _ value: (History.Point) -> Double?) -> Plot.Series? {
            let known = points.filter { value($0) != nil }
            return known.isEmpty
                ? nil : Plot.Series(name, x: known.map { Double($0.run + 1) }, y: known.compactMap(value))
        }
        let lines = Plot(
            "\(metric): \(variant)",
            xLabel: "run",
            yLabel: unit.isEmpty ? metric : unit,
            series: [line(metric, \.value), line("lower end", \.lower), line("upper end", \.upper)].compactMap(\.self),
            levels: baseline.map { [Plot.Level("baseline", y: $0.value)] } ?? []
        )
        return SteppedPlot(lines, steps: steps.map { SteppedPlot.Step($0.size, x: Double($0.run) + 0.5) })
    }
}
