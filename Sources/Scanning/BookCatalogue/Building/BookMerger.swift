import Basics

/// Puts books together so that each is there once: by ISBN, else by title and author.
struct BookMerger {
    /// In the order in which they first came.
    private(set) var books: [BookRecord] = []
    /// Number that came and were there already.
    private(set) var duplicates = 0
    private var indexOfISBN: [ISBN: Int] = [:]
    /// The last book with a title, from which `earlier` leads to the others.
    private var lastOfTitle: [UInt64: Int] = [:]
    private var earlier: [Int] = []

    /// The row of a book, new or not.
    @discardableResult
    mutating func add(_ listed: ListedBook) -> Int {
        if let index = index(of: listed) {
            duplicates += 1
            books[index] = Self.richer(books[index], listed.book)
            if let isbn = books[index].isbn { indexOfISBN[isbn] = index }
            return index
        }
        let index = books.count
        books.append(listed.book)
        earlier.append(lastOfTitle.updateValue(index, forKey: listed.titleHash) ?? -1)
        if let isbn = listed.book.isbn { indexOfISBN[isbn] = index }
        return index
    }

    private func index(of listed: ListedBook) -> Int? {
        if let isbn = listed.book.isbn, let index = indexOfISBN[isbn] { return index }
        var candidate = lastOfTitle[listed.titleHash] ?? -1
        while candidate >= 0 {
            let book = books[candidate]
            // Two numbers are two editions.
            if book.isbn == nil || listed.book.isbn == nil, BookIdentity.isSame(book, listed.book) { return candidate }
            candidate = earlier[candidate]
        }
        return nil
    }

    /// The one that says more, with what only the other says.
    static func richer(_ first: BookRecord, _ second: BookRecord) -> BookRecord {
        let (best, other) = second.richness > first.richness ? (second, first) : (first, second)
        var merged = best
        if merged.authors.isEmpty { merged.authors = other.authors }
        merged.isbn = best.isbn ?? other.isbn
        merged.series = best.series ?? other.series
        merged.publisher = best.publisher ?? other.publisher
        merged.year = best.year ?? other.year
        merged.language = best.language ?? other.language
        merged.coverURL = best.coverURL ?? other.coverURL
        merged.popularity = [best.popularity, other.popularity].compactMap(\.self).max()
        return merged
    }
}

extension BookRecord {
    /// Number of fields that say something.
    fileprivate var richness: Int {
        [
            !authors.isEmpty, isbn != nil, series != nil, publisher != nil, year != nil, language != nil,
            coverURL != nil, popularity != nil,
        ].count { $0 }
    }
}
