public import Basics
import Foundation
import GRDB

/// A list of books in an SQLite file, to be searched and matched.
///
/// Any number of threads may read at the same time; nothing is ever written.
public final class BookCatalogue: Sendable {
    private let reader: any DatabaseReader
    private let path: String
    /// Information of the catalogue about itself.
    public let information: CatalogueInformation

    /// Opens the catalogue in a file.
    ///
    /// - Throws: ``StoreError`` when it is not a catalogue, is of a later version, damaged, or cannot be read.
    public convenience init(path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "catalogue"
        configuration.busyMode = .timeout(2)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw StoreError.unusable(
                path: path,
                problem: "does not exist; \(CatalogueSchema.advice)"
            )
        }
        if isFolder.boolValue {
            throw StoreError.unusable(path: path, problem: "is a folder; specify a catalogue file")
        }
        let pool = try Self.explaining(path) {
            let pool = try DatabasePool(path: path, configuration: configuration)
            if let problem = try pool.read(CatalogueSchema.problem) {
                throw StoreError.unusable(path: path, problem: problem)
            }
            return pool
        }
        try self.init(pool, path: path)
    }

    /// Creates a catalogue in memory.
    ///
    /// - Throws: ``StoreError`` when memory is short.
    public convenience init(books: [BookRecord], name: String) throws {
        try self.init(books: books, name: name, sources: [])
    }

    convenience init(books: [BookRecord], name: String, sources: [CatalogueSource]) throws {
        let queue = try Self.explaining(name) {
            let queue = try DatabaseQueue(configuration: Configuration())
            try queue.write { database in
                try CatalogueWriter.write(books, name: name, sources: sources, to: database)
                try MatchIndexBuilder(books).write(to: database)
            }
            return queue
        }
        try self.init(queue, path: name)
    }

    private init(_ reader: any DatabaseReader, path: String) throws {
        self.reader = reader
        self.path = path
        information = try Self.explaining(path) { try reader.read { try CatalogueWriter.information(in: $0) } }
    }

    /// Number of books; their ids are 1 to this number.
    public var count: Int { information.books }

    /// Returns the book of a row; nil without one.
    public func book(id: Int64) throws -> BookRecord? {
        try books(ids: [id]).first
    }

    /// Returns the books of some rows, in the order of `ids`; missing ones are omitted.
    public func books(ids: [Int64]) throws -> [BookRecord] {
        try read { try Self.books(ids: ids, in: $0) }
    }

    static func books(ids: [Int64], in database: Database) throws -> [BookRecord] {
        try ids.compactMap { try CatalogueRow.fetchOne(database, key: $0)?.book }
    }

    /// Returns the books with a number, the most popular first.
    public func books(isbn: ISBN) throws -> [BookRecord] {
        try read { try Self.books("FROM book WHERE isbn = ? ORDER BY popularity DESC, id", [isbn.digits], in: $0) }
    }

    /// Returns the books of a query; `rest` begins with FROM.
    static func books(_ rest: String, _ arguments: StatementArguments, in database: Database) throws -> [BookRecord] {
        try CatalogueRow.fetchAll(database, sql: "SELECT book.* \(rest)", arguments: arguments).map(\.book)
    }

    /// Reads tables of the file, those of the matcher's index among them.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.explaining(path) { try reader.read(body) }
    }

    static func explaining<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path, kind: "catalogue", advice: CatalogueSchema.advice)
        }
    }
}
