/// Finds records that are of a book under another title than the printed one.
///
/// They share an author's surname, or have it in their title, and their title has the whole printed title in it, word for
/// word, as collections, parts and studies have; or they share a surname, and the title is the printed one but for a letter in ten.
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

    /// - Parameter book: with title and author, as printed; one without an author has none.
    /// - Returns: the indices of the records, in order.
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

    /// Whether two titles have the same figures, and a letter in ten differs at most.
    private static func isNearly(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        let limit = min(first.count, second.count) / 10
        func figures(_ title: [UInt8]) -> [UInt8] { title.filter { (0x30...0x39).contains($0) } }
        return limit > 0 && abs(first.count - second.count) <= limit && figures(first) == figures(second)
            && UnexplainedLines.distance(first, second) <= limit
    }
}
