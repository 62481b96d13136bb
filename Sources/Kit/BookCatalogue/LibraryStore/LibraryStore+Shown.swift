public import Foundation
import GRDB

/// An item that an answer once showed, stored so that it always opens.
public struct ShownItem: Sendable, Equatable {
    /// URL of the item.
    public var id: String
    /// Content of the item as shown.
    public var json: String
    /// A PNG file; nil for none, or for one that had to go for newer ones.
    public var thumbnail: [UInt8]?

    /// Creates an item from its parts: see the properties.
    public init(id: String, json: String, thumbnail: [UInt8]? = nil) {
        (self.id, self.json, self.thumbnail) = (id, json, thumbnail)
    }
}

extension LibraryStore {
    /// Bytes that thumbnails may take together; the oldest go first.
    public static let mostThumbnailBytes = 64 << 20

    /// Stores the shown items, in one transaction; an earlier item keeps its thumbnail without a new one.
    public func remember(_ items: [ShownItem], at date: Date, mostBytes: Int = mostThumbnailBytes) throws {
        guard !items.isEmpty else { return }
        try write { database in
            for item in items {
                try database.execute(
                    sql: """
                        INSERT INTO shown (id, json, thumbnail, shownAt) VALUES (?, ?, ?, ?)
                        ON CONFLICT (id) DO UPDATE SET json = excluded.json, shownAt = excluded.shownAt,
                            thumbnail = coalesce(excluded.thumbnail, thumbnail)
                        """,
                    arguments: [item.id, item.json, item.thumbnail.map { Data($0) }, date.timeIntervalSince1970]
                )
            }
            try database.execute(
                sql: """
                    UPDATE shown SET thumbnail = NULL WHERE id IN (
                        SELECT id FROM (
                            SELECT id, sum(length(thumbnail)) OVER (ORDER BY shownAt DESC, id DESC) AS bytes
                            FROM shown WHERE thumbnail IS NOT NULL
                        ) WHERE bytes > ?
                    )
                    """,
                arguments: [mostBytes]
            )
        }
    }

    /// Returns the item shown under a URL; nil without one.
    public func shown(_ id: String) throws -> ShownItem? {
        try read { database in
            try Row.fetchOne(database, sql: "SELECT json, thumbnail FROM shown WHERE id = ?", arguments: [id]).map {
                row in
                ShownItem(id: id, json: row["json"], thumbnail: (row["thumbnail"] as Data?).map { [UInt8]($0) })
            }
        }
    }
}
