internal import Basics
public import BookCatalogue
internal import Crypto
internal import Foundation
internal import ImageCodec
public import LibraryStore
package import Raster
public import ScanningPipeline
public import TextRecognition

/// Ranks what a descriptor may show: reads its picture, or looks its labels up.
///
/// A value that answers one question after the other; ``ContentQuery`` is what an app asks.
public struct EntitySearch: Sendable {
    /// Reads the picture of one spine or cover.
    public var reader: SpineScanner
    /// Reads photos of shelves and names their books; nil where the engine cannot: then every picture is of one book.
    public var shelf: ShelfScanner?
    /// The books that are known.
    public var catalogue: BookCatalogue
    /// Names the book that lines belong to, in that catalogue.
    public var matcher: ScanSession.Matcher
    /// The owner's books, and what was shown before; nil for nobody's.
    public var library: LibraryStore?

    /// A search by its parts: see the properties.
    public init(
        reader: SpineScanner,
        shelf: ShelfScanner?,
        catalogue: BookCatalogue,
        matcher: @escaping ScanSession.Matcher,
        library: LibraryStore?
    ) {
        self.reader = reader
        self.shelf = shelf
        self.catalogue = catalogue
        self.matcher = matcher
        self.library = library
    }

    var items: EntityItems { EntityItems(catalogue: catalogue, library: library) }

    /// From this probability on a book is named that nothing but its text speaks for: on a picture that is of no shelf and has
    /// not the shape of a spine, and under labels that speak of other things.
    static let surely = 0.8
    /// From this probability on a book is shown behind the one that is named.
    static let possibly = 0.05
    /// From this probability on a book is named that no other comes near, on a picture that has the shape of a spine.
    static let likely = 0.45
    /// From this one on when its whole title was read.
    static let likelyByTitle = 0.15
    /// So many times as probable as any other book it has to be then.
    static let lead = 10.0
    /// So many books are shown behind the one that is named.
    static let mostOthers = 4
    /// So many results are ranked at most.
    static let most = 100

    /// The results for a descriptor, the best first; none rather than a guess.
    ///
    /// - Throws: when the picture, the engine, the catalogue or the library fails.
    /// - Returns: the results, and what thumbnails are cut from.
    package func find(_ descriptor: ContentDescriptor) throws -> (found: FoundEntities, image: RasterImage?) {
        let words = LabelWords(descriptor.labels)
        guard let picture = descriptor.picture else {
            let results = try named(words.others, language: descriptor.language)
            return (FoundEntities(results: Array(results.prefix(Self.most))), nil)
        }
        return try see(picture, words, language: descriptor.language)
    }
}

/// What a descriptor came to.
package struct FoundEntities: Sendable {
    /// The best first; at most ``EntitySearch/most``.
    package var results: [VisualSearchResult] = []
    /// How the picture was read; nil without one.
    package var reading: SeenReading?
}

/// The reading of a picture, as evidence of what was found on it.
public struct SeenReading: Sendable {
    /// What the picture was taken for.
    public enum Kind: String, Sendable, Codable {
        case spine, shelf, cover
    }

    /// What it was taken for.
    public var kind: Kind
    /// All text, in reading order.
    public var lines: [RecognizedLine]
    /// Of the text; nil on a shelf.
    public var orientation: TextOrientation?
    /// From the file to pixels.
    public var decoding: Duration
    /// From pixels to text, without naming; on a shelf with it, as the catalogue has its say in where spines end.
    public var reading: StageTimings
    /// Of naming.
    public var matching: Duration
}

// MARK: - Pictures

extension EntitySearch {
    private func see(
        _ picture: ContentDescriptor.Picture,
        _ words: LabelWords,
        language: String
    ) throws -> (found: FoundEntities, image: RasterImage?) {
        let (width, height) = try size(of: picture)
        let isSpine = !ShelfReader.isLikely(width: width, height: height)
        guard let shelf, words.nameShelf || !isSpine else {
            return try seeOne(picture, isSpine: isSpine, words, language)
        }
        let (image, decoding) = try pixels(of: picture)
        var scan = try shelf.scan(image)
        (scan.decoding, scan.total) = (decoding, scan.total + decoding)
        let seen = try shelfResults(scan, of: picture, words, language: language)
        if !seen.isEmpty { return (FoundEntities(results: seen, reading: SeenReading(scan)), image) }
        let one = try seeOne(picture, isSpine: isSpine, words, language)
        guard one.found.results.isEmpty else { return one }
        // Where neither names a book, whichever read more says more: a page or a sign has no spines.
        var whole = SeenReading(scan)
        whole.lines = scan.text
        let more = one.found.reading.map { $0.lines.letterCount > whole.lines.letterCount ? $0 : whole } ?? whole
        return (FoundEntities(reading: more), nil)
    }

