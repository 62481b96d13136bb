internal import Basics
public import BookCatalogue
internal import Foundation

/// Lookup of identified items: books and shelves of a library and a catalogue.
public struct EntityItems: Sendable {
    /// The books that are known.
    public var catalogue: BookCatalogue
    /// Owner's books and earlier results; nil without an owner.
    public var library: LibraryStore?

    /// Creates the lookup from its sources: see the properties.
    public init(catalogue: BookCatalogue, library: LibraryStore?) {
        (self.catalogue, self.library) = (catalogue, library)
    }

    /// Returns the item of an identifier: from the library, else from the catalogue, else from earlier results.
    ///
    /// - Throws: ``EntityError/unknown(_:)`` when none of them knows it; when the library or the catalogue fails.
    public func item(_ id: EntityID) throws -> VisualSearchResult {
        switch id {
        case .isbn(let isbn):
            if let own = try library?.book(isbn: isbn) {
                return .book(BookEntity(own, knownAs: try catalogue.books(isbn: isbn).first))
            }
            if let record = try catalogue.books(isbn: isbn).first { return .book(BookEntity(record)) }
        case .title(let title, let surname):
            func isMeant(_ record: BookRecord) -> Bool {
                EntityID(record.withoutISBN) == id || FoldedText.key(record.title) == title && surname.isEmpty
            }
            let record = try catalogue.search(title, limit: EntitySearch.most).first(where: isMeant)
            let meant = record ?? BookRecord(title: title, authors: surname.isEmpty ? [] : [surname])
            if let own = try library?.book(sameAs: meant) { return .book(BookEntity(own, knownAs: record)) }
            if let record { return .book(BookEntity(record)) }
        case .author, .series, .scanned:
            if let shelf = try shelf(id, name: nil) { return .shelf(shelf) }
        case .photo: break
        }
        if let shown = try library?.shown(id.description), let item = VisualSearchResult(json: shown.json) {
            return item
        }
        throw EntityError.unknown(id)
    }

    /// Returns the books of an author, a series or a day; nil when there are none.
    func shelf(_ id: EntityID, name: String?) throws -> ShelfEntity? {
        var books: [BookEntity]
        switch id {
        case .author(let name): books = try catalogue.books(author: name).map { BookEntity($0) }
        case .series(let name): books = try catalogue.books(series: name).map { BookEntity($0) }
        case .scanned(let day):
            guard let start = try? Date(day, strategy: .iso8601.year().month().day()) else { return nil }
            let end = start.addingTimeInterval(86_400)
            books = try library?.books(addedIn: start..<end).map { BookEntity($0, knownAs: nil) } ?? []
        case .isbn, .title, .photo: return nil
        }
        guard let first = books.first else { return nil }
        let listed: String
        switch id {
        case .author: listed = first.authors.first ?? ""
        case .series: listed = first.series ?? ""
        case .scanned(let day): listed = day
        case .isbn, .title, .photo: listed = ""
        }
        let count = books.count
        books = Array(books.prefix(ShelfEntity.mostBooks))
        return ShelfEntity(id: id, name: name ?? listed, count: count, books: books)
    }
}

extension BookRecord {
    fileprivate var withoutISBN: BookRecord {
        var record = self
        record.isbn = nil
        return record
    }
}
