import Basics
import GRDB

extension BookCatalogue {
    /// Returns the books with the ISBN in `text`, or whose title or authors contain it: those with just that title first,
    /// then those whose title begins with it.
    ///
    /// Case, accents and punctuation do not count, so nothing in `text` is an operator; marks that distinguish words do,
    /// where a book has them ("C++"). Numbers, initials and abbreviations are found in each of their forms
    /// (``TypedQuery``). Words may be in any order; with less than three letters, only titles that begin with the text are
    /// found.
    ///
    /// `most`: maximum number of books read that only contain the text, the most popular ones first; nil for all of
    /// them, and those first whose names it makes up the most of. Of a million books, a common word has tens of
    /// thousands.
    ///
    /// - Throws: ``StoreError`` when the file cannot be read.
    /// - Returns: the best first.
    public func search(
        _ text: String,
        limit: Int = 20,
        offset: Int = 0,
        lookingAt most: Int? = nil
    ) throws -> [BookRecord] {
        let query = TypedQuery(text)
        let (limit, offset) = (max(0, limit), max(0, offset))
        guard limit > 0 else { return [] }
        func page<Value>(_ found: [Value]) -> [Value] { Array(found.dropFirst(offset).prefix(limit)) }
        if let books = try query.isbn.map(books(isbn:)), !books.isEmpty { return page(books) }
        return try read { database in
            let marked = try Self.marked(query, in: database)
            if !marked.isEmpty { return page(marked) }
            var (ids, seen) = ([Int64](), Set<Int64>())
            /// Adds the ids of a query while there are too few: it has at most those that are there besides.
            func add(_ sql: String, _ arguments: StatementArguments) throws {
                guard ids.count < offset + limit else { return }
                let arguments = arguments + [offset + limit + ids.count]
                ids += try Int64.fetchAll(database, sql: "SELECT \(sql) LIMIT ?", arguments: arguments)
                    .filter { seen.insert($0).inserted }
            }
            /// Adds the books that contain all terms of one of the forms.
            func addContaining(_ forms: [[String]]) throws {
                let match = Self.match(forms)
                if match.isEmpty { return }
                if let most {
                    try add(
                        """
                        book.id FROM (SELECT rowid FROM bookText WHERE bookText MATCH ? LIMIT ?) AS found
                        JOIN book ON book.id = found.rowid ORDER BY book.popularity DESC, book.id
                        """,
                        [match, most]
                    )
                } else {
                    try add(
                        """
                        book.id FROM bookText JOIN book ON book.id = bookText.rowid WHERE bookText MATCH ?
                        ORDER BY round(bookText.rank), book.popularity DESC, bookText.rank, book.id
                        """,
                        [match]
                    )
                }
            }
            for form in query.forms {
                // Many titles begin with "the": only the index's entries are read. No text has a greater character.
                try add(
                    """
                    id FROM book WHERE foldedTitle >= ? AND foldedTitle < ?
                    ORDER BY foldedTitle <> ?, popularity DESC, length(foldedTitle), id
                    """,
                    [form, form + "\u{10FFFF}", form]
                )
            }
            try addContaining(query.forms.map(Self.phrases))
            try addContaining(query.forms.map(Self.words))
            if ids.isEmpty { try addContaining(query.parted.map(Self.phrases)) }
            return try Self.books(ids: page(ids), in: database)
        }
    }

    /// Words of three letters or more: the trigram index has nothing shorter, so a short word beside longer ones narrows
    /// nothing.
    private static func words(of form: String) -> [String] {
        form.split(separator: " ").filter { $0.unicodeScalars.count >= 3 }.map(String.init)
    }

    /// Words with the short ones beside them: "j r r tolkien" is one phrase.
    private static func phrases(of form: String) -> [String] {
        var phrases: [String] = []
        for word in form.split(separator: " ") {
            if let last = phrases.last,
                last.unicodeScalars.count < 3 || last.split(separator: " ").allSatisfy({ $0.count < 3 })
            {
                phrases[phrases.count - 1] += " \(word)"
            } else {
                phrases.append(String(word))
            }
        }
        if phrases.count > 1, let last = phrases.last, last.split(separator: " ").allSatisfy({ $0.count < 3 }) {
            phrases[phrases.count - 2] += " \(phrases.removeLast())"
        }
        return phrases.filter { $0.unicodeScalars.count >= 3 }
    }