    /// The books of a shelf, in place and order, and where there are two, the shelf; empty where none is named.
    private func shelfResults(
        _ scan: ShelfScan,
        of picture: ContentDescriptor.Picture,
        _ words: LabelWords,
        language: String
    ) throws -> [VisualSearchResult] {
        var seen: Set<EntityID> = []
        var books: [BookEntity] = []
        for book in scan.books {
            guard let answer = book.match.answer else { continue }
            var entity = try entity(answer, among: book.match.candidates, language: language)
            entity.place = BookEntity.Place(
                row: book.spine.row,
                index: book.spine.index,
                outline: book.spine.outline
            )
            if seen.insert(entity.id).inserted { books.append(entity) }
        }
        guard books.count > 1 else { return books.map(VisualSearchResult.book) }
        let shelf = ShelfEntity(
            id: .photo(digest(of: picture)),
            name: "",
            count: books.count,
            books: Array(books.prefix(ShelfEntity.mostBooks))
        )
        // Who asks for one of them by name sees it first.
        let (asked, others) = (books.filter { words.ask(for: $0) }, books.filter { !words.ask(for: $0) })
        let results = (asked + others).prefix(Self.most - 1).map(VisualSearchResult.book)
        return words.nameShelf ? [.shelf(shelf)] + results : results + [.shelf(shelf)]
    }

    private func seeOne(
        _ picture: ContentDescriptor.Picture,
        isSpine: Bool,
        _ words: LabelWords,
        _ language: String
    ) throws -> (found: FoundEntities, image: RasterImage?) {
        let (reading, decoding, image) = try read(picture)
        let clock = ContinuousClock()
        let start = clock.now
        let match = try reading.lines.isEmpty ? nil : matcher(reading.lines.map(MatchLine.init))
        let matching = start.duration(to: clock.now)
        var found = FoundEntities()
        found.reading = SeenReading(
            kind: isSpine ? .spine : .cover,
            lines: reading.lines,
            orientation: reading.orientation,
            decoding: decoding,
            reading: reading.timings,
            matching: matching
        )
        guard let match, let answer = match.answer ?? (isSpine ? Self.likely(match.candidates, reading.lines) : nil)
        else {
            return (found, nil)
        }
        var first = try entity(answer, among: match.candidates, language: language)
        let isAsked = words.ask(for: first)
        if !isSpine || words.speakOfOtherThings && !isAsked {
            guard reading.isEnoughToName, answer.confidence >= Self.surely else { return (found, nil) }
        }
        first.place = BookEntity.Place(row: 0, index: 0, outline: nil)
        let others = try others(in: match.candidates, than: first, language: language)
        found.results = try ([first] + others).map(VisualSearchResult.book) + shelves(around: first)
        return (found, image)
    }

    /// The book that somebody who points at a spine is shown although it is not sure: one that no other comes near.
    ///
    /// Of 221 photographed spines with their books among 143,000, five more are named so, all rightly; with the list's own
    /// books alone, one of 114 whose book it lacks is named wrongly so: by a title that another book has too.
    private static func likely(_ candidates: [BookMatch], _ lines: [RecognizedLine]) -> BookMatch? {
        guard let first = candidates.first else { return nil }
        let texts = lines.map(\.text) + [lines.map(\.text).joined(separator: " ")]
        let titles = [BookIdentity(first.book).mainTitle ?? "", BookIdentity.foldedWhole(first.book.title)]
        let isWhole = texts.map(BookIdentity.foldedWhole).contains { $0.contains(" ") && titles.contains($0) }
        guard first.confidence >= (isWhole ? likelyByTitle : likely) else { return nil }
        let rival = candidates.dropFirst().first { !BookIdentity.isSame($0.book, first.book) }?.confidence ?? 0
        return first.confidence >= lead * rival ? first : nil
    }

