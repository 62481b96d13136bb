import Basics
import Foundation
import Imaging
import SpineDatasets

/// Text about a drawn dataset, by `Resources/card.md` with figures from its labels.
struct DatasetCard {
    private let dataset: Dataset
    private let options: SynthesisOptions
    /// Spines of separate pictures, in the form of books on shelves.
    private let spines: [ShelfBook]
    private let books: [ShelfBook]
    /// Font families by name, and how many lines are set in each.
    let fonts: [(family: String, lines: Int)]

    init(_ dataset: Dataset, _ options: SynthesisOptions) {
        (self.dataset, self.options) = (dataset, options)
        spines = dataset.samples.map { sample in
            var spine = ShelfBook(title: sample.title, quad: sample.outline, legible: sample.legible)
            (spine.author, spine.category, spine.orientation) = (sample.author, sample.category, sample.orientation)
            (spine.language, spine.style, spine.lines) = (sample.language, sample.style, sample.lines)
            return spine
        }
        books = dataset.shelves.flatMap(\.books)
        fonts = Self.tally((spines + books).flatMap { $0.lines ?? [] }.map(\.font)).sorted { $0.0 < $1.0 }
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
        let separate = options.spines > 0 ? ["\(spines.count) synthetic pictures of book spines"] : []
        let shelves = "\(dataset.shelves.count) synthetic pictures of whole shelves with \(books.count) books"
        return (separate + (options.shelves > 0 ? [shelves] : [])).joined(separator: " and ")
            + ", with labels\(licence)."
    }

    private var contents: String {
        var parts: [String] = []
        if !spines.isEmpty { parts.append(Self.section("spines", spines)) }
        if !dataset.shelves.isEmpty {
            let counts = dataset.shelves.map { "\($0.books.count)" }.joined(separator: ", ")
            parts.append("Books on the shelves, one figure each: \(counts).")
        }
        if !books.isEmpty { parts.append(Self.section("books", books)) }
        return parts.joined(separator: "\n\n")
    }

    private static let meanings: KeyValuePairs<SampleCategory, String> = [
        .vertical: "plain lettering along the spine, running down or up",
        .inverted: "an upside-down book; `orientation` is the direction of its text in the picture",
        .stylized: "lettering or a surface that is hard to read, see `style`",
        .horizontal: "words stacked on a thick spine, or a book lying on its back",
        .mixed: "lettering in several directions",
    ]

    private static func section(_ noun: String, _ spines: [ShelfBook]) -> String {
        let rows = meanings.compactMap { category, meaning in
            let count = spines.count { $0.category == category }
            return count > 0 ? "| \(category.rawValue) | \(count) | \(meaning) |" : nil
        }
        func list(_ values: [String?]) -> String {
            tally(values).sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        }
        let titles = spines.flatMap { $0.lines ?? [] }.filter { $0.role == .title }
        return """
            | category | \(noun) | contents |
            |---|---|---|
            \(rows.joined(separator: "\n"))

            | | \(noun) |
            |---|---|
            | a person can read the title | \(spines.count(where: \.legible)) of \(spines.count) |
            | has no visible author | \(spines.count { $0.author == nil }) |
            | title direction (`orientation`) | \(list(spines.map(\.orientation?.rawValue))) |
            | language | \(list(spines.map(\.language))) |
            | style | \(list(spines.map { $0.style ?? "plain" })) |
            | width of the spine, pixels | \(spread(spines.compactMap(\.quad).map { min($0.length, $0.thickness) })) |
            | font size of the title, pixels | \(spread(titles.compactMap(\.size))) |
            """
    }

    /// Returns text such as "31 to 298, half of them below 96"; a dash without values.
    private static func spread(_ values: [Double]) -> String {
        let sorted = values.sorted().map { Int($0.rounded()) }
        guard let least = sorted.first, let most = sorted.last else { return "–" }
        return least == most ? "\(least)" : "\(least) to \(most), half of them below \(sorted[sorted.count / 2])"
    }

    private var fontTable: String {
        guard !fonts.isEmpty else { return "No text was drawn." }
        let rows = fonts.map { font in
            let typeface = Typeface.all.first { $0.family == font.family }
            let package = typeface.map { "`\($0.package)`" } ?? "–"
            return "| \(font.family) | \(font.lines) | \(package) | \(typeface?.licence ?? "see the font") |"
        }
        return """
            The pictures show these fonts; the dataset does not contain the font files.

            | family | lines | Debian package | licence |
            |---|---|---|---|
            \(rows.joined(separator: "\n"))
            """
    }

    private static func tally(_ values: [String?]) -> [(String, Int)] {
        Dictionary(values.compactMap { $0.map { ($0, 1) } }, uniquingKeysWith: +).map { ($0, $1) }
    }
}
