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

    private enum CodingKeys: CodingKey { case explorer }

    private static let template = PageTemplate(
        html: PackageResources.comparison_html,
        style: SampleExplorer.style + PackageResources.cards_css,
        scripts: SampleExplorer.scripts + [PackageResources.comparison_js]
    )

    init(_ report: ComparisonReport, samples: Finder) {
        (self.report, explorer) = (report, SampleExplorer(report, samples: samples))
    }

    func bytes() throws -> [UInt8] {
        let verdict = ComparisonVerdictText(report)
        let partial = "<p><strong>Partial:</strong> the comparison was stopped before everything was read.</p>"
        let parts =
            (report.isPartial ? [partial] : []) + report.notes.map { "<p>\(PageText.escaped($0))</p>" }
            + report.comparisons.map(section)
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

    private func section(_ comparison: Comparison) -> String {
        let lost = comparison.flips.count(where: \.isLost)
        return """
            <section><h2>\(PageText.escaped(comparison.label))</h2>
            <p>A is <b>\(PageText.escaped(comparison.nameA))</b>, B is <b>\(PageText.escaped(comparison.nameB))</b>; \
            \(NumberText.count(comparison.samples, "sample")). Noise: \(PageText.escaped(comparison.noise.origin)).</p>
            \(table(comparison.rows))
            \(comparison.categories.isEmpty ? "" : "<details><summary>By category; these rows do not gate</summary>\(table(comparison.categories))</details>")
            <p>Samples that flipped: \(lost) lost, \(comparison.flips.count - lost) gained.</p></section>
            """
    }

    private func table(_ rows: [ComparisonRow]) -> String {
        let shown = rows.filter(\.isOfUse)
        let bad = shown.indices.filter { shown[$0].gates && shown[$0].status == .worse }
        return CardPage.table(ComparisonText.table(shown), bad: Set(bad))
    }
}
