import Basics
import Foundation
import GRDB

/// Writes the tables of a catalogue.
enum CatalogueWriter {
    /// Writes the books and the index of their texts into an empty database.
    ///
    /// - Throws: `DatabaseError`.
    static func write(_ books: [BookRecord], name: String, sources: [CatalogueSource], to database: Database) throws {
        try CatalogueSchema.create(in: database)
        var digest = ContentDigest()
        for (index, var book) in books.enumerated() {
            digest.add(book)
            book.id = Int64(index + 1)
            try CatalogueRow(book).insert(database)
        }
        try CatalogueSchema.index(database)
        let information = CatalogueInformation(
            schemaVersion: CatalogueSchema.version,
            name: name,
            books: books.count,
            booksWithISBN: books.count { $0.isbn != nil },
            booksWithAuthor: books.count { !$0.authors.isEmpty },
            sources: sources,
            contentDigest: digest.text
        )
        try database.execute(
            sql: "INSERT INTO information VALUES ('catalogue', ?)",
            arguments: [String(decoding: try JSONEncoder().encode(information), as: UTF8.self)]
        )
    }

    /// Returns the information that ``write(_:name:sources:to:)`` noted.
    ///
    /// - Throws: ``StoreError`` when it is not there.
    static func information(in database: Database) throws -> CatalogueInformation {
        let text = try String.fetchOne(database, sql: "SELECT value FROM information WHERE key = 'catalogue'")
        guard let text, let known = try? JSONDecoder().decode(CatalogueInformation.self, from: Data(text.utf8)) else {
            throw StoreError.unusable(path: database.description, problem: "is damaged; \(CatalogueSchema.advice)")
        }
        return known
    }
}

/// A digest of books in their order: FNV-1a of 64 bits over their fields.
///
/// It distinguishes catalogues; it is not secure against deliberate collisions.
struct ContentDigest {
    private var hash = FNV1a()

    /// Digest as `fnv1a64:` and sixteen hexadecimal digits.
    var text: String { "fnv1a64:" + digits }

    var digits: String { String(format: "%016llx", hash.value) }

    mutating func add(_ data: Data) { data.withUnsafeBytes { hash.append($0) } }

    mutating func add(_ book: BookRecord) {
        add(book.title)
        for author in book.authors { add(author) }
        add(book.isbn?.digits)
        add(book.series)
        if let number = book.seriesNumber { add(String(number)) }
        add(book.publisher)
        add(book.year.map(String.init))
        add(book.language)
        add(book.coverURL)
        add(book.popularity.map { "\($0)" })
    }

    private mutating func add(_ field: String?) {
        hash.append((field ?? "").utf8)
        // Ends a field; no UTF-8 has this byte.
        hash.append(0xFF)
    }
}
