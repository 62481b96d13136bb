internal import Basics
public import Foundation
internal import Imaging
public import ScanningPipeline

/// Item that a user points at: the system's words for it, and its picture.
///
/// On Apple platforms it is created from a `SemanticContentDescriptor`.
public struct ContentDescriptor: Sendable {
    /// A picture, as a file or as pixels.
    public typealias Picture = ScanPicture

    /// General words of the system's for the visible item, in English ("book", "bookshelf"); or a requested name.
    ///
    /// The first ``mostLabels`` count, and of each the first ``longestLabel`` characters.
    public var labels: [String]
    /// nil when there are labels alone.
    public var picture: Picture?
    /// ISO 639-1 code of the language that the asker reads, for names and the choice between editions.
    public var language: String
    /// Time of sight.
    public var time: Date

    /// Maximum number of labels.
    public static let mostLabels = 16
    /// Maximum number of characters of a label.
    public static let longestLabel = 200

    /// Creates a descriptor by its parts: see the properties.
    public init(labels: [String], picture: Picture?, language: String = "en", time: Date = Date()) {
        self.labels = labels.prefix(Self.mostLabels).map { String($0.prefix(Self.longestLabel)) }
        (self.picture, self.language, self.time) = (picture, language, time)
    }

    /// Returns whether another one asks the same: the time does not count.
    func isSame(as other: ContentDescriptor) -> Bool {
        language == other.language && labels == other.labels && picture == other.picture
    }

    /// Bytes that its picture holds.
    var bytes: Int {
        switch picture {
        case .file(let bytes): bytes.count
        case .pixels(let image): image.pixels.count
        case nil: 0
        }
    }
}

/// Labels of a descriptor, sorted by their meaning.
struct LabelWords: Sendable {
    /// Whether a label speaks of a shelf of books.
    private(set) var nameShelf = false
    /// Whether a label speaks of a book.
    private(set) var nameBook = false
    /// Folded labels that name something else, each once: a title, an author, or an object other than a book.
    private(set) var others: [String] = []

    private static let shelves: Set<String> = [
        "bookshelf", "bookshelves", "bookcase", "bookcases", "shelf", "shelves", "library", "bookstore", "bookshop",
    ]
    private static let books: Set<String> = [
        "book", "books", "book cover", "book spine", "spine", "novel", "paperback", "hardcover", "hardback", "textbook",
        "publication", "text", "cover", "literature",
    ]

    init(_ labels: [String]) {
        for label in labels.map(FoldedText.key) where !label.isEmpty {
            if Self.shelves.contains(label) {
                nameShelf = true
            } else if Self.books.contains(label) {
                nameBook = true
            } else if !others.contains(label) {
                others.append(label)
            }
        }
    }

    /// Whether all labels name other things than books: readings then require more confidence.
    var speakOfOtherThings: Bool { !others.isEmpty && !nameShelf && !nameBook }
}
