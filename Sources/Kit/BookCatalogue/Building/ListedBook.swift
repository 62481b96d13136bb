import Basics

/// A record with its distinguishing keys, made while all cores parse.
struct ListedBook: Sendable {
    var book: BookRecord
    var titleHash: UInt64

    init(_ book: BookRecord) {
        self.book = book
        titleHash = Self.titleHash(book)
    }

    /// Returns the FNV-1a of main title and surname: Swift's own hash differs from run to run, and order must not.
    static func titleHash(_ book: BookRecord, seed: UInt64? = 0) -> UInt64 {
        var hash = FNV1a()
        if let seed { withUnsafeBytes(of: seed.littleEndian) { hash.add($0) } }
        hash.add((BookIdentity(book).titleKey ?? book.title).utf8)
        return hash.value
    }
}

/// The FNV-1a hash of 64 bits of a sequence of bytes.
///
/// Source: Fowler, Noll, Vo and Eastlake, The FNV non-cryptographic hash algorithm (2011).
struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inline(__always)
    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}

/// Book lists as this program writes them.
package enum BookList {
    /// Returns a table with a header: RFC 4180, with LF.
    package static func csv(_ books: [BookRecord]) -> String {
        let header = ["title", "authors", "isbn13", "series", "publisher", "year", "language", "cover_url"]
        let rows = books.map { book in
            [
                book.title, book.authors.joined(separator: "; "), book.isbn?.digits ?? "", book.numberedSeries,
                book.publisher ?? "", book.year.map(String.init) ?? "", book.language ?? "", book.coverURL ?? "",
            ]
        }
        return ([header] + rows).map { CSV.line($0) }.joined()
    }
}

extension BookRecord {
    /// The series with the book's number; empty without a series.
    fileprivate var numberedSeries: String { (series ?? "") + (seriesNumber.map { " #\($0)" } ?? "") }
}

/// Report of reading a list.
package struct ListReport: Sendable, Equatable {
    package var path: String
    package var format: ListFormat
    /// "title ← name of a column", a line each; empty for a format without columns.
    package var mapping: [String]
    /// All rows, without the header.
    package var rows = 0
    /// Number of rows with a record.
    package var books = 0
    /// Number of entries of a dump that are not books.
    package var others = 0
    /// Number of books whose ISBN was omitted as invalid.
    package var wrongISBNs = 0
    package var badRows = 0
    /// The first of them.
    package var listed: [BadRow] = []

    package static let listedMaximum = 50
}

/// A row that gave no record.
package struct BadRow: Sendable, Equatable, CustomStringConvertible {
    package var path: String
    /// First line, counted from 1.
    package var line: Int
    package var reason: String

    package var description: String { "\(path):\(line): \(reason)" }
}
