import ArgumentParser
import Basics
import BookCatalogue
import Captures
import Foundation

/// A catalogue of a hundred numbered books, each with an ISBN.
struct NumberedCatalogue {
    let catalogue: BookCatalogue
    let books: [(isbn: ISBN, title: String)]

    init() throws {
        books = (0..<100).compactMap { number in
            let digits = "9780000\(String(format: "%05d", number))"
            // One of the ten last digits is right.
            return (0..<10).lazy.compactMap { ISBN("\(digits)\($0)") }.first.map { ($0, NumberedBook(number).title) }
        }
        catalogue = try BookCatalogue(
            books: books.map { BookRecord(title: $0.title, authors: [], isbn: $0.isbn) },
            name: "check"
        )
    }
}

/// Worker that changes a store like a user and the pipeline, at random, and prints each action before and after it,
/// until it is killed.
struct SessionWorker: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "worker", shouldDisplay: false)

    @Option var store: String
    @Option var journal: String
    @Option var seed: UInt64

    func run() async throws {
        let numbered = try NumberedCatalogue()
        let store = try ContextStore(path: store)
        let journal = try Journal(path: journal)
        let pipeline = ContextPipeline(
            store: store,
            processor: IntelligenceProcessor(search: nil),
            enricher: Enricher([BookProvider(catalogue: numbered.catalogue)])
        )
        var random = SplitMix64(state: seed)
        while true {
            try await step(store, pipeline, numbered, journal, &random)
        }
    }

    private func step(
        _ store: ContextStore,
        _ pipeline: ContextPipeline,
        _ numbered: NumberedCatalogue,
        _ journal: Journal,
        _ random: inout SplitMix64
    ) async throws {
        let sessions = try store.sessions(limit: 1_000).map(\.id)
        let session = sessions.randomElement(using: &random)
        // More is deleted than copied once there is much.
        let chance = Int.random(in: 0..<100, using: &random)
        switch (chance, session) {
        case (..<40, _), (_, nil):
            let id = UUID()
            let book = numbered.books[Int.random(in: 0..<numbered.books.count, using: &random)]
            var new = NewCapture(kind: .image, capturedAt: Date())
            new.id = id
            new.picture = Data(try DrawnBarCode.png(book.isbn))
            new.pictureEnding = "png"
            new.filename = "\(id.uuidString)-\(book.isbn.digits).png"
            if chance % 2 == 0 { new.sessionID = session }
            try journal.add("capture", id)
            do {
                try store.capture(new)
                try journal.add("captured", id)
            } catch is ContextError { try journal.add("gone", id) }
        case (..<65, _):
            guard let turn = try store.beginProcessing() else { return }
            try await pipeline.processAll(turn: turn) { event in
                if case .ended(let item) = event, item.parentID == nil { try? journal.add("ended", item.id) }
            }
        case (..<72, let session?):
            let items = try store.items(of: session)
            let copy = UUID()
            try journal.add("copy", session, copy)
            try store.duplicate(session: session, as: copy, at: Date())
            try journal.add("copied", copy, items.count { $0.parentID == nil })
        case (..<80, let session?):
            let title = "T\(random.next())"
            try journal.add("rename", title, session)
            try store.update(session: session) { ($0.title, $0.titleSource) = (title, .user) }
            try journal.add("renamed", title, session)
        case (..<88, let session?):
            guard let item = try store.items(of: session).filter({ $0.parentID == nil }).randomElement(using: &random)
            else { return }
            try journal.add("delete", item.id, item.sessionID)
            try store.delete(item: item.id)
            try journal.add("deleted", item.id)
        case (_, let session?):
            guard chance >= 92 || sessions.count > 40 else { return }
            let items = try store.items(of: session).filter { $0.parentID == nil }
            try journal.add("forget", session)
            for item in items { try journal.add("delete", item.id) }
            try store.delete(session: session)
            try journal.add("forgotten", session)
        }
    }
}
