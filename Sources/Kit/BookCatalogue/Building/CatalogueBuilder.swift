import Basics
package import Foundation
import GRDB

/// Makes a catalogue of book lists.
///
/// All books are in memory until the file is written, some 500 bytes each.
package struct CatalogueBuilder: Sendable {
    private let name: String
    private var merger = BookMerger()
    /// Duplicates of mergers that ``keep(_:)`` has replaced.
    private var earlierDuplicates = 0
    /// Books that ``sample(_:seed:)`` always includes.
    private var pinned: Set<Int> = []
    private var sources: [CatalogueSource] = []

    package var duplicates: Int { earlierDuplicates + merger.duplicates }
    package var books: [BookRecord] { merger.books }
    package var count: Int { merger.books.count }

    package init(name: String) { self.name = name }

    /// Adds the books of a table in the form of ``BookTable``, which `sources` have listed.
    package mutating func add(table: Data, of sources: [CatalogueSource]) {
        let books = BookTable.books(table)
        let share = 1 << 9
        let listed = concurrentMap((books.count + share - 1) / share) { part in
            books[part * share..<min((part + 1) * share, books.count)].map(ListedBook.init)
        }
        for book in listed.joined() { merger.add(book) }
        self.sources += sources
    }

    /// Adds books that the lists may lack.
    @discardableResult
    package mutating func add(_ books: [BookRecord], from source: String) -> Int {
        let before = merger.books.count
        // A printed title finds the record of a list, whatever its edition.
        let index = PrintedTitleIndex(merger.books)
        for book in books {
            let there = index.books(with: book.title, author: book.authors.first, in: merger.books)
            pinned.formUnion(there)
            if there.isEmpty { pinned.insert(merger.add(ListedBook(book))) }
        }
        sources.append(CatalogueSource(name: source, format: "dataset", rows: books.count))
        return merger.books.count - before
    }

    /// Removes all editions of some books: all records of the same work, and those of ``FurtherEditions``.
    @discardableResult
    package mutating func remove(_ books: [BookRecord]) -> Int {
        let index = PrintedTitleIndex(merger.books)
        let further = FurtherEditions(merger.books)
        let gone = Set(
            books.flatMap { book in
                // Any of several names finds an edition that lists only that one.
                let author = book.authors.isEmpty ? nil : book.authors.joined(separator: ", ")
                return index.books(with: book.title, author: author, in: merger.books) + further.indices(of: book)
            }
        )
        keep(merger.books.indices.filter { !gone.contains($0) })
        return gone.count
    }

    /// Keeps `count` books by chance; those of ``add(_:from:)`` are among them, even if they are more.
    ///
    /// With the same seed, a smaller sample is part of a larger one.
    package mutating func sample(_ count: Int, seed: UInt64) {
        let others = merger.books.indices.filter { !pinned.contains($0) }
            .map { (rank: ListedBook.titleHash(merger.books[$0], seed: seed), index: $0) }
            .sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }
        keep((others.prefix(max(0, count - pinned.count)).map(\.index) + pinned).sorted())
    }

    /// Writes the catalogue; a file that is there is replaced at the end, in one step.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - partial: of the file that it is in until it is whole, in the same folder; nil for ``partialPath(of:)``.
    /// - Throws: ``StoreError`` when it cannot be written.
    package func write(to path: String, partial: String? = nil) throws {
        let partial = partial ?? Self.partialPath(of: path)
        do {
            let queue = try emptyDatabase(partial, for: path)
            try BookCatalogue.explaining(path) {
                try queue.write { database in
                    try CatalogueWriter.write(books, name: name, sources: sources, to: database)
                    try MatchIndexBuilder(books).write(to: database)
                }
                try queue.close()
            }
            try Self.put(partial, at: path)
        } catch {
            try? FileManager.default.removeItem(atPath: partial)
            throw error
        }
    }

    private func emptyDatabase(_ partial: String, for path: String) throws -> DatabaseQueue {
        try? FileManager.default.removeItem(atPath: partial)
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            // The file is invisible before it is complete: a journal would only protect data that is discarded
            // anyway.
            try database.execute(
                sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536"
            )
        }
        return try BookCatalogue.explaining(path) { try DatabaseQueue(path: partial, configuration: configuration) }
    }

    /// Moves a complete file to its path, and replaces an existing one in one step.
    private static func put(_ partial: String, at path: String) throws {
        let handle = try FileHandle(forUpdating: URL(filePath: partial))
        try handle.synchronize()
        try handle.close()
        guard rename(partial, path) == 0 else {
            throw StoreError.operation(
                path: path,
                problem: "cannot be written: \(String(cString: strerror(errno)))"
            )
        }
    }

    /// Returns a catalogue in memory.
    ///
    /// - Throws: ``StoreError`` when memory is short.
    package func inMemory() throws -> BookCatalogue {
        try BookCatalogue(books: merger.books, name: name, sources: sources)
    }

    /// Returns the path of the incomplete file of ``write(to:)``.
    package static func partialPath(of path: String) -> String { path + ".partial" }

    private mutating func keep(_ indices: [Int]) {
        var kept = BookMerger()
        var stillPinned: Set<Int> = []
        for index in indices {
            let new = kept.add(ListedBook(merger.books[index]))
            if pinned.contains(index) { stillPinned.insert(new) }
        }
        earlierDuplicates += merger.duplicates
        (merger, pinned) = (kept, stillPinned)
    }
}
