import Basics
import Evaluation
import Foundation
import Results
import SpineDatasets

/// A comparison as one HTML page that loads nothing: the rows, and the flipped samples with their pictures.
struct ComparisonPage {
    let report: ComparisonReport
    /// The sample of an id, and its dataset's folder; nil when it is not known.
    let samples: @Sendable (_ id: String, _ dataset: String) -> (store: PictureStore, sample: Sample)?

    private static let template = PageTemplate(
        html: PackageResources.comparison_html,
        style: PackageResources.comparison_css,
        scripts: []
    )

    var bytes: [UInt8] {
        let verdict = ComparisonVerdictText(report)
        let partial = "<p><strong>Partial:</strong> the comparison was stopped before everything was read.</p>"
        let opening = Self.template.opening([
            "word": verdict.word,
            "kind": report.verdict == .fail ? "bad" : report.verdict == .pass ? "good" : "open",
            "sentence": PageText.escaped(verdict.sentence),
        ])
        let parts =
            (report.isPartial ? [partial] : []) + report.notes.map { "<p>\(PageText.escaped($0))</p>" }
            + report.comparisons.map(section)
            + ["<footer><p>\(PageText.escaped(report.method)) \(PageText.escaped(report.tool)).</p></footer>"]
        return Array(opening + Data(parts.joined(separator: "\n").utf8) + Self.template.ending)
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
            <p class="quiet"><del>struck out</del>: on the spine and not read; <ins>marked</ins>: read and not there.</p>
            <div class="cards">\(cards.joined(separator: "\n"))</div></section>
            """
    }

    private func table(_ rows: [ComparisonRow]) -> String {
        let shown = rows.filter(\.isOfUse)
        let table = ComparisonText.table(shown)
        let body = zip(shown, table.rows).map { row, cells in
            let kind = row.gates && row.status == .worse ? " class=\"bad\"" : ""
            return "<tr\(kind)>" + cells.map { "<td>\(PageText.escaped($0))</td>" }.joined() + "</tr>"
        }
        return "<div class=\"wide\"><table><thead><tr>" + table.columns.map { "<th>\($0.label)</th>" }.joined()
            + "</tr></thead><tbody>\(body.joined(separator: "\n"))</tbody></table></div>"
    }

    private func card(_ flip: Comparison.Flip, _ dataset: String, _ budget: ThumbnailBudget) -> String {
        let found = samples(flip.id, dataset)
        var picture = ""
        if let found {
            if let thumbnail = try? Thumbnail(found.sample.image, in: found.store, budget: budget) {
                let data = Data(thumbnail.jpeg).base64EncodedString()
                picture = "<img alt=\"\(PageText.escaped(flip.id))\" src=\"data:image/jpeg;base64,\(data)\">"
            } else {
                picture = "<p class=\"quiet\">the picture cannot be read</p>"
            }
        }
        func line(_ label: String, _ text: String?) -> String {
            guard let text else { return "" }
            let marked = found.map { Self.marked(text, against: $0.sample.transcription) }
            return "<dt>\(label)</dt><dd>\(marked ?? PageText.escaped(text))</dd>"
        }
        return """
            <article>\(picture)<h4>\(PageText.escaped(flip.id)) \
            <span class="\(flip.isLost ? "bad" : "good")">\(flip.isLost ? "lost" : "gained")</span> \
            <span class="quiet">\(flip.category)</span></h4>
            <dl>\(found.map { "<dt>title</dt><dd>\(PageText.escaped($0.sample.title ?? ""))</dd>" } ?? "")\
            \(line("A", flip.textA))\(line("B", flip.textB))</dl></article>
            """
    }
    /// Returns a text in HTML: what it lacks of the reference is marked as deleted, and what it adds as inserted.
    static func marked(_ text: String, against reference: String) -> String {
        let (all, read) = (Array(TextView.nfc.apply(to: reference)), Array(TextView.nfc.apply(to: text)))
        return Levenshtein.operations(from: all, to: read).map { operation in
            let lacking = PageText.escaped(String(all[operation.reference]))
            let added = PageText.escaped(String(read[operation.hypothesis]))
            return switch operation.kind {
            case .equal: added
            case .delete: "<del>\(lacking)</del>"
            case .insert: "<ins>\(added)</ins>"
            case .substitute: "<del>\(lacking)</del><ins>\(added)</ins>"
            }
        }.joined()
    }
}
