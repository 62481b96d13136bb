package import Imaging

/// A labelled picture of a whole shelf, one line of `shelves.jsonl`.
package struct Shelf: Sendable, Equatable, Codable {
    package var id: String
    /// Path of the picture, relative to the dataset's folder.
    package var image: String
    /// Books from left to right; empty when no book is visible.
    package var books: [ShelfBook]
    /// Size in which the picture was labelled, in pixels; nil when it is not stated.
    var width: Double?
    var height: Double?

    package init(id: String, image: String, books: [ShelfBook]) {
        (self.id, self.image, self.books) = (id, image, books)
    }
}

/// Subject of the pictures that a system reads.
package enum Subject: String, Sendable, Codable, CaseIterable {
    case spines
    case shelves

    /// Name of the file of labels.
    package var labels: String { self == .spines ? Labels.samplesFile : Labels.shelvesFile }
}

extension Sample {
    /// Creates a photo of shelves as a sample: timed, and scored by its books alone.
    package init(_ shelf: Shelf) {
        self.init(
            id: shelf.id,
            image: shelf.image,
            category: .mixed,
            title: nil,
            transcription: shelf.books.compactMap { $0.transcription ?? $0.title }.joined(separator: "\n"),
            orientation: .upright,
            group: shelf.id,
            legible: false
        )
        self.shelf = shelf
    }
}

extension Dataset {
    /// Returns the pictures for a system that reads such subjects, up to `limit`: see ``limited(to:)``.
    package func pictures(of subject: Subject, limit: Int? = nil) -> [Sample] {
        switch subject {
        case .spines: limited(to: limit)
        case .shelves: shelves.prefix(limit ?? .max).map(Sample.init)
        }
    }

    package var subjects: [Subject] { Subject.allCases.filter { !pictures(of: $0, limit: 1).isEmpty } }
}

/// Spine on a shelf, as far as it is labelled.
package struct ShelfBook: Sendable, Equatable, Codable {
    /// Unique in its dataset.
    package var id: String?
    /// Printed title; nil when it is illegible.
    package var title: String?
    /// Printed author; nil when the spine names none.
    package var author: String?
    /// Titles of other editions or translations of the work that count as the book, too.
    package var acceptedTitles: [String]?
    /// All text that can be read with certainty, in reading order.
    package var transcription: String?
    package var category: SampleCategory?
    package var orientation: SampleOrientation?
    /// The spine's outline in the shelf's picture, in pixels; corners clockwise from the picture's top left.
    package var quad: Quad?
    /// Printed lines in reading order, their quads in the shelf's picture; nil without labels.
    package var lines: [LabelledLine]?
    package var legible = true
    package var language: String?
    package var style: String?
    /// Difficulty of the spine: each cause with its figure.
    package var difficulty: Difficulty?
    package var labelled: LabelOrigin?
}

extension ShelfBook {
    package init(title: String?, quad: Quad? = nil, legible: Bool = true) {
        (self.title, self.quad, self.legible) = (title, quad, legible)
    }
}
