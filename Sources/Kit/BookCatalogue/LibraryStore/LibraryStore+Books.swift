public import Basics
public import Foundation
import GRDB

extension LibraryStore {
    /// Returns all books, the first scanned first.
    public func books() throws -> [LibraryBook] {
        try read { try Self.books("ORDER BY addedAt, id", in: $0) }
    }

    /// Returns the book of a row; nil without one.
    public func book(id: Int64) throws -> LibraryBook? {
        try read { try Self.book(id, in: $0) }
    }

    /// Returns the book with a number; nil without one.
    public func book(isbn: ISBN) throws -> LibraryBook? {
        try read { try Self.books("WHERE isbn = ?", [isbn.digits], in: $0).first }
    }

    /// Returns the book of a catalogue's record, in whatever edition; nil without one.
    public func book(sameAs record: BookRecord) throws -> LibraryBook? {
        if let isbn = record.isbn, let book = try book(isbn: isbn) { return book }
        return try read { database in
            try Self.books("WHERE mainTitle = ? ORDER BY id", [BookIdentity(record).mainTitle], in: database)
                .first { BookIdentity.isSame($0.record, record) }
        }
    }

    /// Returns the books whose title or authors have `text` in them, the last scanned first; case does not count,
    /// accents do in authors.
    public func books(containing text: String, limit: Int = 200) throws -> [LibraryBook] {
        let folded = FoldedText.key(text)
        guard !folded.isEmpty, limit > 0 else { return [] }
        return try read { database in
            try Self.books(
                """
                WHERE instr(mainTitle, :folded) OR instr(lower(title), :text) OR instr(lower(authors), :text)
                ORDER BY addedAt DESC, id LIMIT :limit
                """,
                ["folded": folded, "text": text.lowercased(), "limit": limit],
                in: database
            )
        }
    }

    /// Returns the books that were scanned in a span of time, the first scanned first.
    public func books(addedIn span: Range<Date>) throws -> [LibraryBook] {
        let ends = [span.lowerBound.timeIntervalSince1970, span.upperBound.timeIntervalSince1970]
        return try read {
            try Self.books("WHERE addedAt >= ? AND addedAt < ? ORDER BY addedAt, id", StatementArguments(ends), in: $0)
        }
    }

    /// Adds a book, or its new data to an existing one.
    ///
    /// A book exists if its row does (`id`), its ISBN, or else its main title and an author. No known data is lost;
    /// the states decide on fields that both have: enriched beats review beats ghost.
    @discardableResult
    public func upsert(_ book: LibraryBook) throws -> LibraryBook {
        try write { try Self.upsert(book, in: $0) }
    }

    static func upsert(_ book: LibraryBook, in database: Database) throws -> LibraryBook {
        var merged = book
        var rows: [LibraryBook] = []
        if book.id != 0, let own = try Self.book(book.id, in: database) { rows.append(own) }
        // Two rows turn out to be one book when a ghost gets the ISBN of another.
        if let isbn = book.isbn {
            rows += try books("WHERE isbn = ? AND id <> ?", [isbn.digits, book.id], in: database)
        }
        // Likewise when a row turns out to be of another book, which is there already.
        if !rows.contains(where: { BookIdentity.isSame($0.record, book.record) }),
            let same = try sameTitle(as: book, in: database)
        {
            rows.append(same)
        }
        guard !rows.isEmpty else {
            merged.id = 0
            try merged.insert(in: database)
            merged.id = database.lastInsertedRowID
            return merged
        }
        rows.sort { $0.id < $1.id }
        var kept = rows[0]
        for other in rows.dropFirst() {
            kept = kept.merged(with: other)
            try database.execute(
                sql: "UPDATE draft SET bookID = ? WHERE bookID = ?",
                arguments: [kept.id, other.id]
            )
            try database.execute(sql: "DELETE FROM book WHERE id = ?", arguments: [other.id])
        }
        merged = kept.merged(with: book)
        try merged.update(in: database)
        return merged
    }

    static func book(_ id: Int64, in database: Database) throws -> LibraryBook? {
        try books("WHERE id = ?", [id], in: database).first
    }

    /// Returns the books of a query; `rest` follows the table's name.
    private static func books(
        _ rest: String,
        _ arguments: StatementArguments = [],
        in database: Database
    ) throws -> [LibraryBook] {
        try Row.fetchAll(database, sql: "SELECT * FROM book \(rest)", arguments: arguments).map(LibraryBook.init(row:))
    }

    /// Returns the book with the same title and author, unless an ISBN shows that it is another edition.
    private static func sameTitle(as book: LibraryBook, in database: Database) throws -> LibraryBook? {
        guard let mainTitle = book.identity.mainTitle else { return nil }
        let found = try books("WHERE mainTitle = ? ORDER BY id", [mainTitle], in: database)
            .filter { $0.isbn == nil || book.isbn == nil || $0.isbn == book.isbn }
            .filter { BookIdentity.isSame($0.record, book.record) }
        let sharing = found.filter { $0.authors.isEmpty == book.authors.isEmpty }
        // Without an author, the title alone decides only if it is unique.
        return sharing.first ?? (found.count == 1 ? found[0] : nil)
    }
}

extension LibraryBook {
    init(row: Row) {
        self.init(
            id: row["id"],
            title: row["title"],
            authors: (row["authors"] as String).split(separator: "\n").map(String.init),
            isbn: (row["isbn"] as String?).flatMap { ISBN($0) },
            coverURL: row["coverURL"],
            publisher: row["publisher"],
            year: row["year"],
            format: row["format"],
            addedAt: Date(timeIntervalSince1970: row["addedAt"]),
            spineConfidence: row["spineConfidence"],
            tier: Tier(rawValue: row["tier"]) ?? .fast,
            enrichment: Enrichment(name: row["enrichment"]),
            state: State(rawValue: row["state"]) ?? .review
        )
    }

    private var columns: [(name: String, value: (any DatabaseValueConvertible)?)] {
        [
            ("title", title), ("authors", authors.joined(separator: "\n")), ("isbn", isbn?.digits),
            ("mainTitle", identity.mainTitle), ("coverURL", coverURL), ("publisher", publisher), ("year", year),
            ("format", format), ("addedAt", addedAt.timeIntervalSince1970), ("spineConfidence", spineConfidence),
            ("tier", tier.rawValue), ("enrichment", enrichment.rawValue), ("state", state.rawValue),
        ]
    }

    fileprivate func insert(in database: Database) throws {
        let names = columns.map(\.name).joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        try database.execute(
            sql: "INSERT INTO book (\(names)) VALUES (\(places))",
            arguments: StatementArguments(columns.map(\.value))
        )
    }

    fileprivate func update(in database: Database) throws {
        let names = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
        try database.execute(
            sql: "UPDATE book SET \(names) WHERE id = ?",
            arguments: StatementArguments(columns.map(\.value) + [id])
        )
    }
}
