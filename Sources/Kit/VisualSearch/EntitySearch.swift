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
        func spine(_ book: PictureBooks.Book, on kind: SeenReading.Kind) throws -> SeenSpine {
            let named = try book.named.naming.answer.map {
                try entity($0, among: book.named.candidates, language: descriptor.language)
            }
            return SeenSpine(book.spine, on: kind, named)
        }
        var spines: [SeenSpine] = []
        let seen = try pipeline.books(of: picture, name: "the picture", isShelf: words.nameShelf) { book in
            guard let spine = try? spine(book, on: .shelf) else { return }
            spines.removeAll { $0.isReplaced(by: spine) }
            spines.append(spine)
            partial(FoundEntities(results: spines.books.map(Result.book), reading: SeenReading(spines: spines)))
        }
        spines = try seen.books.map { try spine($0, on: seen.kind) }
        var results: [Result] = []
        if seen.kind == .shelf {
            results = try shelf(spines, of: picture, words)
        } else if let book = seen.books.first, let first = spines.first?.book {
            results = try around(first, book, words, language: descriptor.language)
        }
        let found = FoundEntities(results: results, reading: SeenReading(seen, spines))
        return (found, results.isEmpty ? nil : seen.image)
    }

    typealias Result = VisualSearchResult
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

    /// Creates the spine of a picture that shows one, without its book.
    public init(text: [String]) {
        (place, self.text) = (BookEntity.Place(row: 0, index: 0, outline: nil, orientation: nil), text)
    }

    fileprivate init(_ spine: ShelfSpine, on kind: SeenReading.Kind, _ book: BookEntity?) {
        place = BookEntity.Place(row: 0, index: 0, outline: nil, orientation: spine.reading.orientation)
        if kind == .shelf { (place.row, place.index, place.outline) = (spine.row, spine.index, spine.outline) }
        text = spine.reading.lines.map(\.text)
        self.book = book
        self.book?.place = place
    }

    /// Returns whether a later report is about this spine: one without a row comes again when its row is known.
    fileprivate func isReplaced(by later: SeenSpine) -> Bool {
        place.row == later.place.row
            ? place.outline == later.place.outline : place.row == 0 && book?.id == later.book?.id
    }
}

extension [SeenSpine] {
    /// Identified books, each once, in the order of their spines.
    fileprivate var books: [BookEntity] {
        compactMap(\.book).reduce(into: []) { books, book in
            if !books.contains(where: { $0.id == book.id }) { books.append(book) }
        }
    }
}

/// Reading of a picture, as evidence of its results.
public struct SeenReading: Sendable {
    /// Assumed subject of a picture.
    public typealias Kind = NamingPolicy.Subject

    /// Assumed subject.
    public var kind = Kind.shelf
    /// Spines in their order; of a shelf that is being read, those that were read so far, in the order of reading.
    public var spines: [SeenSpine]
    /// Text of the books, or all text where none is named, in reading order.
    public var lines: [RecognizedLine] = []
    /// Times of the reading; nil while the rest is read.
    public var times: Times?

    /// Times of a reading.
    public struct Times: Sendable {
        /// Time from the file to pixels.
        public var decoding: Duration
        /// Time from pixels to text, without naming; on a shelf including it, as the catalogue helps to find the ends
        /// of spines.
        public var reading: StageTimings
        /// Time of naming; 0 on a shelf.
        public var matching: Duration
    }
}

extension SeenReading {
    fileprivate init(_ seen: PictureBooks, _ spines: [SeenSpine]) {
        kind = seen.kind
        self.spines = spines
        lines = spines.books.isEmpty ? seen.text : seen.books.flatMap(\.spine.reading.lines)
        let matching = kind == .shelf ? .zero : seen.matching
        times = Times(decoding: seen.decoding, reading: seen.timings, matching: matching)
    }
}

// MARK: - Pictures

extension EntitySearch {
    /// Returns the books of a shelf, in place and order, and where there are more spines, the shelf; empty where no
    /// book is named.
    private func shelf(_ spines: [SeenSpine], of picture: ScanPicture, _ words: LabelWords) throws -> [Result] {
        let books = spines.books
        guard spines.count > 1, !books.isEmpty else { return books.map(Result.book) }
        let shelf = ShelfEntity(
            id: .photo(digest(of: picture)),
            name: "",
            count: spines.count { $0.book != nil },
            spines: spines.count,
            books: Array(books.prefix(ShelfEntity.mostBooks))
        )
        // Results with the requested name come first.
        let (asked, others) = (books.filter { words.ask(for: $0) }, books.filter { !words.ask(for: $0) })
        let results = (asked + others).prefix(Self.most - 1).map(Result.book)
        return words.nameShelf ? [.shelf(shelf)] + results : results + [.shelf(shelf)]
    }

    /// Returns the book of a spine or a cover, with those that it may be as well and the shelves that it belongs to;
    /// empty where labels of other things require more confidence.
    private func around(
        _ first: BookEntity,
        _ book: PictureBooks.Book,
        _ words: LabelWords,
        language: String
    ) throws -> [Result] {
        let candidates = book.named.candidates
        if words.speakOfOtherThings, !words.ask(for: first) {
            // Its text is the only evidence, as on a picture of any shape.
            let lines = book.spine.reading.lines.map(\.text)
            guard NamingPolicy.standard.naming(candidates, of: lines, on: .cover).answer != nil else { return [] }
        }
        let others = try others(in: candidates, than: first, language: language)
        return try ([first] + others).map(Result.book) + shelves(around: first)
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
    private func shelves(around book: BookEntity) throws -> [Result] {
        let names: [(EntityID, String)?] = [
            book.series.map { (.series(FoldedText.key($0)), $0) },
            book.authors.first.map { (.author(FoldedText.key($0)), $0) },
            book.scannedOn.map { (.scanned($0), $0) },
        ]
        return try names.compactMap(\.self).compactMap { try items.shelf($0, name: $1) }
            .filter { $0.count > 1 }.map(Result.shelf)
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

extension LabelWords {
    /// Returns whether a label other than the general ones has words of a book's title or its authors.
    func ask(for book: BookEntity) -> Bool {
        let words = Set(([book.title] + book.authors).flatMap(FoldedText.words))
        return others.contains { FoldedText.words(of: $0).allSatisfy(words.contains) }
    }
}

/// Rank of a record for a requested name: lower is better.
enum NameRank: Comparable {
    /// The name, its beginning, the beginning of a word in it or all words, letters inside of a word.
    case exact, prefix, containing, inside

    /// Letters of a text that is searched inside of words, so that "emma" does not find "Dilemma".
    private static let leastInside = 5

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
}

extension EntitySearch {
    /// Maximum number of examined books that contain a name.
    private static let mostContaining = 1_000

    /// Returns books with a name.
    ///
    /// Exact names come before prefixes, before names with a word that begins with it, before those that have it inside
    /// of a word; in each, the owner's books come before the catalogue's, the last scanned first, those in the asker's
    /// language before others. Without any, those of the name with its typing errors corrected.
    func named(_ names: [String], language: String, mayCorrect: Bool = true) throws -> [Result] {
        var ranked: [(rank: NameRank, result: Result)] = []
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
