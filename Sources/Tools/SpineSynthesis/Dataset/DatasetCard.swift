import Basics
import Foundation
import Imaging
import SpineDatasets

struct DatasetCard {
    let manifest: DatasetManifest
    let options: SynthesisOptions
    let figures: CardFigures

    var text: String {
        let parts = ["# \(manifest.name)", introduction, howItWasMade, contents, labels, fonts, purposes]
        return parts.joined(separator: "\n\n") + "\n"
    }

    func write(to folder: URL) throws(DatasetError) {
        let file = folder.appending(path: "CARD.md")
        try DatasetError.writing(file.path) { try Data(text.utf8).write(to: file) }
    }

    /// The call that draws the same dataset again.
    var command: String {
        let usual = SynthesisOptions.usual
        var words = ["spinebench dataset synth --out \(manifest.name) --seed \(options.seed)"]
        if options.spines > 0 { words.append("--count \(options.spines)") }
        if options.shelves > 0 { words.append("--shelves \(options.shelves)") }
        if options.spines > 0 || options.shelves > 0, options.categories != usual.categories {
            words.append("--categories \(options.categoriesText)")
        }
        if options.spines > 0, options.widths != usual.widths { words.append("--width \(options.widths)") }
        if options.shelves > 0, options.booksPerShelf != usual.booksPerShelf {
            words.append("--books-per-shelf \(options.booksPerShelf)")
        }
        if let shard = options.shard { words.append("--shard \(shard)") }
        if options.titlesDigest != nil { words.append("--titles \(SyntheticDataset.titlesFile)") }
        if let version = manifest.version { words.append("--version \(version)") }
        return words.joined(separator: " ")
    }

    private var introduction: String {
        var holds: [String] = []
        if options.spines > 0 { holds.append("\(figures.spines.count) synthetic pictures of book spines") }
        if options.shelves > 0 {
            let pictures = holds.isEmpty ? "synthetic pictures of whole shelves" : "of whole shelves"
            holds.append("\(figures.shelves.count) \(pictures) with \(figures.onShelves.count) books")
        }
        let licence = manifest.licence.map { ", licence \($0)" } ?? ""
        return holds.joined(separator: " and ") + ", with labels\(licence)."
    }

    private var howItWasMade: String {
        let titles =
            options.titlesDigest == nil
            ? """
            Titles and authors are those of real books, in \(Book.Language.allCases.count) languages. The publishers' names \
            are invented, and so is every design: no picture shows an edition that exists.
            """
            : "Titles and authors come from \(SyntheticDataset.titlesFile); the designs are invented."
        return """
            ## Method

                \(command)

            Every spine was drawn with Pango and Cairo and then photographed in software. \(titles) The same command, fonts and \
            library versions give the same bytes, and a larger count begins with the same pictures. `dataset.json` has the \
            settings under `synthesis`; each label has under `difficulty` what makes its spine hard to read.
            """
    }

    private var contents: String {
        var parts = ["## Contents"]
        if figures.spines.count > 0 { parts.append(section("spines", figures.spines)) }
        if !figures.shelves.isEmpty {
            let counts = figures.shelves.map(String.init).joined(separator: ", ")
            parts.append("Books on the shelves, one figure each: \(counts).")
            if figures.onShelves.count > 0 { parts.append(section("books", figures.onShelves)) }
        }
        return parts.joined(separator: "\n\n")
    }

    private func section(_ noun: String, _ spines: CardFigures.Spines) -> String {
        let meaning = Dictionary(uniqueKeysWithValues: Self.categories)
        let rows = Self.categories.filter { spines.categories[$0.0] != nil }.map { category, _ in
            "| \(category) | \(spines.categories[category] ?? 0) | \(meaning[category] ?? "") |"
        }
        return """
            | category | \(noun) | contents |
            |---|---|---|
            \(rows.joined(separator: "\n"))

            | | \(noun) |
            |---|---|
            | a person can read the title | \(spines.legible) of \(spines.count) |
            | has no visible author | \(spines.withoutAuthor) |
            | title direction (`orientation`) | \(Self.list(spines.orientations)) |
            | language | \(Self.list(spines.languages)) |
            | style | \(Self.list(spines.styles)) |
            | width of the spine, pixels | \(Self.spread(spines.widths)) |
            | font size of the title, pixels | \(Self.spread(spines.titleSizes)) |
            """
    }

    private static let categories = [
        ("vertical", "plain lettering along the spine, running down or up"),
        ("inverted", "an upside-down book; `orientation` is the direction of its text in the picture"),
        ("stylized", "lettering or a surface that is hard to read, see `style`"),
        ("horizontal", "words stacked on a thick spine, or a book lying on its back"),
        ("mixed", "lettering in several directions"),
    ]

