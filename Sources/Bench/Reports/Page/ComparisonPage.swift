import Basics
import Evaluation
import Foundation
import Results
import SpineDatasets

/// A comparison as one HTML page: the rows, and an explorer of its samples.
struct ComparisonPage: Encodable {
    /// The sample of an id, and its dataset's pictures; nil when it is not known.
    typealias Finder = @Sendable (_ id: String, _ dataset: String) -> (store: PictureStore, sample: Sample)?

    private let report: ComparisonReport
    private let explorer: SampleExplorer

    /// Sides, and their plots.
    private let measurements: [PageObject]
    private let standings: [PageObject]

    private enum CodingKeys: CodingKey { case explorer, measurements, standings }

    private static let template = PageTemplate(
        html: PackageResources.comparison_html,
        style: SampleExplorer.style + PackageResources.cards_css,
        scripts: [PackageResources.data_js, PackageResources.plots_js, PackageResources.pareto_js]
            + SampleExplorer.scripts
            + [PackageResources.comparison_js]
    )

    init(_ report: ComparisonReport, samples: Finder) {
        (self.report, explorer) = (report, SampleExplorer(report, samples: samples))
        measurements = (report.standings?.first?.names ?? []).enumerated().map {
            ["id": "\(Standings.letter($0)) \($1)", "evidence": EvidenceClass.measured]
        }
        standings = (report.standings ?? []).compactMap { one in one.pareto.flatMap { Self.plot($0, of: one) } }
    }

    func bytes() throws -> [UInt8] {
        let verdict = ComparisonVerdictText(report)
        let partial = "<p><strong>Partial:</strong> the comparison was stopped before everything was read.</p>"
        let parts =
            (report.isPartial ? [partial] : []) + report.notes.map { "<p>\(PageText.escaped($0))</p>" }
            + (report.standings ?? []).map(section) + report.comparisons.map(section)
        let opening = Self.template.opening([
            "title": PageText.escaped("Comparison: \(verdict.word)"), "word": PageText.escaped(verdict.word),
            "kind": report.verdict == .fail ? "bad" : report.verdict == .pass ? "good" : "open",
            "sentence": PageText.escaped(verdict.sentence), "parts": parts.joined(separator: "\n"),
            "footer": PageText.escaped("\(report.method) \(report.tool)."),
        ])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(opening + PageText.dataBlock(try encoder.encode(self)) + Self.template.ending)
    }

    /// Returns the points that have all three figures, as `pareto.js` takes them; nil without any.
    private static func plot(_ pareto: Pareto, of standings: Standings) -> PageObject? {
        let points = pareto.points.compactMap { point -> PageObject? in
            func value(_ metric: Metric) -> Pareto.Estimate? {
                pareto.metrics.firstIndex(of: metric).map { point.values[$0] }
            }
            guard let read = value(.titleRead) ?? value(.bookTitleRead), let latency = value(.latencyP95) else {
                return nil
            }
            func end(_ end: KeyPath<Pareto.Estimate, Double?>) -> PageObject {
                ["x": latency[keyPath: end], "y": read[keyPath: end]]
            }
            return [
                "index": point.side, "x": latency.value, "y": read.value, "low": end(\.low), "high": end(\.high),
                "memory": value(.peakFootprint)?.value, "beaten": !point.beatenBy.isEmpty,
                "text": [NumberText.milliseconds(latency.value), NumberText.percent(read.value)],
            ]
        }
        return points.isEmpty
            ? nil : ["title": "Pareto: \(standings.label)", "pareto": ["points": points] as PageObject]
    }

    private func section(_ standings: Standings) -> String {
        let tables = StandingsTables(standings).tables.map { table in
            "<h3>\(PageText.escaped(table.title))</h3><p class=\"quiet\">\(PageText.escaped(table.note))</p>\(CardPage.table(table))"
        }
        return "<section><h2>\(PageText.escaped(standings.label))</h2>\(tables.joined(separator: "\n"))</section>"
    }

    private func section(_ comparison: Comparison) -> String {
        let lost = comparison.flips.count(where: \.isLost)
        return """
            <section><h2>\(PageText.escaped(comparison.label))</h2>
            <p>A is <b>\(PageText.escaped(comparison.nameA))</b>, \(comparison.letterB) is <b>\(PageText.escaped(comparison.nameB))</b>; \
            \(NumberText.count(comparison.samples, "sample")). Noise: \(PageText.escaped(comparison.noise.origin)).</p>
            \(table(comparison.rows, comparison.letterB))
            \((comparison.causes ?? []).map { "<p>\(PageText.escaped($0))</p>" }.joined())
            \(comparison.categories.isEmpty ? "" : "<details><summary>By category; these rows do not gate</summary>\(table(comparison.categories, comparison.letterB))</details>")
            <p>Samples that flipped: \(lost) lost, \(comparison.flips.count - lost) gained.</p></section>
            """
    }

    private func table(_ rows: [ComparisonRow], _ letter: String) -> String {
        let shown = rows.filter(\.isOfUse)
        let bad = shown.indices.filter { shown[$0].gates && shown[$0].status == .worse }
        return CardPage.table(ComparisonText.table(shown, letter), bad: Set(bad))
    }
}
