import Foundation
import GRDB

/// A book, with the title that it is found by.
struct BookRow: StoredRecord {
    static let databaseTableName = "book"
    var book: LibraryBook

    init(_ book: LibraryBook) { self.book = book }

    init(from decoder: any Decoder) throws { book = try LibraryBook(from: decoder) }

    private enum CodingKeys: CodingKey { case id, mainTitle }

    func encode(to encoder: any Encoder) throws {
        try book.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(book.id == 0 ? nil : book.id, forKey: .id)
        try container.encode(book.identity.mainTitle, forKey: .mainTitle)
    }
}

/// A draft; its state and its book are columns beside it.
struct DraftRow: StoredRecord {
    static let databaseTableName = "draft"
    var draft: Draft

    init(_ draft: Draft) { self.draft = draft }

    init(from decoder: any Decoder) throws { draft = try Draft(from: decoder) }

    func encode(to encoder: any Encoder) throws { try draft.encode(to: encoder) }
}

/// A scan of the queue; its state and its claim are columns beside it.
struct ScanRow: StoredRecord {
    static let databaseTableName = "scan"
    var id: UUID
    var createdAt: Date
    var text: String?
    /// Name of the picture's file.
    var file: String?
    var attempts = 0
    var lastError: String?
    var notBefore: Date?
}
