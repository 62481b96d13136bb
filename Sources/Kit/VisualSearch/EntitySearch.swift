internal import Basics
public import BookCatalogue
internal import Foundation
internal import Imaging
public import ScanningPipeline
public import TextRecognition

/// Search for a descriptor's items: it reads its picture, or looks its labels up, and ranks the results.
///
/// A value that answers one question after the other; apps use ``ContentQuery``.
public struct EntitySearch: Sendable {
    /// Pipeline that finds and names the books on pictures.
    public var pipeline: SpinePipeline
    /// The books that are known.
    public var catalogue: BookCatalogue
    /// Owner's books and earlier results; nil without an owner.
    public var library: LibraryStore?

    /// Creates a search by its parts: see the properties.
    public init(_ pipeline: SpinePipeline, catalogue: BookCatalogue, library: LibraryStore?) {
        (self.pipeline, self.catalogue, self.library) = (pipeline, catalogue, library)
    }

    var items: EntityItems { EntityItems(catalogue: catalogue, library: library) }

    /// Maximum number of books behind the named one.
    static let mostOthers = 4
    /// Maximum number of ranked results.
    public static let most = 100

    /// Returns the results for a descriptor, the best first; none rather than a guess.
    ///
    /// - Parameters:
    ///   - descriptor: its labels, its picture, or both.
    ///   - partial: called with what is known of a shelf so far, in the order in which its spines are read.
    /// - Throws: when the picture, the engine, the catalogue or the library fails.
    /// - Returns: the results, and the source of their thumbnails.
    public func find(
        _ descriptor: ContentDescriptor,
        partial: (FoundEntities) -> Void = { _ in }
    ) throws -> (found: FoundEntities, image: SpinePicture?) {
        let words = LabelWords(descriptor.labels)
        guard let picture = descriptor.picture else {
            let results = try named(words.others, language: descriptor.language)
            return (FoundEntities(results: Array(results.prefix(Self.most))), nil)
        }
        return try see(picture, words, language: descriptor.language, partial)
    }
}

/// Results of a descriptor.
public struct FoundEntities: Sendable {
    /// The best first; at most ``EntitySearch/most``.
    public var results: [VisualSearchResult] = []
    /// Reading of the picture; nil without one.
    public var reading: SeenReading?
}

/// A spine on a picture, whether or not its book was identified.
public struct SeenSpine: Sendable, Equatable {
    /// Position on the picture; row and index are 0 while the rest is read.
    public var place: BookEntity.Place
    /// Text in reading order, a line each.
    public var text: [String]
    /// Its book; nil when it was not identified.
    public var book: BookEntity?
}

/// Reading of a picture, as evidence of its results.
public struct SeenReading: Sendable {
    /// Assumed subject of a picture.
    public typealias Kind = NamingPolicy.Subject

    /// Assumed subject.
    public var kind: Kind
    /// Text of the books, or all text where none is named, in reading order.
    public var lines: [RecognizedLine] = []
    /// Spines in their order; of a shelf that is being read, those that were read so far, in the order of reading.
    public var spines: [SeenSpine] = []
    /// Orientation of the text; nil on a shelf.
    public var orientation: TextOrientation?
    /// Time from the file to pixels.
    public var decoding = Duration.zero
    /// Time from pixels to text, without naming; on a shelf including it, as the catalogue helps to find the ends of
    /// spines.
    public var reading = StageTimings()
    /// Time of naming.
    public var matching = Duration.zero
}

// MARK: - Pictures

extension EntitySearch {
    private func see(
        _ picture: ScanPicture,
        _ words: LabelWords,
        language: String,
        _ partial: (FoundEntities) -> Void
    ) throws -> (found: FoundEntities, image: SpinePicture?) {
        var shelf = SeenShelf()
        let seen = try pipeline.books(of: picture, name: "the picture", isShelf: words.nameShelf) { book in
            shelf.add(book.spine, try? entity(of: book, language: language), on: .shelf)
            partial(FoundEntities(results: shelf.books.map(VisualSearchResult.book), reading: shelf.reading))
        }
        var found = FoundEntities(reading: SeenReading(seen))
        shelf = SeenShelf()
        for book in seen.books { shelf.add(book.spine, try entity(of: book, language: language), on: seen.kind) }
        found.reading?.spines = shelf.reading.spines
        if seen.kind == .shelf {
            found.results = try results(shelf, of: picture, words)
        } else if let book = seen.books.first {
            found.results = try results(book, words, language: language)
        }
        return (found, found.results.isEmpty ? nil : seen.image)
    }

