import Basics
import Evaluation
import Results
import SpineDatasets

/// A comparison as one HTML page: the rows, and the flipped samples with their pictures.
struct ComparisonPage {
    let report: ComparisonReport
    /// The sample of an id, and its dataset's folder; nil when it is not known.
    let samples: @Sendable (_ id: String, _ dataset: String) -> (store: PictureStore, sample: Sample)?

    var bytes: [UInt8] {
        let verdict = ComparisonVerdictText(report)
        let partial = "<p><strong>Partial:</strong> the comparison was stopped before everything was read.</p>"
        return CardPage(
            title: "Comparison: \(verdict.word)",
            word: verdict.word,
            kind: report.verdict == .fail ? "bad" : report.verdict == .pass ? "good" : "open",
            sentence: verdict.sentence,
            parts: (report.isPartial ? [partial] : []) + report.notes.map { "<p>\(PageText.escaped($0))</p>" }
                + report.comparisons.map(section)
                + ["<footer><p>\(PageText.escaped(report.method)) \(PageText.escaped(report.tool)).</p></footer>"]
        ).bytes
    }

    private func section(_ comparison: Comparison) -> String {
        let budget = ThumbnailBudget(pictures: comparison.flips.count * report.comparisons.count, otherBytes: 500_000)
        let ordered = comparison.flips.filter(\.isLost) + comparison.flips.filter { !$0.isLost }
        let cards = Parallel.map(ordered.count) { card(ordered[$0], comparison.dataset, budget) }
        let lost = comparison.flips.count(where: \.isLost)
        return """
            <section><h2>\(PageText.escaped(comparison.label))</h2>
            <p>A is <b>\(PageText.escaped(comparison.nameA))</b>, B is <b>\(PageText.escaped(comparison.nameB))</b>; \
            \(NumberText.count(comparison.samples, "sample")). Noise: \(PageText.escaped(comparison.noise.origin)).</p>
            \(table(comparison.rows))
            \(comparison.categories.isEmpty ? "" : "<details><summary>By category; these rows do not gate</summary>\(table(comparison.categories))</details>")
            <h3>Samples that flipped: \(lost) lost, \(comparison.flips.count - lost) gained</h3>
            \(CardPage.cards(cards))</section>
            """
    }

    private func table(_ rows: [ComparisonRow]) -> String {
        let shown = rows.filter(\.isOfUse)
        let bad = shown.indices.filter { shown[$0].gates && shown[$0].status == .worse }
        return CardPage.table(ComparisonText.table(shown), bad: Set(bad))
    }

    private func card(_ flip: Comparison.Flip, _ dataset: String, _ budget: ThumbnailBudget) -> String {
        let found = samples(flip.id, dataset)
        func marked(_ text: String?) -> String? {
            text.map { text in
                found.map { CardPage.marked(text, against: $0.sample.transcription) } ?? PageText.escaped(text)
            }
        }
        return CardPage.card(
            flip.id,
            found,
            budget,
            remarks: """
                <span class="\(flip.isLost ? "bad" : "good")">\(flip.isLost ? "lost" : "gained")</span> \
                <span class="quiet">\(flip.category)</span>
                """,
            texts: [
                ("title", found.map { PageText.escaped($0.sample.title ?? "") }), ("A", marked(flip.textA)),
                ("B", marked(flip.textB)),
            ]
        )
    }
}
