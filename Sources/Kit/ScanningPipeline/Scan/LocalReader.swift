public import BookCatalogue
import ScanningPolicies
public import TextRecognition

/// The reader on the device, with its properties for a session.
public struct LocalReader: Sendable {
    /// Scanner of a fixed quality; nil if the quality depends on the device's state.
    let scanner: SpineScanner?
    /// Adaptive reader; nil if the quality is fixed.
    let adaptive: AdaptiveReader?
    /// The tier that readings of a fixed quality count as.
    let tier: LibraryBook.Tier
    /// Reader of photos of shelves; nil without one, or if the quality depends on the device's state.
    let shelf: ShelfReader?

    /// Creates a reader of one quality, which its readings count as.
    public init(_ scanner: SpineScanner, tier: LibraryBook.Tier = .fast, shelf: ShelfReader? = nil) {
        (self.scanner, adaptive, self.tier, self.shelf) = (scanner, nil, tier, shelf)
    }

    /// Creates a reader of one quality, which its readings count as.
    public init(_ reader: any SpineTextReader, tier: LibraryBook.Tier = .fast) {
        self.init(SpineScanner(reader: reader), tier: tier)
    }

    /// Creates a reader whose quality goes with the device's state; its readings count as the tier that they were
    /// read at.
    public init(_ reader: AdaptiveReader) { (scanner, adaptive, tier, shelf) = (nil, reader, .fast, nil) }

    /// Reads a picture of one spine, or of shelves, whose books are named, by the matcher if there is one.
    ///
    /// - Throws: when the picture or the engine fails, and when the reader is unloaded.
    func books(
        of picture: ScanPicture,
        name: String,
        isShelf: Bool,
        matcher: SpinePipeline.Matcher?
    ) async throws -> (PictureBooks, LibraryBook.Tier) {
        if let scanner {
            let parts = isShelf ? (shelf, matcher) : (nil, nil)
            let pipeline = SpinePipeline(reader: scanner, shelf: parts.0, matcher: parts.1)
            return (try await ReaderQueue.run { try pipeline.books(of: picture, name: name) }, tier)
        }
        let seen = try await ReaderQueue.run {
            try picture.decoded(name: name, sufficientShortSide: SpineScanner.sufficientShortSide)
        }
        guard let result = try await adaptive?.read(seen.image) else { throw ScanningError.readerUnloaded }
        let subject: NamingPolicy.Subject =
            ShelfReader.isLikely(width: seen.width, height: seen.height) ? .cover : .spine
        let books = try PictureBooks(result.reading, in: result.duration, on: seen, of: subject, by: nil)
        return (books, LibraryBook.Tier(rawValue: ReadingLevel(result.quality).tier) ?? .fast)
    }
}
