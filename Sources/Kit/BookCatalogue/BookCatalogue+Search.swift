import Basics
import GRDB

extension BookCatalogue {
    /// Returns the books whose title or authors contain `text`, those with just that title first, then those whose
    /// title begins with it.
    ///
    /// Case, accents and punctuation do not count, so nothing in `text` is an operator. Words may be in any order;
    /// with less than three letters, only titles that begin with the text are found.
    ///
    /// `most`: maximum number of books read that only contain the text, the most popular ones first; nil for all of
    /// them, and those first whose names it makes up the most of. Of a million books, a common word has tens of
    /// thousands.
    ///
    /// - Throws: ``CatalogueError`` when the file cannot be read.
    /// - Returns: the best first.
    public func search(
        _ text: String,
        limit: Int = 20,
        offset: Int = 0,
        lookingAt most: Int? = nil
    ) throws -> [BookRecord] {
        let folded = FoldedText.key(String(text.prefix(200)))
        let (limit, offset) = (max(0, limit), max(0, offset))
        guard !folded.isEmpty, limit > 0 else { return [] }
        return try read { database in
            let first = try Self.beginning(with: folded, limit, offset, in: database)
            guard first.count < limit else { return first }
            // The many books of a common word are ranked only after the titles that begin with it are used up.
            let sql = "SELECT count(*) FROM book WHERE foldedTitle >= ? AND foldedTitle < ?"
            let before = try Int.fetchOne(database, sql: sql, arguments: [folded, Self.end(of: folded)]) ?? 0
            return try first
                + Self.containing(folded, limit - first.count, max(0, offset - before), most, in: database)
        }
    }

    private static func beginning(
        with folded: String,
        _ limit: Int,
        _ offset: Int,
        in database: Database
    ) throws -> [BookRecord] {
        // Many titles begin with "the": only the index's entries are read.
        let ids = try Int64.fetchAll(
            database,
            sql: """
                SELECT id FROM book WHERE foldedTitle >= ? AND foldedTitle < ?
                ORDER BY foldedTitle <> ?, popularity DESC, length(foldedTitle), id LIMIT ? OFFSET ?
                """,
            arguments: [folded, end(of: folded), folded, limit, offset]
        )
        return try books(ids: ids, in: database)
    }

    private static func containing(
        _ folded: String,
        _ limit: Int,
        _ offset: Int,
        _ most: Int?,
        in database: Database
    ) throws -> [BookRecord] {
        // The trigram index has nothing shorter; a short word beside longer ones only narrows by the longer ones.
        let terms = folded.split(separator: " ").filter { $0.unicodeScalars.count >= 3 }.map { "\"\($0)\"" }
        guard !terms.isEmpty else { return [] }
        let query = terms.joined(separator: " AND ")
        let isOther = "NOT (book.foldedTitle >= ? AND book.foldedTitle < ?)"
        if let most {
            let rest = """
                FROM (SELECT rowid FROM bookText WHERE bookText MATCH ? LIMIT ?) AS found
                JOIN book ON book.id = found.rowid WHERE \(isOther)
                ORDER BY book.popularity DESC, book.id LIMIT ? OFFSET ?
                """
            return try books(rest, [query, most, folded, end(of: folded), limit, offset], in: database)
        }
        let rest = """
            FROM bookText JOIN book ON book.id = bookText.rowid WHERE bookText MATCH ? AND \(isOther)
            ORDER BY round(bookText.rank), book.popularity DESC, bookText.rank, book.id LIMIT ? OFFSET ?
            """
        return try books(rest, [query, folded, end(of: folded), limit, offset], in: database)
    }

    /// Returns the end of all texts with that beginning, in SQLite's order of bytes.
    private static func end(of folded: String) -> String { folded + "\u{10FFFF}" }

    /// Returns other books of the same series and by the same first author, those of the series first.
    ///
    /// - Throws: ``CatalogueError`` when the file cannot be read.
    /// - Returns: the most popular first; one edition of each.
    public func related(to book: BookRecord, limit: Int = 10) throws -> [BookRecord] {
        let ofSeries = try book.series.map { try works(where: "foldedSeries", FoldedText.key($0), limit + 1) }
        let ofAuthor = try book.authors.first.map { try works(where: "authorKey", FoldedText.key($0), 2 * limit + 1) }
        let found = (ofSeries ?? []) + (ofAuthor ?? [])
        var seen = Set([BookIdentity(book).titleKey])
        let others = found.filter { $0.id != book.id && seen.insert(BookIdentity($0).titleKey).inserted }
        return Array(others.prefix(max(0, limit)))
    }

    /// Returns the books whose first author has just that name, without case and accents.
    ///
    /// - Throws: ``CatalogueError`` when the file cannot be read.
    /// - Returns: the most popular first; one edition of each.
    public func books(author: String, limit: Int = 200) throws -> [BookRecord] {
        try works(where: "authorKey", FoldedText.key(author), limit)
    }

    /// Returns the books of the series with just that name, without case and accents.
    ///
    /// - Throws: ``CatalogueError`` when the file cannot be read.
    /// - Returns: the most popular first; one edition of each.
    public func books(series: String, limit: Int = 200) throws -> [BookRecord] {
        try works(where: "foldedSeries", FoldedText.key(series), limit)
    }

    private func works(where column: String, _ key: String, _ limit: Int) throws -> [BookRecord] {
        guard !key.isEmpty, limit > 0 else { return [] }
        let rest = "FROM book WHERE \(column) = ? ORDER BY popularity DESC, year, id LIMIT ?"
        let found = try read { try Self.books(rest, [key, 4 * limit], in: $0) }
        var seen: Set<String?> = []
        return Array(found.filter { seen.insert(BookIdentity($0).titleKey).inserted }.prefix(limit))
    }
}
