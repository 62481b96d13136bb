package import Raster

/// A labelled picture of a whole shelf, one line of `shelves.jsonl`.
package struct Shelf: Sendable, Equatable, Codable {
    /// Unique in its dataset.
    package var id: String
    /// Path of the picture, relative to the dataset's folder.
    package var image: String
    /// From left to right; empty when no book can be seen.
    package var books: [ShelfBook]

    package init(id: String, image: String, books: [ShelfBook]) {
        self.id = id
        self.image = image
        self.books = books
    }
}

/// One spine on a shelf, as far as somebody labelled it.
package struct ShelfBook: Sendable, Equatable, Codable {
    /// Unique in its dataset.
    package var id: String?
    /// As printed; nil when nobody can read it.
    package var title: String?
    /// As printed; nil when the spine names none.
    package var author: String?
    /// All text that can be read with certainty, in reading order.
    package var transcription: String?
    package var category: SampleCategory?
    package var orientation: SampleOrientation?
    /// The spine's outline in the shelf's picture, in pixels; corners clockwise from the picture's top left.
    package var quad: Quad?
    /// The printed lines in reading order, their quads in the shelf's picture; nil when nobody labelled them.
    package var lines: [LabelledLine]?
    /// Whether a person can read the title.
    package var legible = true
    /// ISO 639-1 code of the title's language.
    package var language: String?
    /// Style of the lettering or the surface.
    package var style: String?
    /// Difficulty of the spine: each cause with its figure.
    package var difficulty: [String: Double]?

    package init(
        id: String? = nil,
        title: String?,
        author: String? = nil,
        transcription: String? = nil,
        category: SampleCategory? = nil,
        orientation: SampleOrientation? = nil,
        quad: Quad? = nil,
        lines: [LabelledLine]? = nil,
        legible: Bool = true,
        language: String? = nil,
        style: String? = nil,
        difficulty: [String: Double]? = nil
    ) {
        self.id = id
        self.title = title
        self.author = author
        self.transcription = transcription
        self.category = category
        self.orientation = orientation
        self.quad = quad
        self.lines = lines
        self.legible = legible
        self.language = language
        self.style = style
        self.difficulty = difficulty
    }
}
