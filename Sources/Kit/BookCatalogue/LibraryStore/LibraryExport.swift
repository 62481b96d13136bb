import Basics
import Foundation

/// The books of a library for other programs.
public enum LibraryExport {
    /// Returns a table with a header: RFC 4180, with LF.
    ///
    /// A text that a spreadsheet would take for a formula has an apostrophe before it: titles come off photos and
    /// from servers, and must not be executed when the file is opened.
    public static func csv(_ books: [LibraryBook]) -> String {
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
        return ([header] + rows).map { CSV.line($0, guardsFormulas: true) }.joined()
    }

    /// Returns an array of objects with the names of ``LibraryBook``'s properties; dates as ISO 8601.
    ///
    /// - Throws: `EncodingError` for a confidence that is not a number.
    public static func json(_ books: [LibraryBook]) throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(books), as: UTF8.self) + "\n"
    }
}
