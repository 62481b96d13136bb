import Basics
import Foundation
import GRDB
import Synchronization
import Testing

@testable import BookCatalogue

@Suite struct LibraryFileTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/library-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    /// Each opening has a separate lock, like each of several processes.
    @Test func aNewLibraryMayBeOpenedByManyAtOnce() throws {
        try withFolder { folder in
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                do {
                    _ = try LibraryStore(path: folder + "/library.sqlite").books()
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(failures.withLock { $0 } == [])
        }
    }

    @Test func whatWasWrittenIsThereAgain() throws {
        try withFolder { folder in
            let path = folder + "/a/b/library.sqlite"
            let book = LibraryBook(
                title: "Dune: a novel",
                authors: ["Frank Herbert", "X"],
                isbn: ISBN("0441172717"),
                coverURL: "https://example.org",
                publisher: "Ace",
                year: 1965,
                format: "paperback",
                addedAt: LibraryStoreTests.time,
                spineConfidence: 0.25,
                tier: .upload,
                enrichment: .notFound,
                state: .review
            )
            let stored = try LibraryStore(path: path).upsert(book)
            let again = try LibraryStore(path: path)
            #expect(try again.books() == [stored])
            #expect(try again.book(isbn: #require(ISBN("0441172717"))) == stored)
            var expected = book
            expected.id = stored.id
            #expect(stored == expected)
        }
    }

    /// Until version 5, names of authors had line ends between.
    @Test func anEarlierLibraryHasTheSameAuthors() throws {
        let queue = try DatabaseQueue()
        try LibrarySchema.migrator.migrate(queue, upTo: "4: what was shown")
        try queue.write {
            for authors in ["Frank Herbert\nA \"B\" \\ /C", ""] {
                try $0.execute(
                    sql:
                        "INSERT INTO book (title, authors, addedAt, tier, enrichment, state) VALUES (?, ?, 0, ?, ?, ?)",
                    arguments: ["Dune", authors, "fast", "not_found", "ghost"]
                )
            }
        }
        try LibrarySchema.migrator.migrate(queue)
        let books = try queue.read { try BookRow.fetchAll($0).map(\.book) }
        #expect(books.map(\.authors) == [["Frank Herbert", "A \"B\" \\ /C"], []])
        #expect(
            books.map(\.enrichment) == [.notFound, .notFound] && books[0].addedAt == Date(timeIntervalSince1970: 0)
        )
    }

    @Test func twoConnectionsWriteTheSameFile() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/library-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/library.sqlite"
        let stores = try (0..<2).map { _ in try LibraryStore(path: path) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    for index in 0..<20 {
                        let title = "Book \(index)"
                        try store.upsert(LibraryBook(title: title, addedAt: LibraryStoreTests.time, tier: .fast))
                        try store.enqueue(text: title, id: UUID(), createdAt: LibraryStoreTests.time + Double(number))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try stores[0].books().count == 20)
        #expect(try stores[1].waitingScans().count == 40)
    }

    @Test func whatIsNoLibraryIsRefused() throws {
        try withFolder { folder in
            let path = folder + "/library.sqlite"
            _ = try LibraryStore(path: path)
            func expect(_ reason: String) throws {
                let error = #expect(throws: StoreError.self) { try LibraryStore(path: path) }
                #expect("\(try #require(error))".contains(reason))
            }
            try DatabaseQueue(path: path).write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99: x')") }
            try expect("later version")
            for name in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + name) }
            try Data(repeating: 0x55, count: 4_096).write(to: URL(filePath: path))
            try expect("is not a library")
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try expect(path)
        }
    }
}
