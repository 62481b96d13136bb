public import Foundation
import GRDB

extension LibraryStore {
    /// Adds a ghost entry to the library; an existing one, resolved or not, is unchanged.
    ///
    /// It replaces an open draft of the same picture: a photo scanned again is not a second spine. If the scan of
    /// that draft still waits for the back end, its draft waits with it, and nothing is added.
    public func add(_ draft: Draft) throws {
        try write { database in
            if let picture = draft.picture {
                let others = "picture = ? AND state = 'open' AND id <> ?"
                let arguments: StatementArguments = [picture, draft.id.uuidString]
                let sql = """
                    SELECT EXISTS (SELECT 1 FROM draft JOIN scan USING (id) WHERE picture = ? AND draft.state = 'open'
                        AND draft.id <> ? AND scan.state = 'waiting')
                    """
                guard try Bool.fetchOne(database, sql: sql, arguments: arguments) != true else { return }
                try database.execute(sql: "DELETE FROM draft WHERE \(others)", arguments: arguments)
            }
            try DraftRow(draft).insert(database, onConflict: .ignore)
        }
    }

    /// Returns the unresolved drafts, the oldest first.
    public func drafts() throws -> [Draft] {
        try read {
            try DraftRow.fetchAll($0, sql: "SELECT * FROM draft WHERE state = 'open' ORDER BY createdAt, rowid")
                .map(\.draft)
        }
    }

    /// Resolves a draft to a new book, or to an existing one that gains the new data.
    ///
    /// A draft that was resolved before is resolved again: the book gains the data of the second answer, and nothing
    /// is duplicated.
    @discardableResult
    public func resolveDraft(_ id: UUID, as book: LibraryBook) throws -> LibraryBook {
        try write { database in
            var book = book
            if book.id == 0 {
                let sql = "SELECT bookID FROM draft WHERE id = ?"
                book.id = try Int64.fetchOne(database, sql: sql, arguments: [id.uuidString]) ?? 0
                // Two spines were taken for one book: the result for this one does not apply to the other.
                if try Self.isOthersToo(book, draft: id, in: database) { book.id = 0 }
            }
            let kept = try Self.upsert(book, in: database)
            try database.execute(
                sql: "UPDATE draft SET state = 'resolved', bookID = ? WHERE id = ?",
                arguments: [kept.id, id.uuidString]
            )
            return kept
        }
    }

    /// Returns whether the row that a book would change is of another book, and another draft became that one too.
    private static func isOthersToo(_ book: LibraryBook, draft: UUID, in database: Database) throws -> Bool {
        guard let kept = try Self.book(book.id, in: database), !BookIdentity.isSame(kept.record, book.record) else {
            return false
        }
        let sql = "SELECT EXISTS (SELECT 1 FROM draft WHERE bookID = ? AND id <> ?)"
        return try Bool.fetchOne(database, sql: sql, arguments: [book.id, draft.uuidString]) ?? false
    }

    /// Removes a draft that is not a book.
    public func discardDraft(_ id: UUID) throws {
        try write("UPDATE draft SET state = 'discarded' WHERE id = ? AND state = 'open'", [id.uuidString])
    }
}
