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
        return ([header] + rows).map { $0.map(field).joined(separator: ",") + "\n" }.joined()
    }

    private static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { ",\"\n\r".utf8.contains($0) }) || text != text.trimmedWhole else {
            return text
        }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
