import Basics
import Foundation
import Reports
package import Results
import SpineDatasets

/// A history as one HTML page, which loads nothing: a card for each figure, and the samples over the runs.
package struct HistoryPage: Sendable {
    private let entries: [HistoryEntry]
    private let text: HistoryText

    package init(_ entries: [HistoryEntry], baselines: [Baseline] = []) {
        self.entries = History.inOrder(entries)
        text = HistoryText(History(entries, baselines: baselines))
    }

    private static let template = PageTemplate(
        html: PackageResources.history_html,
        style: SampleExplorer.style + PackageResources.history_css,
        scripts: SampleExplorer.scripts + [PackageResources.history_js]
    )

    package var bytes: [UInt8] {
        get throws {
            let parts = text.groups.map { title, rows in
                // What changed is first.
                let cards = (rows.filter { !$0.series.steps.isEmpty } + rows.filter(\.series.steps.isEmpty)).map(\.card)
                return "<section><h2>\(PageText.escaped(title))</h2><div class=cards>\(cards.joined())</div></section>"
            }
            let steps = text.history.series.reduce(0) { $0 + $1.steps.count }
            let opening = Self.template.opening([
                "heading": "\(NumberText.count(text.history.runs.count, "run")), \(NumberText.count(steps, "step"))",
                "sections": parts.joined(), "method": PageText.escaped(text.method),
            ])
            return Array(opening + PageText.dataBlock(try JSONEncoder().encode(samples)) + Self.template.ending)
        }
    }

    /// Titles read in each run, of the datasets as the newest run with each has them; hosts do not change them.
    private var samples: SampleExplorer {
        let runs = text.history.runs.enumerated().map { index, run in
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

extension HistoryText.Row {
    /// Card of the page, in HTML: cells of the table's row, a plot, all steps and all numbers.
    fileprivate var card: String {
        let cells = cells
        // The steps are listed.
        let facts = [2, 3, 4, 8, 9].filter { cells[$0] != "–" }.map { "\(Self.columns[$0].heading) \(cells[$0])" }
        let steps = series.steps.reversed().map { step in
            let samples = [("lost", step.lost), ("gained", step.gained)].compactMap { name, ids in
                ids.flatMap {
                    $0.isEmpty
                        ? nil
                        : "<details><summary>\($0.count) \(name)</summary>\(text($0.joined(separator: ", ")))</details>"
                }
            }
            let subject = runs[step.run].revision.subject.map { " (\($0))" } ?? ""
            return "<li><b class=\(step.isBetter ? "good" : "bad")>\(text(change(step)))</b> since "
                + linked(step.run, since(step) + subject) + "; \(confidence(step))\(samples.joined())"
        }
        let numbers = series.points.reversed().map { point in
            "<tr><th scope=row>\(linked(point.run, runs[point.run].time))<td>"
                + "\(text(runs[point.run].revision.commit?.prefix(8) ?? "–"))<td>\(text(self.text(point.value)))<td>\(interval(point))"
        }
        return
            "<article class=\"card\(steps.isEmpty ? "" : " stepped")\"><h3>\(text("\(series.metric): \(series.variant)"))</h3>"
            + "\(plot)<p class=soft>\(text(facts.joined(separator: " · ")))</p><ul>\(steps.joined())</ul>"
            + "<details><summary>The numbers</summary><div class=scroll tabindex=0><table><tr><th>run<th>commit<th>value<th>95 % interval"
            + "\(numbers.joined())</table></div></details></article>"
    }

    private func text(_ text: some StringProtocol) -> String { PageText.escaped(String(text)) }

    /// An address of data is a link only if it leads to the web.
    private func linked(_ run: Int, _ label: String) -> String {
        guard let link = runs[run].revision.link, link.hasPrefix("https://") || link.hasPrefix("http://") else {
            return text(label)
        }
        return "<a rel=noreferrer href=\"\(text(link))\">\(text(label))</a>"
    }

    /// Values with their intervals, steps upright, and the baseline dashed.
    private var plot: String {
        let points = series.points
        let values =
            points.flatMap { [$0.value, $0.lower ?? $0.value, $0.upper ?? $0.value] }
            + (series.baseline.map { [$0.value] } ?? [])
        guard let least = values.min(), let most = values.max() else { return "" }
        let margin = (most > least ? most - least : abs(most) * 0.1 + 1e-9) * 0.08
        let (low, high) = (least - margin, most + margin)
        func x(_ place: Double) -> String {
            NumberText.fixed(46 + 298 * (points.count > 1 ? place / Double(points.count - 1) : 0.5), 1)
        }
        func y(_ value: Double) -> String { NumberText.fixed(128 - 112 * (value - low) / (high - low), 1) }
        func at(_ index: Int, _ value: Double) -> String { "\(x(Double(index))) \(y(value))" }
        func across(_ value: Double, _ kind: String) -> String { "<path class=\(kind) d=\"M46 \(y(value))H344\"/>" }
        let grid = [0.1, 0.5, 0.9].map { low + (high - low) * $0 }.map {
            across($0, "grid")
                + "<text class=tick x=40 y=\(y($0)) text-anchor=end>\(NumberText.fixed($0, abs($0) < 9.995 ? 2 : 1))</text>"
        }
        let ranged = points.indices.filter { points[$0].lower != nil && points[$0].upper != nil }
        let band =
            ranged.map { at($0, points[$0].upper ?? 0) } + ranged.reversed().map { at($0, points[$0].lower ?? 0) }
        let dots =
            points.count > 60
            ? []
            : points.indices.map { index in
                "<circle class=dot r=2.5 cx=\(x(Double(index))) cy=\(y(points[index].value))><title>"
                    + "\(text("\(runs[points[index].run].time): \(self.text(points[index].value))"))</title></circle>"
            }
        let steps = series.steps.compactMap { step in
            points.firstIndex { $0.run == step.run }.map { place in
                "<path class=\"step \(step.isBetter ? "good" : "bad")\(step.isConfirmed ? "" : " new")\" d=\"M\(x(Double(place) - 0.5)) 16V128\"/>"
            }
        }
        return
            "<svg viewBox=\"0 0 352 150\" role=img aria-label=\"\(text("\(series.metric) of \(series.variant) over \(points.count) runs"))\">"
            + grid.joined() + (series.baseline.map { across($0.value, "level") } ?? "")
            + (band.isEmpty ? "" : "<path class=band d=\"M\(band.joined(separator: "L"))Z\"/>")
            + "<path class=trace d=\"M\(points.indices.map { at($0, points[$0].value) }.joined(separator: "L"))\"/>"
            + (dots + steps).joined()
            + "<text class=tick x=46 y=144>\(runs[points[0].run].time.prefix(10))</text><text class=tick x=344 y=144 text-anchor=end>"
            + "\(runs[points[points.count - 1].run].time.prefix(10))</text></svg>"
    }
}
