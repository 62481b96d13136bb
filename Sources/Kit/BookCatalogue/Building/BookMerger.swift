import Basics

/// Merges records so that each book occurs once: by ISBN, else by title and author.
struct BookMerger {
    /// Books in the order of their first appearance.
    private(set) var books: [BookRecord] = []
    private(set) var duplicates = 0
    private var indexOfISBN: [ISBN: Int] = [:]
    private var indicesOfTitle: [UInt64: [Int]] = [:]

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
        indicesOfTitle[listed.titleHash, default: []].append(index)
        if let isbn = listed.book.isbn { indexOfISBN[isbn] = index }
        return index
    }

    private func index(of listed: ListedBook) -> Int? {
        if let isbn = listed.book.isbn, let index = indexOfISBN[isbn] { return index }
        return indicesOfTitle[listed.titleHash]?.last {
            // Two numbers are two editions.
            (books[$0].isbn == nil || listed.book.isbn == nil) && BookIdentity.isSame(books[$0], listed.book)
        }
    }

    /// Returns the richer of two records, completed by the other.
    static func richer(_ first: BookRecord, _ second: BookRecord) -> BookRecord {
        let (best, other) = second.richness > first.richness ? (second, first) : (first, second)
        var merged = best.completed(by: other)
        merged.popularity = [best.popularity, other.popularity].compactMap(\.self).max()
        return merged
    }
}

extension BookRecord {
    /// Returns the record completed by another one of the same book.
    package func completed(by other: BookRecord) -> BookRecord {
        var completed = self
        if authors.isEmpty { completed.authors = other.authors }
        completed.isbn = isbn ?? other.isbn
        completed.series = series ?? other.series
        completed.seriesNumber = series == nil ? other.seriesNumber : seriesNumber
        completed.publisher = publisher ?? other.publisher
        completed.year = year ?? other.year
        completed.language = language ?? other.language
        completed.coverURL = coverURL ?? other.coverURL
        return completed
    }

    fileprivate var richness: Int {
        [
            !authors.isEmpty, isbn != nil, series != nil, publisher != nil, year != nil, language != nil,
            coverURL != nil, popularity != nil,
        ].count { $0 }
    }
}

/// Finds the records of the books on which a title is printed.
struct PrintedTitleIndex {
    private var byMainTitle: [String: [Int]] = [:]
    private var byWholeTitle: [String: [Int]] = [:]

    init(_ books: [BookRecord]) {
        for (index, book) in books.enumerated() {
            byMainTitle[BookIdentity.foldedMain(book.title), default: []].append(index)
            byWholeTitle[BookIdentity.foldedWhole(book.title), default: []].append(index)
        }
    }

    /// Returns the indices of the books that ``BookIdentity/isSame(_:title:author:)`` holds for the same, in order.
    func books(with title: String, author: String?, in books: [BookRecord]) -> [Int] {
        let found = Set(byMainTitle[BookIdentity.foldedMain(title)] ?? [])
            .union(byWholeTitle[BookIdentity.foldedWhole(title)] ?? [])
        return found.sorted().filter {
            $0 < books.count && BookIdentity.isSame(books[$0], title: title, author: author)
        }
    }
}

/// Finds records that are of a book under another title than the printed one.
///
/// They share an author's surname, or have it in their title, and their title has the whole printed title in it, word
/// for word, as collections, parts and studies have; or they share a surname, and the title is the printed one but
/// for a letter in ten.
struct FurtherEditions {
    private struct Entry {
        /// Folded, with a space at each end.
        var title: [UInt8]
        var surnames: [String]
    }

    private let entries: [Entry]

    init(_ books: [BookRecord]) {
        entries = books.map { book in
            Entry(
                title: Self.spaced(BookIdentity.foldedWhole(book.title)),
                surnames: book.authors.map(AuthorName.surname)
            )
        }
    }

    /// Returns the records of a book with title and author as printed, in order; one without an author has none.
    func indices(of book: BookRecord) -> [Int] {
        let title = Self.spaced(BookIdentity.foldedWhole(book.title))
        let surnames = Set(book.authors.map(AuthorName.surname).filter { !$0.isEmpty })
        // "Kurt Vonnegut's Cat's Cradle" is folded to "kurt vonneguts cats cradle".
        let names = surnames.flatMap { [Self.spaced($0), Self.spaced($0 + "s")] }
        return entries.indices.filter { number in
            let entry = entries[number]
            let isByAuthor = entry.surnames.contains(where: surnames.contains)
            if entry.title.count > title.count, entry.title.contains(title),
                isByAuthor || names.contains(where: entry.title.contains)
            {
                return true
            }
            return isByAuthor && Self.isNearly(entry.title, title)
        }
    }

    private static func spaced(_ text: String) -> [UInt8] { Array(" \(text) ".utf8) }

    /// Returns whether two titles have the same figures, and a letter in ten differs at most.
    private static func isNearly(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        let limit = min(first.count, second.count) / 10
        func figures(_ title: [UInt8]) -> [UInt8] { title.filter { (0x30...0x39).contains($0) } }
        return limit > 0 && abs(first.count - second.count) <= limit && figures(first) == figures(second)
            && Levenshtein.distance(first, second) <= limit
    }
}

/// The fixed quarter of labelled books that a catalogue is made to lack.
///
/// A run over a catalogue with every labelled book would not measure spines whose book is in no catalogue. The choice
/// of held-out books depends on title and author alone: not on the dataset, its order or the list.
package enum HeldOutBooks {
    /// Returns whether a book is one of them.
    ///
    /// The 64-bit FNV-1a hash of the UTF-8 of `TITLE|SURNAME` has a remainder below 25 when it is divided by 100.
    /// TITLE is the main title and SURNAME the first author's, both in small letters without accents and punctuation,
    /// the title without its leading article; SURNAME is empty where no author is named.
    package static func contains(_ book: BookRecord) -> Bool {
        ListedBook.titleHash(book, seed: nil) % 100 < 25
    }
}
