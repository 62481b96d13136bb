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
        var rows = try books("WHERE id = ?", [book.id], in: database)
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
        rows.sort { $0.id < $1.id }
        guard var kept = rows.first else {
            var new = book
            new.id = 0
            try BookRow(new).insert(database)
            new.id = database.lastInsertedRowID
            return new
        }
        for other in rows.dropFirst() {
            kept = kept.merged(with: other)
            try database.execute(sql: "UPDATE draft SET bookID = ? WHERE bookID = ?", arguments: [kept.id, other.id])
            try BookRow.deleteOne(database, key: other.id)
        }
        kept = kept.merged(with: book)
        try BookRow(kept).update(database)
        return kept
    }

    static func book(_ id: Int64, in database: Database) throws -> LibraryBook? {
        try BookRow.fetchOne(database, key: id)?.book
    }

    /// Returns the books of a query; `rest` follows the table's name.
    private static func books(
        _ rest: String,
        _ arguments: StatementArguments = [],
        in database: Database
    ) throws -> [LibraryBook] {
        try BookRow.fetchAll(database, sql: "SELECT * FROM book \(rest)", arguments: arguments).map(\.book)
    }

    /// Returns the book with the same title and author, unless an ISBN shows that it is another edition.
    private static func sameTitle(as book: LibraryBook, in database: Database) throws -> LibraryBook? {
        let found = try books("WHERE mainTitle = ? ORDER BY id", [book.identity.mainTitle], in: database).filter {
            ($0.isbn == nil || book.isbn == nil || $0.isbn == book.isbn) && BookIdentity.isSame($0.record, book.record)
        }
        let sharing = found.filter { $0.authors.isEmpty == book.authors.isEmpty }
        // Without an author, the title alone decides only if it is unique.
        return sharing.first ?? (found.count == 1 ? found[0] : nil)
    }
}
