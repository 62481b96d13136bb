import Basics

/// A record with what tells it from others, made while all cores parse.
struct ListedBook: Sendable {
    var book: BookRecord
    /// A hash of main title and surname.
    var titleHash: UInt64

    init(_ book: BookRecord) {
        self.book = book
        titleHash = Self.titleHash(book)
    }

    /// FNV-1a of 64 bits: Swift's own hash differs from run to run, and order must not.
    static func titleHash(_ book: BookRecord, seed: UInt64 = 0) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        withUnsafeBytes(of: seed.littleEndian) { bytes in
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }
        for byte in (BookIdentity(book).titleKey ?? book.title).utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return hash
    }
}

/// Book lists as this program writes them.
package enum BookList {
    /// A table with a header: RFC 4180, with LF.
    package static func csv(_ books: [BookRecord]) -> String {
        let header = ["title", "authors", "isbn13", "series", "publisher", "year", "language", "cover_url"]
        let rows = books.map { book in
            [
                book.title, book.authors.joined(separator: "; "), book.isbn?.digits ?? "", book.series ?? "",
                book.publisher ?? "", book.year.map(String.init) ?? "", book.language ?? "", book.coverURL ?? "",
            ]
        }
        return ([header] + rows).map { CSV.line($0) }.joined()
    }
}

/// Report of reading a list.
package struct ListReport: Sendable, Equatable {
    /// The file, as it was named.
    package var path: String
    /// Format that it was read as.
    package var format: ListFormat
    /// "title ← name of a column", a line each; empty for a format without columns.
    package var mapping: [String]
    /// All rows, without the header.
    package var rows = 0
    /// Of them, those that gave a record.
    package var books = 0
    /// Of a dump: those that are no books.
    package var others = 0
    /// Books whose ISBN was left out because it is wrong.
    package var wrongISBNs = 0
    /// Rows that gave no record.
    package var badRows = 0
    /// The first of them.
    package var listed: [BadRow] = []

    /// Number of bad rows that are kept to be listed.
    package static let listedMaximum = 50
}

/// A row that gave no record.
package struct BadRow: Sendable, Equatable, CustomStringConvertible {
    package var path: String
    /// Where it begins, counted from 1.
    package var line: Int
    package var reason: String

    package var description: String { "\(path):\(line): \(reason)" }
}
