import Basics
import Foundation

/// The books of a library for other programs, and its drafts: read spines without a book.
public enum LibraryExport {
    /// Returns a table with a header: RFC 4180, with LF.
    ///
    /// A text that a spreadsheet would take for a formula has an apostrophe before it: titles come off photos and
    /// from servers, and must not be executed when the file is opened. A draft has its lines as the title, and the state
    /// `draft`.
    public static func csv(_ books: [LibraryBook], drafts: [Draft] = []) -> String {
        let header = [
            "title", "authors", "isbn", "publisher", "year", "format", "cover_url", "added_at", "spine_confidence",
            "tier", "enrichment", "state",
        ]
        let rows = books.map { book in
            [
                book.title, book.authors.joined(separator: "; "), book.isbn?.digits ?? "", book.publisher ?? "",
                book.year.map(String.init) ?? "", book.format ?? "", book.coverURL ?? "",
                book.addedAt.formatted(.iso8601), book.spineConfidence.map { "\($0)" } ?? "", book.tier.rawValue,
                book.enrichment.rawValue, book.state.rawValue,
            ]
        }
        let others = drafts.map { draft in
            [draft.lines.joined(separator: " / ")] + [String](repeating: "", count: 6)
                + [
                    draft.createdAt.formatted(.iso8601), draft.confidence.map { "\($0)" } ?? "", draft.tier.rawValue,
                    "",
                    "draft",
                ]
        }
        return ([header] + rows + others).map { CSV.line($0, guardsFormulas: true) }.joined()
    }

    private enum Entry: Encodable {
        case book(LibraryBook)
        case draft(Draft)

        private enum CodingKeys: CodingKey { case state }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .book(let book): try book.encode(to: encoder)
            case .draft(let draft):
                try draft.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode("draft", forKey: .state)
            }
        }
    }

    /// Returns an array of objects with the names of ``LibraryBook``'s properties, and of ``Draft``'s with the state
    /// `draft`; dates as ISO 8601.
    ///
    /// - Throws: `EncodingError` for a confidence that is not a number.
    public static func json(_ books: [LibraryBook], drafts: [Draft] = []) throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let entries = books.map { Entry.book($0) } + drafts.map { Entry.draft($0) }
        return String(decoding: try encoder.encode(entries), as: UTF8.self) + "\n"
    }
}