    /// Returns the books of a shelf, in place and order, and where there are more spines, the shelf; empty where no
    /// book is named.
    private func results(_ seen: SeenShelf, of picture: ScanPicture, _ words: LabelWords) throws -> [VisualSearchResult]
    {
        let books = seen.books
        guard seen.reading.spines.count > 1, !books.isEmpty else { return books.map(VisualSearchResult.book) }
        let shelf = ShelfEntity(
            id: .photo(digest(of: picture)),
            name: "",
            count: seen.reading.spines.count { $0.book != nil },
            spines: seen.reading.spines.count,
            books: Array(books.prefix(ShelfEntity.mostBooks))
        )
        // Results with the requested name come first.
        let (asked, others) = (books.filter { words.ask(for: $0) }, books.filter { !words.ask(for: $0) })
        let results = (asked + others).prefix(Self.most - 1).map(VisualSearchResult.book)
        return words.nameShelf ? [.shelf(shelf)] + results : results + [.shelf(shelf)]
    }

    /// Returns the book of a spine, with its place; nil where it is not named.
    private func entity(of book: PictureBooks.Book, language: String) throws -> BookEntity? {
        guard let answer = book.named.naming.answer else { return nil }
        var entity = try entity(answer, among: book.named.candidates, language: language)
        entity.place = BookEntity.Place(book.spine)
        return entity
    }

    /// Returns the book of a spine or a cover, with those that it may be as well and the shelves that it belongs to;
    /// empty where it is not named.
    private func results(
        _ book: PictureBooks.Book,
        _ words: LabelWords,
        language: String
    ) throws -> [VisualSearchResult] {
        guard var first = try entity(of: book, language: language) else { return [] }
        if words.speakOfOtherThings, !words.ask(for: first) {
            // Its text is the only evidence, as on a picture of any shape.
            let lines = book.spine.reading.lines.map(\.text)
            let naming = NamingPolicy.standard.naming(book.named.candidates, of: lines, on: .cover)
            guard naming.answer != nil else { return [] }
        }
        first.place = BookEntity.Place(orientation: book.spine.reading.orientation)
        let others = try others(in: book.named.candidates, than: first, language: language)
        return try ([first] + others).map(VisualSearchResult.book) + shelves(around: first)
    }

    /// Returns the books that the text may be of as well, the likeliest first.
    private func others(in candidates: [BookMatch], than first: BookEntity, language: String) throws -> [BookEntity] {
        var works = [first.record]
        var others: [BookEntity] = []
        for match in candidates.dropFirst() where match.confidence >= NamingPolicy.standard.possible {
            guard others.count < Self.mostOthers, !works.contains(where: { BookIdentity.isSame($0, match.book) })
            else { continue }
            works.append(match.book)
            others.append(try entity(match, among: candidates, language: language))
        }
        return others
    }

    /// Returns the series, the author's books and the books scanned with a book, where they contain more than the
    /// book.
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

    /// Returns the edition of a matched book that is shown: the owner's, else one in the asker's language, else the
    /// matched one.
    private func entity(_ match: BookMatch, among candidates: [BookMatch], language: String) throws -> BookEntity {
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

    private func digest(of picture: ScanPicture) -> String {
        switch picture {
        case .file(let bytes): return SHA256.hex(of: bytes)
        case .pixels(let image):
            var hash = SHA256()
            hash.update(Data("\(image.width)x\(image.height)x\(image.channels)".utf8))
            hash.update(image.pixels)
            return hash.hex()
        }
    }
}

/// Spines of a picture with their books, as they are added.
private struct SeenShelf {
    var reading = SeenReading(kind: .shelf)

    /// Identified books, each once, in the order of their spines.
    var books: [BookEntity] {
        reading.spines.compactMap(\.book).reduce(into: []) { books, book in
            if !books.contains(where: { $0.id == book.id }) { books.append(book) }
        }
    }

    /// Adds a spine; what was known of it before is replaced.
    mutating func add(_ spine: ShelfSpine, _ book: BookEntity?, on kind: SeenReading.Kind) {
        let orientation = spine.reading.orientation
        let place = kind == .shelf ? BookEntity.Place(spine) : BookEntity.Place(orientation: orientation)
        reading.spines.removeAll {
            $0.place.row == place.row ? $0.place.outline == place.outline : $0.place.row == 0 && $0.book?.id == book?.id
        }
        reading.spines.append(SeenSpine(place: place, text: spine.reading.lines.map(\.text), book: book))
    }
}

extension BookEntity.Place {
    fileprivate init(_ spine: ShelfSpine) {
        self.init(row: spine.row, index: spine.index, outline: spine.outline, orientation: spine.reading.orientation)
    }

