package import Basics
import Evaluation
import Foundation
import Results
import SpineDatasets

/// A history as tables, CSV and sentences.
package struct HistoryText: Sendable {
    let history: History

    package init(_ history: History) { self.history = history }

    /// Source of the steps, and what is promised of them; of earlier runs, also what their memory was.
    package var method: String {
        let hasEarlierMemory = history.series.contains { $0.metric == Metric.peakMemory.meaning.chart }
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
    package var tables: [Table] { groups.map { Table($0.title, columns: Row.columns, rows: $0.rows.map(\.cells)) } }

    /// Rows of each dataset and host.
    var groups: [(title: String, rows: [Row])] {
        func title(_ series: History.Series) -> String {
            "\(series.dataset) \((series.digest.split(separator: ":").last ?? "").prefix(8)) on \(series.host)"
        }
        let titles = history.series.map(title).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return titles.map { name in
            (name, history.series.filter { title($0) == name }.map { Row(series: $0, runs: history.runs) })
        }
    }

    /// A figure over the runs, in words.
    struct Row {
        static let columns: [Table.Column] = [
            "variant", "figure", .number("last"), .number("95 % interval"), .number("runs"), "step", "since",
            .number("confidence"), .number("baseline"), "age",
        ]

        let series: History.Series
        let runs: [History.Run]

        var cells: [String] {
            let last = series.points.last
            let step = series.steps.last.map { [change($0), since($0), confidence($0)] } ?? ["none", "–", "–"]
            let baseline = series.baseline.map { level in
                [
                    text(level.value),
                    "\(NumberText.count(level.runs, "run")), \(NumberText.count(Int(max(0, level.days)), "day"))",
                ]
            }
            return [
                series.variant, series.metric, last.map { text($0.value) } ?? "–", last.map(interval) ?? "–",
                "\(series.points.count)",
            ] + step + (baseline ?? ["–", "–"])
        }

        /// The commits that a step belongs to: the first run after it, and the last before.
        func since(_ step: History.Step) -> String {
            let (after, before) = (runs[step.run], runs[step.before])
            guard let commit = after.revision.commit else { return after.time }
            let short = commit.prefix(8)
            guard let old = before.revision.commit else { return String(short) }
            return old == commit ? "\(short), as before" : "\(old.prefix(8))..\(short)"
        }

        func change(_ step: History.Step) -> String {
            let size = abs(step.change)
            let text =
                series.isRelative
                ? NumberText.percent(size)
                : series.unit == "%" ? NumberText.fixed(size, 1) + " points" : text(size)
            return "\(step.change < 0 ? "−" : "+")\(text), \(step.isBetter ? "better" : "worse")"
        }

        func confidence(_ step: History.Step) -> String {
            step.chance < 0.0001
                ? "> 99.99 %" : NumberText.fixed((1 - step.chance) * 100, 2) + " %" + (step.isConfirmed ? "" : ", new")
        }

        func interval(_ point: History.Point) -> String {
            point.lower.flatMap { low in point.upper.map { "\(number(low))–\(number($0))" } } ?? "–"
        }

        func text(_ value: Double) -> String { series.unit.isEmpty ? number(value) : "\(number(value)) \(series.unit)" }

        private func number(_ value: Double) -> String { NumberText.fixed(value, abs(value) < 9.995 ? 2 : 1) }
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
}
