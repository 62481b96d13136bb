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
        // A damaged one counts as never shown.
        if let shown = try library?.shown(id.description),
            let item = try? JSONDecoder().decode(VisualSearchResult.self, from: Data(shown.json.utf8))
        {
            return item
        }
        throw EntityError.unknown(id)
    }

    /// Returns the books of an author, a series or a day; nil when there are none.
    func shelf(_ id: EntityID, name: String?) throws -> ShelfEntity? {
        var books: [BookEntity]
        var listed: String?
        switch id {
        case .author(let key):
            books = try catalogue.books(author: key).map { BookEntity($0) }
            listed = books.first?.authors.first
        case .series(let key):
            books = try catalogue.books(series: key).map { BookEntity($0) }
            listed = books.first?.series
        case .scanned(let day):
            guard let start = try? EntityID.days.parse(day) else { return nil }
            books =
                try library?.books(addedIn: start..<start.addingTimeInterval(86_400)).map {
                    BookEntity($0, knownAs: nil)
                } ?? []
            listed = day
        case .isbn, .title, .photo: return nil
        }
        if books.isEmpty { return nil }
        let count = books.count
        books = Array(books.prefix(ShelfEntity.mostBooks))
        return ShelfEntity(id: id, name: name ?? listed ?? "", count: count, books: books)
    }
}

extension BookRecord {
    fileprivate var withoutISBN: BookRecord {
        var record = self
        record.isbn = nil
        return record
    }
}
