import Basics
import Foundation
import GRDB

/// Makes a catalogue of book lists.
///
/// All books are in memory until the file is written, some 500 bytes each.
package struct CatalogueBuilder: Sendable {
    private let name: String
    private let columns: [BookField: String]
    private var merger = BookMerger()
    /// Duplicates of mergers that ``keep(_:)`` has replaced.
    private var earlierDuplicates = 0
    /// Books that ``sample(_:seed:)`` always includes.
    private var pinned: Set<Int> = []
    private var sources: [CatalogueSource] = []
    private var authorNames: [String: String] = [:]

    package var duplicates: Int { earlierDuplicates + merger.duplicates }
    package var books: [BookRecord] { merger.books }
    package var count: Int { merger.books.count }

    package init(name: String, columns: [BookField: String] = [:]) {
        self.name = name
        self.columns = columns
    }

    /// Reads the authors out of a dump of Open Library, whose books only have their keys.
    ///
    /// - Throws: ``CatalogueError`` when the file cannot be read.
    package mutating func addAuthors(of path: String) throws {
        let list = try MappedList(path)
        try list.withBytes { bytes in
            guard case .openLibrary = try ListFormat.guess(bytes, path: path) else { return }
            var splitter = RecordSplitter(.lines, from: 0)
            let type = Array("/type/author\t".utf8)
            while true {
                let spans = splitter.next(Self.batch, in: bytes)
                if spans.isEmpty { return }
                for span in spans where bytes[span.range].starts(with: type) {
                    let row = UnsafeBufferPointer(rebasing: bytes[span.range])
                    if let author = try? OpenLibraryRow(row).author() { authorNames[author.key] = author.name }
                }
            }
        }
    }

    /// Reads a list; bad rows are counted and skipped.
    ///
    /// - Parameters:
    ///   - path: of the list.
    ///   - limit: maximum number of rows to read; nil for all.
    ///   - progress: called after each batch with the number of bytes read and the total; throws to stop.
    /// - Throws: ``CatalogueError`` when the file cannot be read, and the errors of `progress`.
    /// - Returns: the counts of the import.
    @discardableResult
    package mutating func add(
        list path: String,
        limit: Int? = nil,
        progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> ListReport {
        let list = try MappedList(path)
        return try list.withBytes { bytes in
            try add(bytes, path: path, limit: limit, progress: progress)
        }
    }

    mutating func add(
        _ bytes: UnsafeBufferPointer<UInt8>,
        path: String,
        limit: Int?,
        progress: (_ done: Int, _ total: Int) throws -> Void
    ) throws -> ListReport {
        var parser = try ListParser(bytes, columns: columns, path: path)
        parser.authorNames = authorNames
        var report = ListReport(path: path, format: parser.format, mapping: parser.mapping?.lines ?? [])
        var splitter = parser.splitter(in: bytes)
        while true {
            let spans = splitter.next(min(Self.batch, limit.map { $0 - report.rows } ?? .max), in: bytes)
            guard let last = spans.last else { break }
            for (span, outcome) in zip(spans, Self.parsed(spans, parser, bytes)) { take(outcome, span, &report) }
            try progress(last.range.upperBound, bytes.count)
        }
        let file = URL(filePath: path).lastPathComponent
        sources.append(CatalogueSource(name: file, format: "\(report.format)", rows: report.rows))
        return report
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
    /// - Throws: ``CatalogueError`` when it cannot be written.
    package func write(to path: String, partial: String? = nil) throws {
        let partial = partial ?? Self.partialPath(of: path)
        do {
            let queue = try emptyDatabase(partial, for: path)
            try BookCatalogue.explaining(path) {
                // The two indices take about as long; each has a core.
                let work = concurrentMap(2) { part in
                    Result<MatchIndexBuilder?, any Error> {
                        if part == 1 { return MatchIndexBuilder(books) }
                        try queue.write { try CatalogueWriter.write(books, name: name, sources: sources, to: $0) }
                        return nil
                    }
                }
                for index in try work.compactMap({ try $0.get() }) { try queue.write { try index.write(to: $0) } }
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
            throw CatalogueError.operation(
                path: path,
                problem: "cannot be written: \(String(cString: strerror(errno)))"
            )
        }
    }

    /// Returns a catalogue in memory.
    ///
    /// - Throws: ``CatalogueError`` when memory is short.
    package func inMemory() throws -> BookCatalogue {
        try BookCatalogue(books: merger.books, name: name, sources: sources)
    }

    /// Returns the path of the incomplete file of ``write(to:)``.
    package static func partialPath(of path: String) -> String { path + ".partial" }

    private static let batch = 1 << 14

    private mutating func take(_ outcome: ListParser.Outcome, _ span: RecordSplitter.Span, _ report: inout ListReport) {
        report.rows += 1
        switch outcome {
        case .book(let listed, let hasWrongISBN):
            report.books += 1
            report.wrongISBNs += hasWrongISBN ? 1 : 0
            merger.add(listed)
        case .bad(let reason):
            report.badRows += 1
            if report.listed.count < ListReport.listedMaximum {
                report.listed.append(BadRow(path: report.path, line: span.line, reason: reason))
            }
        case .other: report.others += 1
        }
    }

    private static func parsed(
        _ spans: [RecordSplitter.Span],
        _ parser: ListParser,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> [ListParser.Outcome] {
        let share = 1 << 9
        // The bytes outlive the call and are never written.
        nonisolated(unsafe) let bytes = bytes
        return concurrentMap((spans.count + share - 1) / share) { part in
            spans[part * share..<min((part + 1) * share, spans.count)].map { parser.parse($0, in: bytes) }
        }.flatMap(\.self)
    }

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