    /// Creates the place of the only book of a picture.
    fileprivate init(orientation: TextOrientation?) {
        self.init(row: 0, index: 0, outline: nil, orientation: orientation)
    }
}

extension LabelWords {
    /// Returns whether a label other than the general ones has words of a book's title or its authors.
    func ask(for book: BookEntity) -> Bool {
        let words = Set(([book.title] + book.authors).flatMap(FoldedText.words))
        return others.contains { FoldedText.words(of: $0).allSatisfy(words.contains) }
    }
}

extension SeenReading {
    fileprivate init(_ seen: PictureBooks) {
        let isNamed = seen.books.contains { $0.named.naming.answer != nil }
        self.init(
            kind: seen.kind,
            lines: isNamed ? seen.books.flatMap(\.spine.reading.lines) : seen.text,
            orientation: seen.kind == .shelf ? nil : seen.books.first?.spine.reading.orientation,
            decoding: seen.decoding,
            reading: seen.timings,
            matching: seen.kind == .shelf ? .zero : seen.matching
        )
    }
}

/// Rank of a record for a requested name: lower is better.
enum NameRank: Int, Comparable {
    /// The name, its beginning, the beginning of a word in it or all words, letters inside of a word.
    case exact, prefix, containing, inside

    /// Letters of a text that is searched inside of words, so that "emma" does not find "Dilemma".
    private static let leastInside = 5

    init?(_ record: BookRecord, for asked: String) { self.init(record, for: TypedQuery(asked)) }

    init?(_ record: BookRecord, for asked: TypedQuery) {
        if let isbn = asked.isbn, record.isbn == isbn {
            self = .exact
            return
        }
        let title = FoldedText.key(record.title)
        let whole = BookIdentity.foldedWhole(record.title)
        let names = [title, whole, BookIdentity(record).mainTitle ?? title] + record.authors.map(FoldedText.key)
        let all = names + names.map(TypedQuery.spaced)
        func best(_ forms: [String]) -> NameRank? { forms.compactMap { Self.rank($0, in: all) }.min() }
        guard let best = best(asked.forms) ?? best(asked.parted) else { return nil }
        self = best
    }

    private static func rank(_ asked: String, in names: [String]) -> NameRank? {
        if names.contains(asked) { return .exact }
        if names.contains(where: { $0.hasPrefix(asked) }) { return .prefix }
        let words = Set(names.flatMap { $0.split(separator: " ") })
        let isAtWord = names.contains { " \($0)".contains(" \(asked)") }
        if isAtWord || asked.split(separator: " ").allSatisfy(words.contains) { return .containing }
        return asked.count >= leastInside && names.contains { $0.contains(asked) } ? .inside : nil
    }

    static func < (first: NameRank, second: NameRank) -> Bool { first.rawValue < second.rawValue }
}

extension EntitySearch {
    /// Maximum number of examined books that contain a name.
    private static let mostContaining = 1_000

    /// Returns books with a name.
    ///
    /// Exact names come before prefixes, before names with a word that begins with it, before those that have it inside
    /// of a word; in each, the owner's books come
    /// before the catalogue's, the last scanned first, those in the asker's language before others. Without any, those
    /// of the name with its typing errors corrected.
    func named(_ names: [String], language: String, mayCorrect: Bool = true) throws -> [VisualSearchResult] {
        var ranked: [(rank: NameRank, result: VisualSearchResult)] = []
        var seen: Set<String?> = []
        func add(_ record: BookRecord, _ own: LibraryBook?, for typed: TypedQuery) throws {
            guard let rank = NameRank(record, for: typed),
                seen.insert(BookIdentity(record).titleKey ?? record.title).inserted
            else { return }
            let entity = own.map { BookEntity($0, knownAs: record) } ?? BookEntity(record)
            ranked.append((rank, .book(entity)))
        }
        for name in names {
            let typed = TypedQuery(name)
            for own in try library?.books(containing: name) ?? [] { try add(own.record, own, for: typed) }
            if let shelf = try items.shelf(.author(FoldedText.key(name)), name: nil) {
                // An author's best known books come first, not those with the name in their titles.
                ranked.append((.exact, .shelf(shelf)))
                for book in shelf.books { try add(book.record, nil, for: typed) }
            }
            let listed = try catalogue.search(name, limit: Self.most, lookingAt: Self.mostContaining)
            let isForeign = { (book: BookRecord) in Language.code(book.language).map { $0 != language } ?? false }
            for record in listed.filter({ !isForeign($0) }) + listed.filter(isForeign) {
                try add(record, nil, for: typed)
            }
        }
        if ranked.isEmpty, mayCorrect {
            let corrected = try names.compactMap { name in
                let match = try pipeline.matcher?([MatchLine(text: name, confidence: 1)])
                return TypedName.corrected(name, by: match?.candidates ?? [])
            }
            return corrected.isEmpty ? [] : try named(corrected, language: language, mayCorrect: false)
        }
        // Stable order: equal elements keep their order.
        return ranked.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.result)
    }
}
