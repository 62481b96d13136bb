internal import Basics
package import Imaging
public import ScanningPipeline
internal import TextRecognition

/// Item that a user points at: the system's words for it, and its picture.
///
/// On Apple platforms it is created from a `SemanticContentDescriptor`.
public struct ContentDescriptor: Sendable, Equatable {
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

    /// Maximum number of labels.
    public static let mostLabels = 16
    /// Maximum number of characters of a label.
    public static let longestLabel = 200

    /// Creates a descriptor by its parts: see the properties.
    public init(labels: [String], picture: Picture?, language: String = "en") {
        self.labels = labels.prefix(Self.mostLabels).map { String($0.prefix(Self.longestLabel)) }
        (self.picture, self.language) = (picture, language)
    }

    /// Returns the factor by which pixels of a camera's picture are made smaller before they are read, 0…1.
    ///
    /// Like a file, it keeps the pixels that a photo of shelves is read at.
    package static func readingScale(width: Double, height: Double) -> Double {
        min(1, Double(ShelfReader.sufficientShortSide) / max(1, min(width, height)))
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
    /// Labels that name something else, each once: a title, an author, or an object other than a book.
    private(set) var others: [String] = []

    private static let shelves: Set<String> = [
        "bookshelf", "bookshelves", "bookcase", "bookcases", "shelf", "shelves", "library", "bookstore", "bookshop",
    ]
    private static let books: Set<String> = [
        "book", "books", "book cover", "book spine", "spine", "novel", "paperback", "hardcover", "hardback", "textbook",
        "publication", "text", "cover", "literature",
    ]

    init(_ labels: [String]) {
        for typed in labels {
            let label = FoldedText.key(typed)
            if label.isEmpty { continue }
            if Self.shelves.contains(label) {
                nameShelf = true
            } else if Self.books.contains(label) {
                nameBook = true
            } else if !others.contains(where: { $0.lowercased() == typed.lowercased() }) {
                others.append(typed)
            }
        }
    }

    /// Whether all labels name other things than books: readings then require more confidence.
    var speakOfOtherThings: Bool { !others.isEmpty && !nameShelf && !nameBook }
}

extension RasterImage {
    /// Creates an RGB image of rows of R, G, B and alpha, the last of which is omitted.
    ///
    /// - Precondition: `rgba` has four bytes for each pixel.
    package init(width: Int, height: Int, rgba: [UInt8]) {
        var pixels = [UInt8](repeating: 0, count: 3 * width * height)
        for pixel in 0..<width * height {
            for channel in 0..<3 { pixels[3 * pixel + channel] = rgba[4 * pixel + channel] }
        }
        self.init(width: width, height: height, channels: 3, pixels: pixels)
    }
}
