import Foundation
package import SpineDatasets

/// A comparison as one HTML page that loads nothing: the rows, and the flipped samples with their pictures.
package struct ComparisonPage: Sendable {
    private let report: ComparisonReport
    private let samples: @Sendable (_ id: String, _ dataset: String) -> (folder: String, sample: Sample)?

    /// - Parameters:
    ///   - report: What it shows.
    ///   - samples: The sample of an id, and its dataset's folder; nil when it is not known.
    package init(
        _ report: ComparisonReport,
        samples: @escaping @Sendable (_ id: String, _ dataset: String) -> (folder: String, sample: Sample)?
    ) {
        self.report = report
        self.samples = samples
    }

    package var bytes: [UInt8] { Array(text.utf8) }

    package var text: String {
        let verdict = ComparisonVerdictText(report)
        let kind = report.verdict == .fail ? "bad" : report.verdict == .pass ? "good" : "open"
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="\(PageText.policy(style: Self.style, script: ""))">
            <title>Comparison: \(verdict.word)</title>
            <style>\(Self.style)</style></head><body>
            <h1 class="\(kind)">\(verdict.word)</h1>
            <p>\(PageText.escaped(verdict.sentence))</p>
            \(report.isPartial ? "<p><strong>Partial:</strong> it was stopped before everything was read.</p>" : "")
            \(report.notes.map { "<p>\(PageText.escaped($0))</p>" }.joined(separator: "\n"))
            \(report.comparisons.map(section).joined(separator: "\n"))
            <footer><p>\(PageText.escaped(report.method)) \(PageText.escaped(report.tool)).</p></footer>
            </body></html>

            """
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
        let head = ["metric", "A", "B", "change", "95 % interval", "p", "noise", "accepted", "status"]
        let body = rows.filter(\.isOfUse).map { row in
            let text = ComparisonText(row)
            let cells = [
                text.metric, text.a, text.b, text.difference, text.interval, text.p, text.noise, text.tolerance,
                text.status,
            ]
            let kind = row.gates && row.status == .worse ? " class=\"bad\"" : ""
            return "<tr\(kind)>" + cells.map { "<td>\(PageText.escaped($0))</td>" }.joined() + "</tr>"
        }
        return "<div class=\"wide\"><table><thead><tr>" + head.map { "<th>\($0)</th>" }.joined()
            + "</tr></thead><tbody>\(body.joined(separator: "\n"))</tbody></table></div>"
    }

    private func card(_ flip: Comparison.Flip, _ dataset: String, _ budget: ThumbnailBudget) -> String {
        let found = samples(flip.id, dataset)
        var picture = ""
        if let found {
            let root = URL(filePath: found.folder).resolvingSymlinksInPath().path
            if let thumbnail = try? Thumbnail(found.sample.image, in: root, budget: budget) {
                let data = Data(thumbnail.jpeg).base64EncodedString()
                picture = "<img alt=\"\(PageText.escaped(flip.id))\" src=\"data:image/jpeg;base64,\(data)\">"
            } else {
                picture = "<p class=\"quiet\">the picture cannot be read</p>"
            }
        }
        func line(_ label: String, _ text: String?) -> String {
            guard let text else { return "" }
            let marked = found.map { GraphemeDiff(from: $0.sample.transcription, to: text).html }
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

    private static let style = """
        :root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:1rem auto;max-width:80rem;padding:0 1rem}
        .wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
        th,td{padding:.25rem .6rem;border-bottom:1px solid #8886;text-align:left;vertical-align:top}
        td:not(:last-child){white-space:nowrap}
        .bad{color:#b3261e}.good{color:#1b7f3b}.open{color:#8a6100}.quiet{opacity:.7;font-weight:400}
        .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(18rem,1fr));gap:1rem}
        article{border:1px solid #8886;border-radius:.5rem;padding:.75rem;break-inside:avoid}
        img{max-width:100%;max-height:18rem;display:block;margin:0 auto}h4{margin:.5rem 0}dl{margin:0}
        dt{font-size:.8rem;opacity:.7}dd{margin:0 0 .4rem;overflow-wrap:anywhere}
        ins{background:#1b7f3b33;text-decoration:none}del{background:#b3261e33}
        @media(prefers-color-scheme:dark){.bad{color:#ff8a80}.good{color:#7fd89a}.open{color:#ffcc66}}
        """
}
