public import BookCatalogue
public import TextRecognition

/// The way from a picture to the books on it: spines, their texts, and the book that each text names.
///
/// The app's sessions, every command, the back end and the harness call ``books(of:name:isShelf:found:)``.
///
///     let pipeline = SpinePipeline(reader: scanner, shelf: shelf) { try matcher.match($0, readings: 1) }
///     for book in try pipeline.books(of: .file(bytes), name: "shelf.jpg").books { print(book.named.naming) }
public struct SpinePipeline: Sendable {
    /// Function that returns the books that lines may be of: `CatalogueMatcher.match(_:readings:limit:)`, for instance.
    public typealias Matcher = @Sendable ([MatchLine]) throws -> MatchResult

    /// Reader of pictures of one spine or cover.
    public var reader: SpineScanner
    /// Reader of photos of shelves; nil where the engine cannot read them: then every picture is of one book.
    public var shelf: ShelfReader?
    /// Matcher of the catalogue; nil for none: then no book is named.
    public var matcher: Matcher?

    /// Creates a pipeline from its parts: see the properties.
    public init(reader: SpineScanner, shelf: ShelfReader?, matcher: Matcher?) {
        (self.reader, self.shelf, self.matcher) = (reader, shelf, matcher)
    }

    /// Finds the spines of a picture, reads them and names their books.
    ///
    /// The picture's shape decides whether it is read as one spine or as shelves. A picture of shelves on which no
    /// book is named is read as one cover as well; that counts if its book is named, or if there are fewer than two
    /// spines.
    ///
    /// - Parameters:
    ///   - picture: A picture of one spine, a cover or shelves.
    ///   - name: The picture's name in errors.
    ///   - isShelf: Whether the picture is of shelves whatever its shape.
    ///   - found: Called with the spines of shelves while others are read: see ``ShelfReader/read(_:judge:found:)``.
    /// - Returns: The spines with text, each with the book that it names.
    /// - Throws: The errors of the codec, the engine or the catalogue.
    public func books(
        of picture: ScanPicture,
        name: String,
        isShelf: Bool = false,
        found: (PictureBooks.Book) -> Void = { _ in }
    ) throws -> PictureBooks {
        let clock = ContinuousClock()
        let start = clock.now
        let (width, height) = try picture.size(name: name)
        let hasShelfShape = ShelfReader.isLikely(width: width, height: height)
        func one() throws -> PictureBooks { try book(of: picture, name, on: hasShelfShape ? .cover : .spine) }
        var seen: PictureBooks
        if isShelf || hasShelfShape, let shelf {
            seen = try books(ofShelf: picture, name, shelf, found)
            if !seen.namesBook { seen = seen.or(try one()) }
        } else {
            seen = try one()
        }
        seen.total = start.duration(to: clock.now)
        return seen
    }

    private func books(
        ofShelf picture: ScanPicture,
        _ name: String,
        _ shelf: ShelfReader,
        _ found: (PictureBooks.Book) -> Void
    ) throws -> PictureBooks {
        let seen = try picture.decoded(name: name, sufficientShortSide: ShelfReader.sufficientShortSide)
        // Each text is named once.
        var known: [(lines: [RecognizedLine], named: NamedText)] = []
        func book(of spine: ShelfSpine) throws -> PictureBooks.Book {
            let lines = spine.reading.lines
            let named = try known.first { $0.lines == lines }?.named ?? NamedText(lines, on: .shelf, by: matcher)
            known.append((lines, named))
            var placed = spine
            (placed.outline, placed.reading) = (seen.placed(spine.outline), seen.placed(spine.reading))
            return PictureBooks.Book(spine: placed, named: named)
        }
        let reading = try shelf.read(seen.image, judge: matcher.map(ShelfReader.judge)) { spine in
            if let book = try? book(of: spine) { found(book) }
        }
        let (text, start) = (reading.text.map(seen.placed), ContinuousClock.now)
        let books = try reading.spines.map(book)
        return PictureBooks(
            kind: .shelf,
            books: books,
            text: text,
            image: seen,
            timings: reading.timings,
            matching: start.duration(to: .now)
        )
    }

    private func book(
        of picture: ScanPicture,
        _ name: String,
        on subject: NamingPolicy.Subject
    ) throws -> PictureBooks {
        let seen = try picture.decoded(name: name, sufficientShortSide: reader.sufficientShortSide)
        let start = ContinuousClock.now
        let reading = try reader.reader.read(seen.image)
        return try PictureBooks(reading, in: start.duration(to: .now), on: seen, of: subject, by: matcher)
    }
}

/// Text of a spine with its book: the decision of ``NamingPolicy`` about the catalogue's candidates.
public struct NamedText: Sendable, Equatable {
    /// Books that it may be, the likeliest first.
    public var candidates: [BookMatch]
    /// The decision about the likeliest one.
    public var naming: BookNaming

    /// Names the book of lines that were read on a subject; none without lines or a matcher.
    ///
    /// - Throws: The catalogue's errors.
    public init(
        _ lines: [RecognizedLine],
        on subject: NamingPolicy.Subject,
        by matcher: SpinePipeline.Matcher?
    ) throws {
        candidates = lines.isEmpty ? [] : try matcher?(lines.map(MatchLine.init)).candidates ?? []
        naming = NamingPolicy.standard.naming(candidates, of: lines.map(\.text), on: subject)
    }
}

extension ShelfReader {
    /// Returns a judge that asks the catalogue.
    static func judge(by matcher: @escaping SpinePipeline.Matcher) -> Judge {
        { lines in
            let best = try matcher(lines.map(MatchLine.init)).candidates.first
            let (probability, policy) = (best?.confidence ?? 0, NamingPolicy.standard)
            let certainty: Judgement.Certainty =
                probability >= policy.sure ? .sure : probability >= policy.known ? .known : .unknown
            return Judgement(book: best?.book.id, probability: probability, certainty: certainty)
        }
    }
}

extension MatchLine {
    /// Creates a line as it was read.
    package init(_ line: RecognizedLine) {
        self.init(text: line.text, confidence: line.confidence, readings: line.alternatives)
    }
}