    /// The books that the text may be of as well, the likeliest first.
    private func others(
        in candidates: [BookMatch],
        than first: BookEntity,
        language: String
    ) throws -> [BookEntity] {
        var works = [first.record]
        var others: [BookEntity] = []
        for match in candidates.dropFirst() where match.confidence >= Self.possibly {
            guard others.count < Self.mostOthers, !works.contains(where: { BookIdentity.isSame($0, match.book) })
            else { continue }
            works.append(match.book)
            others.append(try entity(match, among: candidates, language: language))
        }
        return others
    }

    /// The series and the author of a book, and what was scanned with it, where there is more than the book.
    private func shelves(around book: BookEntity) throws -> [VisualSearchResult] {
        var shelves: [ShelfEntity] = []
        if let series = book.series, let shelf = try items.shelf(.series(FoldedText.key(series)), name: series) {
            shelves.append(shelf)
        }
        if let author = book.authors.first, let shelf = try items.shelf(.author(FoldedText.key(author)), name: author) {
            shelves.append(shelf)
        }
        if let day = book.scannedOn, let shelf = try items.shelf(.scanned(day), name: day) { shelves.append(shelf) }
        return shelves.filter { $0.count > 1 }.map(VisualSearchResult.shelf)
    }

    /// The edition of a matched book that is shown: the owner's, else one in the asker's language, else the matched one.
    private func entity(
        _ match: BookMatch,
        among candidates: [BookMatch],
        language: String
    ) throws -> BookEntity {
        if let own = try library?.book(sameAs: match.book) {
            return BookEntity(own, knownAs: match.book, confidence: match.confidence)
        }
        let code = Language.code(match.book.language)
        guard let code, code != language else { return BookEntity(match.book, confidence: match.confidence) }
        let edition = candidates.first {
            Language.code($0.book.language) == language && BookIdentity.isSame($0.book, match.book)
        }
        return BookEntity(edition?.book ?? match.book, confidence: match.confidence)
    }

    private func size(of picture: ContentDescriptor.Picture) throws -> (width: Int, height: Int) {
        switch picture {
        case .pixels(let image): return (image.width, image.height)
        case .file(let bytes):
            let header = try ImageCodec.header(of: bytes, name: Self.name)
            return (header.orientedWidth, header.orientedHeight)
        }
    }

    /// What errors call the picture.
    private static let name = "the picture"

    private func pixels(of picture: ContentDescriptor.Picture) throws -> (RasterImage, Duration) {
        switch picture {
        case .pixels(let image): return (image, .zero)
        case .file(let bytes):
            let clock = ContinuousClock()
            let start = clock.now
            let image = try ImageCodec.decode(bytes, name: Self.name).image
            return (image, start.duration(to: clock.now))
        }
    }

    private func read(
        _ picture: ContentDescriptor.Picture
    ) throws -> (reading: SpineReading, decoding: Duration, image: RasterImage) {
        switch picture {
        case .pixels(let image): return (try reader.reader.read(image), .zero, image)
        case .file(let bytes):
            let picture = try SpinePicture(bytes, name: Self.name, sufficientShortSide: reader.sufficientShortSide)
            let reading = try reader.reader.read(picture.image)
            return (picture.placed(reading), picture.decoding, picture.image)
        }
    }

    private func digest(of picture: ContentDescriptor.Picture) -> String {
        switch picture {
        case .file(let bytes): return SHA256.hash(data: bytes).hexadecimal
        case .pixels(let image):
            var hash = SHA256()
            hash.update(data: Data("\(image.width)x\(image.height)x\(image.channels)".utf8))
            hash.update(data: image.pixels)
            return hash.finalize().hexadecimal
        }
    }
}

extension LabelWords {
    /// Whether a label other than the general ones has words of a book's title or its authors.
    func ask(for book: BookEntity) -> Bool {
        let words = Set(([book.title] + book.authors).flatMap(FoldedText.words))
        return others.contains { FoldedText.words(of: $0).allSatisfy(words.contains) }
    }
}

extension SeenReading {
    fileprivate init(_ scan: ShelfScan) {
        self.init(
            kind: .shelf,
            lines: scan.books.flatMap(\.spine.reading.lines),
            orientation: nil,
            decoding: scan.decoding,
            reading: scan.timings,
            matching: .zero
        )
    }
}
