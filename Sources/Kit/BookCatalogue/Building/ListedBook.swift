import Basics

/// A record with the hash of its title.
struct ListedBook: Sendable {
    var book: BookRecord
    var titleHash: UInt64

    init(_ book: BookRecord) { (self.book, titleHash) = (book, Self.titleHash(book)) }

    /// Returns the FNV-1a of main title and surname: Swift's own hash differs from run to run, and order must not.
    static func titleHash(_ book: BookRecord, seed: UInt64? = 0) -> UInt64 {
        var hash = FNV1a()
        if let seed { withUnsafeBytes(of: seed.littleEndian) { hash.append($0) } }
        hash.append((BookIdentity(book).titleKey ?? book.title).utf8)
        return hash.value
    }
}

/// Book lists in the one form that is read: the columns below, RFC 4180; `Formats/books.py` makes it of others.
package enum BookTable {
    private static let columns = [
        "title", "authors", "isbn13", "series", "publisher", "year", "language", "cover_url",
    ]

    /// Returns a table with a header.
    package static func csv(_ books: [BookRecord]) -> String {
        let rows = books.map { book in
            [
                book.title, book.authors.joined(separator: "; "), book.isbn?.digits ?? "",
                (book.series ?? "") + (book.seriesNumber.map { " #\($0)" } ?? ""),
                book.publisher ?? "", book.year.map(String.init) ?? "", book.language ?? "", book.coverURL ?? "",
            ]
        }
        return ([columns] + rows).map { CSV.line($0) }.joined()
    }

    /// Returns the books of a table, which may lack columns and have one of popularity.
    static func books(_ bytes: some Collection<UInt8>) -> [BookRecord] {
        var (header, books) = ([String: Int](), [BookRecord]())
        CSV.read(bytes) { row in
            if header.isEmpty {
                header = Dictionary(row.enumerated().map { ($1, $0) }) { first, _ in first }
                return
            }
            func field(_ name: String) -> String? {
                header[name].flatMap { $0 < row.count && !row[$0].isEmpty ? row[$0] : nil }
            }
            let series = field("series").map { BookTitle.numbered($0[...]) }
            books.append(
                BookRecord(
                    title: field("title") ?? "",
                    authors: field("authors").map { $0.split(separator: "; ").map(String.init) } ?? [],
                    isbn: field("isbn13").flatMap { ISBN($0) },
                    series: series.map { String($0.name) },
                    seriesNumber: series?.number,
                    publisher: field("publisher"),
                    year: field("year").flatMap { Int($0) },
                    language: field("language"),
                    coverURL: field("cover_url"),
                    popularity: field("popularity").flatMap { Double($0) }
                )
            )
        }
        return books
    }
}
