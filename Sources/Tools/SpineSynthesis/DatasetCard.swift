import Basics
import Documents
import Foundation
import SpineDatasets

/// Text about a drawn dataset, by `Resources/card.md` with figures from its labels.
struct DatasetCard {
    private let dataset: Dataset
    private let options: SynthesisOptions
    private let books: [ShelfBook]
    /// Font families by name, and how many lines are set in each.
    let fonts: [(family: String, lines: Int)]

    init(_ dataset: Dataset, _ options: SynthesisOptions) {
        (self.dataset, self.options, books) = (dataset, options, dataset.shelves.flatMap(\.books))
        let lines = dataset.samples.flatMap { $0.lines ?? [] } + books.flatMap { $0.lines ?? [] }
        fonts = Dictionary(lines.compactMap { $0.font.map { ($0, 1) } }, uniquingKeysWith: +)
            .map { ($0, $1) }.sorted { $0.0 < $1.0 }
    }

    var text: String {
        let values: KeyValuePairs = [
            "name": dataset.manifest.name, "introduction": introduction, "command": command,
            "titles": options.titlesDigest == nil ? Self.ownTitles : Self.usersTitles, "contents": contents,
            "smallest": "\(Int(Sample.smallestCertain))", "fonts": fontTable,
        ]
        return values.reduce(String(decoding: PackageResources.card_md, as: UTF8.self)) { text, pair in
            text.replacingOccurrences(of: "{\(pair.key)}", with: pair.value)
        }
    }

    private static let ownTitles = """
        Titles and authors are those of real books, in \(Book.Language.allCases.count) languages. The publishers' names \
        are invented, and so is every design: no picture shows an edition that exists.
        """
    private static let usersTitles =
        "Titles and authors come from \(SyntheticDataset.titlesFile); the designs are invented."

    /// The call that draws the same dataset again.
    private var command: String {
        let usual = SynthesisOptions.usual
        let (hasSpines, hasShelves) = (options.spines > 0, options.shelves > 0)
        let isUsual = (
            categories: options.categories == usual.categories, widths: options.widths == usual.widths,
            books: options.booksPerShelf == usual.booksPerShelf
        )
        let words = [
            "spinebench dataset synth --out \(dataset.manifest.name) --seed \(options.seed)",
            hasSpines ? "--count \(options.spines)" : nil, hasShelves ? "--shelves \(options.shelves)" : nil,
            hasSpines && !isUsual.categories ? "--categories \(options.categoriesText)" : nil,
            hasSpines && !isUsual.widths ? "--width \(options.widths)" : nil,
            hasShelves && !isUsual.books ? "--books-per-shelf \(options.booksPerShelf)" : nil,
            options.titlesDigest.map { _ in "--titles \(SyntheticDataset.titlesFile)" },
            dataset.manifest.version.map { "--version \($0)" },
        ]
        return words.compactMap(\.self).joined(separator: " ")
    }

    private var introduction: String {
        let licence = dataset.manifest.licence.map { ", licence \($0)" } ?? ""
        let separate = options.spines > 0 ? ["\(dataset.samples.count) synthetic pictures of book spines"] : []
        let shelves = "\(dataset.shelves.count) synthetic pictures of whole shelves with \(books.count) books"
        return (separate + (options.shelves > 0 ? [shelves] : [])).joined(separator: " and ")
            + ", with labels\(licence)."
    }

    private static let meanings: KeyValuePairs<SampleCategory, String> = [
        .vertical: "plain lettering along the spine, running down or up",
        .inverted: "an upside-down book; `orientation` is the direction of its text in the picture",
        .stylized: "lettering or a surface that is hard to read, see `style`",
        .horizontal: "words stacked on a thick spine, or a book lying on its back",
        .mixed: "lettering in several directions",
    ]

    private var contents: String {
        let (spines, shelved) = (dataset.samples.map(\.category), books.compactMap(\.category))
        let rows = Self.meanings.compactMap { category, meaning -> [String]? in
            let counts = [spines, shelved].map { all in all.count { $0 == category } }
            return counts == [0, 0] ? nil : [category.rawValue] + counts.map { "\($0)" } + [meaning]
        }
        let table = Table(columns: ["category", .number("spines"), .number("on shelves"), "contents"], rows: rows)
        return table.markdown + "\n\n`spinebench dataset stats` counts directions, languages and sizes."
    }

    private var fontTable: String {
        guard !fonts.isEmpty else { return "No text was drawn." }
        let rows = fonts.map { font in
            let typeface = Typeface.all.first { $0.family == font.family }
            let package = typeface.map { "`\($0.package)`" } ?? "–"
            return [font.family, "\(font.lines)", package, typeface?.licence ?? "see the font"]
        }
        return "The pictures show these fonts; the dataset does not contain the font files.\n\n"
            + Table(columns: ["family", .number("lines"), "Debian package", "licence"], rows: rows).markdown
    }
}
