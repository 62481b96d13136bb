import Basics

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
