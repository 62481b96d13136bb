import Basics
import Foundation
import Imaging
import SpineDatasets

/// Card of a drawn dataset, for people: `CARD.md`.
struct DatasetCard {
    let manifest: DatasetManifest
    let options: SynthesisOptions
    let figures: CardFigures

    var text: String {
        let parts = ["# \(manifest.name)", introduction, howItWasMade, contents, labels, fonts, purposes]
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// Writes `CARD.md` into a dataset's folder.
    func write(to folder: URL) throws(DatasetError) {
        let file = folder.appending(path: "CARD.md")
        try DatasetError.writing(file.path) { try Data(text.utf8).write(to: file) }
    }

    /// The call that draws the same dataset again.
    var command: String {
        let usual = SynthesisOptions()
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

    /// Returns text such as "61 en, 12 fr", the most frequent first.
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
        let packages = Dictionary(Typeface.all.map { ($0.family, $0.package) }) { first, _ in first }
        let rows = figures.fonts.map { font in
            let package = packages[font.family]
            let licence = package.flatMap(FontPackage.licence) ?? "see the font"
            return "| \(font.family) | \(font.lines) | \(package.map { "`\($0)`" } ?? "–") | \(licence) |"
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
struct CardFigures: Equatable {
    /// Number of times that each value comes.
    typealias Tally = [String: Int]

    /// Counts for spines in separate pictures and for books on shelves.
    struct Spines: Equatable {
        var count = 0
        var legible = 0
        var categories: Tally = [:]
        var orientations: Tally = [:]
        var languages: Tally = [:]
        var styles: Tally = [:]
        /// Shorter sides of the outlines in pixels.
        var widths: [Double] = []
        /// Font sizes of the titles' lines in pixels.
        var titleSizes: [Double] = []
        var withoutAuthor = 0
    }

    /// A font family and how many lines are set in it.
    struct Font: Equatable {
        var family: String
        var lines: Int
    }

    var spines = Spines()
    var onShelves = Spines()
    /// Number of books on each shelf.
    var shelves: [Int] = []
    private var lines: Tally = [:]

    /// Fonts by name.
    var fonts: [Font] { lines.sorted { $0.key < $1.key }.map { Font(family: $0.key, lines: $0.value) } }

    init(_ dataset: Dataset) {
        for sample in dataset.samples { add(sample) }
        for shelf in dataset.shelves { add(shelf) }
    }

    private mutating func add(_ sample: Sample) {
        var spine = ShelfBook(title: sample.title, author: sample.author, category: sample.category)
        (spine.orientation, spine.language, spine.style) = (sample.orientation, sample.language, sample.style)
        (spine.quad, spine.lines, spine.legible) = (sample.outline, sample.lines, sample.legible)
        spines.add(spine)
        add(sample.lines ?? [])
    }

    private mutating func add(_ shelf: Shelf) {
        shelves.append(shelf.books.count)
        for book in shelf.books {
            onShelves.add(book)
            add(book.lines ?? [])
        }
    }

    private mutating func add(_ printed: [LabelledLine]) {
        for font in printed.compactMap(\.font) { lines[font, default: 0] += 1 }
    }
}

extension CardFigures.Spines {
    fileprivate mutating func add(_ spine: ShelfBook) {
        count += 1
        if spine.legible { legible += 1 }
        if spine.author == nil { withoutAuthor += 1 }
        if let category = spine.category { categories[category.rawValue, default: 0] += 1 }
        if let orientation = spine.orientation { orientations[orientation.rawValue, default: 0] += 1 }
        if let language = spine.language { languages[language, default: 0] += 1 }
        styles[spine.style ?? "plain", default: 0] += 1
        if let outline = spine.quad { widths.append(min(outline.length, outline.thickness)) }
        titleSizes += (spine.lines ?? []).filter { $0.role == .title }.compactMap(\.size)
    }
}