    private static func match(_ forms: [[String]]) -> String {
        forms.filter { !$0.isEmpty }.map { terms in "(" + terms.map { "\"\($0)\"" }.joined(separator: " AND ") + ")" }
            .joined(separator: " OR ")
    }

    /// Returns the books whose titles or names have the marked words of a query, and contain its others.
    private static func marked(_ query: TypedQuery, in database: Database) throws -> [BookRecord] {
        if query.marked.isEmpty { return [] }
        let others = match([words(of: query.forms.first ?? "")])
        let tests =
            (others.isEmpty ? [] : ["id IN (SELECT rowid FROM bookText WHERE bookText MATCH ?)"])
            + query.marked.map { _ in "instr(lower(title || char(10) || authors), ?)" }
        return try books(
            "FROM book WHERE \(tests.joined(separator: " AND ")) ORDER BY popularity DESC, length(title), id LIMIT 1000",
            StatementArguments((others.isEmpty ? [] : [others]) + query.marked),
            in: database
        ).filter(query.isMarked)
    }

    /// Returns other books of the same series and by the same first author, those of the series first.
    ///
    /// - Throws: ``StoreError`` when the file cannot be read.
    /// - Returns: the most popular first; one edition of each.
    public func related(to book: BookRecord, limit: Int = 10) throws -> [BookRecord] {
        let ofSeries = try book.series.map { try books(series: $0, limit: limit + 1) } ?? []
        let found = try ofSeries + (book.authors.first.map { try books(author: $0, limit: 2 * limit + 1) } ?? [])
        var seen = Set([BookIdentity(book).titleKey])
        let others = found.filter { $0.id != book.id && seen.insert(BookIdentity($0).titleKey).inserted }
        return Array(others.prefix(max(0, limit)))
    }

    /// Returns the books whose first author has just that name, without case and accents.
    ///
    /// - Throws: ``StoreError`` when the file cannot be read.
    /// - Returns: the most popular first; one edition of each.
    public func books(author: String, limit: Int = 200) throws -> [BookRecord] {
        try works(where: "authorKey", FoldedText.key(author), limit)
    }

    /// Returns the books of the series with just that name, without case and accents.
    ///
    /// - Throws: ``StoreError`` when the file cannot be read.
    /// - Returns: the most popular first; one edition of each.
    public func books(series: String, limit: Int = 200) throws -> [BookRecord] {
        try works(where: "foldedSeries", FoldedText.key(series), limit)
    }

    /// Returns whether a folded text is the name of a series, or its beginning, in which an author of a book has other works.
    func hasSeries(_ text: String, beside book: BookRecord) throws -> Bool {
        var words = BookIdentity.foldedWhole(text).split(separator: " ")
        while words.count > 1, let last = words.last, Self.kindsOfSeries.contains(last) { words.removeLast() }
        guard words.contains(where: { $0.utf8.count > 2 }) else { return false }
        let name = words.joined(separator: " ")
        let isNamed = "foldedSeries = ? OR foldedSeries >= ? AND foldedSeries < ?"
        let names = [name, "the \(name)"].flatMap { [$0, "\($0) ", "\($0)!"] }
        let rest = "FROM book WHERE \(isNamed) OR \(isNamed) LIMIT 100"
        let found = try read { try Self.books(rest, StatementArguments(names), in: $0) }
        let surnames = Set(book.authors.map(AuthorName.surname))
        return found.contains { other in
            !BookIdentity.isSame(other, book)
                && (surnames.isEmpty || other.authors.contains { surnames.contains(AuthorName.surname($0)) })
        }
    }

    private static let kindsOfSeries: Set<Substring> = ["saga", "series", "trilogy", "cycle", "quartet", "collection"]

    private func works(where column: String, _ key: String, _ limit: Int) throws -> [BookRecord] {
        guard !key.isEmpty, limit > 0 else { return [] }
        let rest = "FROM book WHERE \(column) = ? ORDER BY popularity DESC, year, id LIMIT ?"
        let found = try read { try Self.books(rest, [key, 4 * limit], in: $0) }
        var seen: Set<String?> = []
        return Array(found.filter { seen.insert(BookIdentity($0).titleKey).inserted }.prefix(limit))
    }
}
