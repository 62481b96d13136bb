import Raster
import SpineDatasets

/// Figures of a drawn dataset's card, counted from its labels.
struct CardFigures: Equatable {
    /// Number of times that each value comes.
    typealias Tally = [String: Int]

    /// The same counts for spines in pictures of their own and for books on shelves.
    struct Spines: Equatable {
        var count = 0
        var legible = 0
        var categories: Tally = [:]
        var orientations: Tally = [:]
        var languages: Tally = [:]
        var styles: Tally = [:]
        /// Of the outlines' shorter sides in pixels.
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

    /// By name.
    var fonts: [Font] { lines.sorted { $0.key < $1.key }.map { Font(family: $0.key, lines: $0.value) } }

    init(_ dataset: Dataset) {
        for sample in dataset.samples { add(sample) }
        for shelf in dataset.shelves { add(shelf) }
    }

    private mutating func add(_ sample: Sample) {
        spines.add(
            sample.category,
            sample.orientation,
            author: sample.author,
            language: sample.language,
            style: sample.style,
            outline: sample.outline,
            lines: sample.lines ?? [],
            legible: sample.legible
        )
        add(sample.lines ?? [])
    }

    private mutating func add(_ shelf: Shelf) {
        shelves.append(shelf.books.count)
        for book in shelf.books {
            onShelves.add(
                book.category,
                book.orientation,
                author: book.author,
                language: book.language,
                style: book.style,
                outline: book.quad,
                lines: book.lines ?? [],
                legible: book.legible
            )
            add(book.lines ?? [])
        }
    }

    private mutating func add(_ printed: [LabelledLine]) {
        for font in printed.compactMap(\.font) { lines[font, default: 0] += 1 }
    }
}

extension CardFigures.Spines {
    fileprivate mutating func add(
        _ category: SampleCategory?,
        _ orientation: SampleOrientation?,
        author: String?,
        language: String?,
        style: String?,
        outline: Quad?,
        lines: [LabelledLine],
        legible: Bool
    ) {
        count += 1
        if legible { self.legible += 1 }
        if author == nil { withoutAuthor += 1 }
        if let category { categories[category.rawValue, default: 0] += 1 }
        if let orientation { orientations[orientation.rawValue, default: 0] += 1 }
        if let language { languages[language, default: 0] += 1 }
        styles[style ?? "plain", default: 0] += 1
        if let outline { widths.append(min(outline.length, outline.thickness)) }
        titleSizes += lines.filter { $0.role == .title }.compactMap(\.size)
    }
}