    private static func list(_ tally: CardFigures.Tally) -> String {
        tally.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    /// Returns text such as "31 to 298, half of them below 96"; a dash without values.
    private static func spread(_ values: [Double]) -> String {
        let sorted = values.sorted()
        guard let least = sorted.first, let most = sorted.last else { return "–" }
        let (low, high, middle) = (Int(least.rounded()), Int(most.rounded()), Int(sorted[sorted.count / 2].rounded()))
        return low == high ? "\(low)" : "\(low) to \(high), half of them below \(middle)"
    }

    private var labels: String {
        """
        ## Labels

        `transcription` contains the printed lines of a font size of \(Int(Sample.smallestCertain)) pixels or more in reading \
        order, in the direction of the title: publishers' names, series and stickers too. What a sticker or something on \
        the shelf hides is not labelled. A title that is hidden, or too blurred or small for its contrast, is not `legible`. Smaller print is listed under \
        `lines` and is not scored, as it is not reliably legible. `author` is the printed name: the whole name, or the \
        surname; a spine without a visible name has none. `lines` has each printed line with its role, font family, size in pixels \
        and the quad around its ink, from the corner where its text begins. `outline` (on a shelf: `quad`) is the spine, \
        clockwise from its top left corner in the picture. Small capitals are labelled as lower case.
        """
    }

    private var fonts: String {
        let typefaces = Dictionary(Typeface.all.map { ($0.family, $0) }) { first, _ in first }
        let rows = figures.fonts.map { font in
            let typeface = typefaces[font.family]
            let package = typeface.map { "`\($0.package)`" } ?? "–"
            return "| \(font.family) | \(font.lines) | \(package) | \(typeface?.licence ?? "see the font") |"
        }
        guard !rows.isEmpty else { return "## Fonts\n\nNo text was drawn." }
        return """
            ## Fonts

            The pictures show these fonts; the dataset does not contain the font files.

            | family | lines | Debian package | licence |
            |---|---|---|---|
            \(rows.joined(separator: "\n"))
            """
    }

    private var purposes: String {
        """
        ## Suitable uses

        Running the whole benchmark without other data; detecting that a change broke the reading of a direction, a style or a
        size; comparing runs on one machine; measuring the effect of each difficulty on a reader.

        ## Unsuitable uses

        Deciding alone whether to release a scanner. The share of these titles that an engine reads does not predict real photographs.
        Illustrations, worn print and hand lettering of real spines are richer than what is drawn here, and cameras, lamps
        and hands affect them more. Lettering comes from the few fonts listed above, and titles are well known, so a reader with a
        language model has an advantage. Where real photographs and this set disagree, trust the real ones.
        """
    }
}

/// Figures of a drawn dataset's card, counted from its labels.
struct CardFigures {
    typealias Tally = [String: Int]

    /// Counts for spines in separate pictures or for books on shelves.
    struct Spines {
        let count: Int
        let legible: Int
        let withoutAuthor: Int
        let categories: Tally
        let orientations: Tally
        let languages: Tally
        let styles: Tally
        /// Shorter sides of the outlines in pixels.
        let widths: [Double]
        /// Font sizes of the titles' lines in pixels.
        let titleSizes: [Double]

        init(_ spines: [ShelfBook]) {
            count = spines.count
            legible = spines.count(where: \.legible)
            withoutAuthor = spines.count { $0.author == nil }
            categories = tally(spines.compactMap(\.category?.rawValue))
            orientations = tally(spines.compactMap(\.orientation?.rawValue))
            languages = tally(spines.compactMap(\.language))
            styles = tally(spines.map { $0.style ?? "plain" })
            widths = spines.compactMap(\.quad).map { min($0.length, $0.thickness) }
            titleSizes = spines.flatMap { $0.lines ?? [] }.filter { $0.role == .title }.compactMap(\.size)
        }
    }

    let spines: Spines
    let onShelves: Spines
    /// Number of books on each shelf.
    let shelves: [Int]
    /// Font families by name, and how many lines are set in each.
    let fonts: [(family: String, lines: Int)]

    init(_ dataset: Dataset) {
        let single = dataset.samples.map { sample in
            var spine = ShelfBook(title: sample.title, quad: sample.outline, legible: sample.legible)
            (spine.author, spine.category, spine.orientation) = (sample.author, sample.category, sample.orientation)
            (spine.language, spine.style, spine.lines) = (sample.language, sample.style, sample.lines)
            return spine
        }
        let books = dataset.shelves.flatMap(\.books)
        (spines, onShelves, shelves) = (Spines(single), Spines(books), dataset.shelves.map(\.books.count))
        let lines = (single + books).flatMap { $0.lines ?? [] }
        fonts = tally(lines.compactMap(\.font)).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

private func tally(_ values: [String]) -> CardFigures.Tally { Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +) }
