package import Basics
import Evaluation
import Foundation
import Results
import SpineDatasets

/// A history as tables, CSV and sentences.
package struct HistoryText: Sendable {
    private let history: History

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
    package var tables: [Table] {
        var titles: [String] = []
        for series in history.series where !titles.contains(Self.title(series)) { titles.append(Self.title(series)) }
        return titles.map { title in
            let own = history.series.filter { Self.title($0) == title }
            return Table(
                title,
                columns: [
                    "variant", "figure", .number("last"), .number("95 % interval"), .number("runs"), "step", "since",
                    .number("confidence"), .number("baseline"), "age",
                ],
                rows: own.map(row)
            )
        }
    }

    private static func title(_ series: History.Series) -> String {
        "\(series.dataset) \((series.digest.split(separator: ":").last ?? "").prefix(8)) on \(series.host)"
    }

    private func row(_ series: History.Series) -> [String] {
        let last = series.points.last
        let step = series.steps.last
        func text(_ value: Double) -> String { Self.value(value, series.unit) }
        let interval = last.flatMap { last in
            last.lower.flatMap { lower in last.upper.map { "\(Self.number(lower))–\(Self.number($0))" } }
        }
        let age = series.baseline.map {
            "\(NumberText.count($0.runs, "run")), \(NumberText.count(Int(max(0, $0.days)), "day"))"
        }
        return [
            series.variant, series.metric, last.map { text($0.value) } ?? "–", interval ?? "–",
            "\(series.points.count)",
            step.map { Self.change($0, series) } ?? "none", step.map(since) ?? "–",
            step.map { Self.confidence($0) } ?? "–", series.baseline.map { text($0.value) } ?? "–", age ?? "–",
        ]
    }

    /// The commits that a step belongs to: the first run after it, and the last before.
    private func since(_ step: History.Step) -> String {
        let (after, before) = (history.runs[step.run], history.runs[step.before])
        guard let commit = after.revision.commit else { return after.time }
        let short = commit.prefix(8)
        guard let old = before.revision.commit else { return String(short) }
        return old == commit ? "\(short), as before" : "\(old.prefix(8))..\(short)"
    }

    static func change(_ step: History.Step, _ series: History.Series) -> String {
        let sign = step.change < 0 ? "−" : "+"
        let size =
            series.isRelative
            ? NumberText.percent(abs(step.change))
            : series.unit == "%"
                ? NumberText.fixed(abs(step.change), 1) + " points" : value(abs(step.change), series.unit)
        return "\(sign)\(size), \(step.isBetter ? "better" : "worse")"
    }

    static func confidence(_ step: History.Step) -> String {
        step.chance < 0.0001
            ? "> 99.99 %" : NumberText.fixed((1 - step.chance) * 100, 2) + " %" + (step.isConfirmed ? "" : ", new")
    }

    private static func value(_ value: Double, _ unit: String) -> String {
        unit.isEmpty ? number(value) : "\(number(value)) \(unit)"
    }

    private static func number(_ value: Double) -> String { NumberText.fixed(value, abs(value) < 9.995 ? 2 : 1) }

    /// A line for each figure of each run, for spreadsheets.
    package var csv: String {
        let heading = [
            "time", "run", "commit", "branch", "host", "dataset", "digest", "variant", "metric", "unit", "value",
            "lower",
            "upper", "step", "chance", "link",
        ]
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
