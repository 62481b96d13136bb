import Basics
import Evaluation
import Foundation
import SpineDatasets

/// HTML page of tables and of samples on cards, without scripts; it loads nothing.
struct CardPage {
    var title: String
    /// Heading: the verdict or the subject.
    var word: String
    /// Its colour: `good`, `bad` or `open`.
    var kind: String
    var sentence: String
    /// HTML.
    var parts: [String]

    private static let template = PageTemplate(
        html: PackageResources.cards_html,
        style: PackageResources.cards_css,
        scripts: []
    )

    var bytes: [UInt8] {
        let opening = Self.template.opening([
            "title": PageText.escaped(title), "word": PageText.escaped(word), "kind": kind,
            "sentence": PageText.escaped(sentence),
        ])
        return Array(opening + Data(parts.joined(separator: "\n").utf8) + Self.template.ending)
    }

    /// Returns a table; rows of `bad` places are in the colour of a miss.
    static func table(_ table: Table, bad: Set<Int> = []) -> String {
        let body = table.plain.rows.enumerated().map { place, cells in
            let kind = bad.contains(place) ? " class=\"bad\"" : ""
            return "<tr\(kind)>" + cells.map { "<td>\(PageText.escaped($0))</td>" }.joined() + "</tr>"
        }
        return "<div class=\"wide\"><table><thead><tr>" + table.columns.map { "<th>\($0.label)</th>" }.joined()
            + "</tr></thead><tbody>\(body.joined(separator: "\n"))</tbody></table></div>"
    }

    /// Returns a sample's card: its picture, its id with remarks in HTML, and named texts in HTML.
    static func card(
        _ id: String,
        _ found: (store: PictureStore, sample: Sample)?,
        _ budget: ThumbnailBudget,
        remarks: String,
        texts: [(name: String, html: String?)]
    ) -> String {
        let picture = found.map { store, sample in
            guard let thumbnail = try? Thumbnail(sample.image, in: store, budget: budget) else {
                return "<p class=\"quiet\">the picture cannot be read</p>"
            }
            let data = Data(thumbnail.jpeg).base64EncodedString()
            return "<img alt=\"\(PageText.escaped(id))\" src=\"data:image/jpeg;base64,\(data)\">"
        }
        let lines = texts.compactMap { text in text.html.map { "<dt>\(text.name)</dt><dd>\($0)</dd>" } }
        return """
            <article>\(picture ?? "")<h4>\(PageText.escaped(id)) \(remarks)</h4>
            <dl>\(lines.joined())</dl></article>
            """
    }

    static func cards(_ cards: [String]) -> String {
        "<p class=\"quiet\"><del>struck out</del>: on the spine and not read; <ins>marked</ins>: read and not there.</p>\n"
            + "<div class=\"cards\">\(cards.joined(separator: "\n"))</div>"
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
