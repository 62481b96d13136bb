public import BookCatalogue
public import Imaging
public import TextRecognition

/// Picture to find books on, as a file or as pixels.
public enum ScanPicture: Sendable, Equatable {
    /// A whole PNG, JPEG or HEIC file.
    case file([UInt8])
    case pixels(RasterImage)

    /// Returns the size of the upright picture, in pixels.
    package func size(name: String) throws -> (width: Int, height: Int) {
        switch self {
        case .pixels(let image): return (image.width, image.height)
        case .file(let bytes):
            let header = try ImageCodec.header(of: bytes, name: name)
            return (header.orientedWidth, header.orientedHeight)
        }
    }

    /// Returns the picture for reading; a file may be decoded smaller as long as its short side has that number of
    /// pixels.
    func decoded(name: String, sufficientShortSide: Int) throws -> SpinePicture {
        switch self {
        case .pixels(let image): SpinePicture(image)
        case .file(let bytes): try SpinePicture(bytes, name: name, sufficientShortSide: sufficientShortSide)
        }
    }
}

/// Books on a picture, in place and order.
public struct PictureBooks: Sendable {
    /// A spine with the book that it is.
    public struct Book: Sendable {
        /// Place and text.
        public var spine: ShelfSpine
        /// The book that the text names.
        public var named: NamedText
    }

    /// Subject that was assumed for the picture.
    public var kind: NamingPolicy.Subject
    /// Row by row from the top, in each from left to right.
    ///
    /// Outlines are in the picture's pixels. A spine or a cover is one book, with the picture as its outline; there
    /// is none without text.
    public var books: [Book]
    /// All text of the picture, that of no spine included, in reading order.
    public var text: [RecognizedLine]
    /// Picture that was read.
    public var image: SpinePicture
    /// Times of the reading, without decoding and naming; those of shelves include naming, as the catalogue affects
    /// the borders of spines.
    public var timings: StageTimings
    /// Time of naming the text.
    public var matching = Duration.zero
    /// Time from the file to the books.
    public var total = Duration.zero

    /// Width of the upright picture, in pixels.
    public var width: Int { image.width }
    /// Height of the upright picture, in pixels.
    public var height: Int { image.height }
    /// Time from the file to pixels; 0 if pixels were given.
    public var decoding: Duration { image.decoding }
}

extension PictureBooks {
    /// Creates the result of reading one spine or cover, by a time around the reading alone (S0-C06).
    init(
        _ reading: SpineReading,
        in time: Duration,
        on image: SpinePicture,
        of subject: NamingPolicy.Subject,
        by matcher: SpinePipeline.Matcher?
    ) throws {
        let (start, reading) = (ContinuousClock.now, image.placed(reading))
        let spine = ShelfSpine(row: 1, index: 1, outline: image.outline, reading: reading)
        let book = Book(spine: spine, named: try NamedText(reading.lines, on: subject, by: matcher))
        self.init(
            kind: subject,
            books: reading.lines.isEmpty ? [] : [book],
            text: reading.lines,
            image: image,
            timings: reading.timings,
            matching: start.duration(to: .now)
        )
        timings.total = time
    }

    var namesBook: Bool { books.contains { $0.named.naming.answer != nil } }

    /// Returns the better of two readings, this one of shelves on which no book is named.
    ///
    /// The other one is better if it names a book or there are fewer than two spines. The text is that of the reading
    /// with more text: a page or a sign has no spines.
    func or(_ one: PictureBooks) -> PictureBooks {
        if one.namesBook { return one }
        var found = books.count > 1 ? self : one
        found.text = one.text.letterCount > text.letterCount ? one.text : text
        return found
    }
}
