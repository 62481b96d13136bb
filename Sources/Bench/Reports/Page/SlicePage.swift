import Basics
import Evaluation
import Harness
package import Results
import SpineDatasets

/// Slices of a run as one HTML page: the tables, and the worst readings with their pictures.
package struct SlicePage {
    private let run: RunContents
    /// Worst readings of a measurement that are shown.
    private static let shown = 20

    package init(_ run: RunContents) { self.run = run }

    package var bytes: [UInt8] {
        let tables = SliceTables(run.result.measurements)
        let notes = tables.findings.dropFirst() + [Markdown.plain(tables.note)] + run.warnings
        let title = "Where titles are missed: \(run.name)"
        return CardPage(
            title: title,
            word: title,
            kind: tables.sentences.isEmpty ? "open" : "bad",
            sentence: tables.findings[0],
            parts: notes.map { "<p>\(PageText.escaped($0))</p>" } + tables.tables.map(section)
        ).bytes
    }

    private func section(_ table: Table) -> String {
        let worst = worst(of: table.title)
        let pictures = max(1, run.result.measurements.count) * Self.shown
        let budget = ThumbnailBudget(pictures: pictures, otherBytes: 500_000)
        let cards = Parallel.map(worst.count) { card(worst[$0], budget) }
        let bad = table.rows.indices.filter { table.rows[$0].last == "**worse**" }
        return """
            <section><h2>\(PageText.escaped(table.title))</h2>
            \(CardPage.table(table, bad: Set(bad)))
            <h3>The \(NumberText.count(worst.count, "title")) missed by most</h3>
            \(CardPage.cards(cards))</section>
            """
    }

    private typealias Missed = (sample: Sample, dataset: Dataset, record: SampleRecord, score: SampleScore)

    /// Returns the first readings that missed the title, those with the least similar text first.
    private func worst(of measurement: String) -> [Missed] {
        let samples = run.samples
        let missed = run.records.filter { $0.measurement == measurement && $0.repetition == 1 }.compactMap {
            record -> Missed? in
            guard let found = samples.sample(of: record), found.sample.legible,
                let dataset = run.datasets.first(where: { $0.digest == found.digest }),
                let score = record.score(against: found.sample), score.title.isRead == false
            else { return nil }
            return (found.sample, dataset, record, score)
        }
        return Array(
            missed.sorted { ($0.score.similarity, $0.record.id) < ($1.score.similarity, $1.record.id) }.prefix(
                Self.shown
            )
        )
    }

    private func card(_ missed: Missed, _ budget: ThumbnailBudget) -> String {
        let sample = missed.sample
        let properties = Slices.Property.allCases.compactMap { property in
            property.value(of: sample, missed.dataset.traits[sample.image]).map { "\(property.rawValue): \($0.text)" }
        }
        return CardPage.card(
            sample.id,
            (missed.dataset.store, sample),
            budget,
            remarks: "",
            texts: [
                ("title", PageText.escaped(sample.title ?? "")),
                ("printed", PageText.escaped(sample.transcription)),
                ("read", missed.record.text.map { CardPage.marked($0, against: sample.transcription) }),
                ("problem", missed.record.problem.map(PageText.escaped)),
                ("properties", PageText.escaped(properties.joined(separator: ", "))),
            ]
        )
    }
}
