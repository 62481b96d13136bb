public import BookCatalogue
internal import ImageCodec
public import Raster
public import TextRecognition

/// From a photo of shelves to the books on it, in place and order.
public struct ShelfScanner: Sendable {
    /// Finds the spines and reads them.
    public var reader: ShelfReader
    /// Names the book that lines of text belong to.
    public var matcher: ScanSession.Matcher

    /// A scanner by its parts: see the properties.
    public init(reader: ShelfReader, matcher: @escaping ScanSession.Matcher) {
        self.reader = reader
        self.matcher = matcher
    }

    /// The books of a photo.
    ///
    /// `bytes` are a whole PNG, JPEG or HEIC file, which errors call `name`; `first` is called once at most, with a book that is
    /// there before the others, and comes again among them: its row and index are 0.
    ///
    /// - Throws: when the bytes, the engine or the catalogue fail.
    public func scan(
        _ bytes: [UInt8],
        name: String,
        first: (ShelfScan.Book) -> Void = { _ in }
    ) throws -> ShelfScan {
        let clock = ContinuousClock()
        let start = clock.now
        let image = try ImageCodec.decode(bytes, name: name).image
        let decoding = start.duration(to: clock.now)
        var scan = try scan(image, first: first)
        scan.decoding = decoding
        scan.total += decoding
        return scan
    }

    /// The books of a photo that stands upright; else as ``scan(_:name:first:)``.
    public func scan(_ image: RasterImage, first: (ShelfScan.Book) -> Void = { _ in }) throws -> ShelfScan {
        let clock = ContinuousClock()
        let start = clock.now
        let reading = try reader.read(image, judge: ShelfReader.judge(by: matcher)) { spine in
            if let book = try? self.book(of: spine), book.match.answer != nil { first(book) }
        }
        let books = try reading.spines.map(book)
        return ShelfScan(
            width: image.width,
            height: image.height,
            books: books,
            text: reading.text,
            decoding: .zero,
            timings: reading.timings,
            total: start.duration(to: clock.now)
        )
    }
}

extension ShelfScanner {
    private func book(of spine: ShelfSpine) throws -> ShelfScan.Book {
        var match = try matcher(spine.reading.lines.map(MatchLine.init))
        if !spine.reading.isEnoughToName { match.answer = nil }
        return ShelfScan.Book(spine: spine, match: match)
    }
}

/// Books found on a photo of shelves.
public struct ShelfScan: Sendable {
    /// A spine with the book that it is.
    public struct Book: Sendable {
        /// Where it stands, and its text.
        public var spine: ShelfSpine
        /// The books that its text may be of.
        public var match: MatchResult

        /// From this probability on a book is worth a person's look.
        private static let leastConfidence = 0.1

        /// The book that it is or may be; nil when none is worth a person's look.
        public var guess: BookMatch? { match.candidates.first { $0.confidence >= Self.leastConfidence } }
    }

    /// Of the photo as it stands upright, in pixels.
    public var width: Int
    /// Of the photo as it stands upright, in pixels.
    public var height: Int
    /// Row by row from the top, in each from left to right.
    public var books: [Book]
    /// All text of the photo, that of no spine included, in reading order; empty where it was read elsewhere.
    public var text: [RecognizedLine] = []
    /// From the file to pixels; 0 where pixels were given.
    public var decoding: Duration
    /// Of the reading, without decoding and naming.
    public var timings: StageTimings
    /// From the file to the books.
    public var total: Duration
}
