import ArgumentParser
import Basics
import BookCatalogue
import Foundation
import ServerSupport
import Synchronization
import Talaria
import TestSupport
import Testing

@testable import Captures
@testable import TalariaServer

/// Books of a real back end in this process, and of servers that are none.
@Suite(.inTurns, .endsWhatHangs) struct TalariaBookTests {
    private static let books = [
        BookRecord(
            title: "Dune",
            authors: ["Frank Herbert"],
            isbn: ISBN("978-0-441-17271-9"),
            publisher: "Ace",
            year: 1990,
            coverURL: "https://covers.example/dune.jpg"
        ),
        BookRecord(title: "Emma", authors: ["Jane Austen"], year: 1815),
        BookRecord(title: "Persuasion", authors: ["Jane Austen"]),
    ]

    private final class Transfers: Sendable {
        private let kept = Mutex<[Transfer]>([])
        var all: [Transfer] { kept.withLock { $0 } }
        func add(_ transfer: Transfer) { kept.withLock { $0.append(transfer) } }
    }

    /// Asks a back end with the three books, one question after the other.
    private func ask(
        _ queries: [EnrichmentQuery],
        allowsPrivate: Bool = true
    ) async throws -> (outcomes: [ProviderAnswer.Outcome], transfers: [Transfer]) {
        let server = try TalariaServer(
            configuration: .parse(["--port", "0", "--rate-limit", "off"]),
            catalogue: BookCatalogue(books: Self.books, name: "test"),
            reader: PhotoReader { _, _ in [] },
            now: { Date() }
        )
        let transfers = Transfers()
        let outcomes = Mutex<[ProviderAnswer.Outcome]>([])
        try await serving(until: server.shutdown, run: server.run) { client in
            let url = try #require(URL(string: "http://localhost:\(client.port)"))
            let provider = TalariaBookProvider(
                url: url,
                allowsPrivate: allowsPrivate,
                clock: ManualClock(),
                onTransfer: transfers.add
            )
            let enricher = Enricher([provider], clock: ManualClock())
            for query in queries {
                let answers = await enricher.enrich(query) { _ in }
                outcomes.withLock { $0 += answers.map(\.outcome) }
            }
        }
        return (outcomes.withLock { $0 }, transfers.all)
    }

    private func query(
        _ kind: ItemKind,
        isbn: String? = nil,
        title: String? = nil,
        _ authors: [String] = []
    )
        -> EnrichmentQuery
    {
        var query = EnrichmentQuery(kind: kind, time: Date())
        (query.isbn, query.title, query.authors) = (isbn, title, authors)
        return query
    }

    @Test func aBookByItsNumber() async throws {
        let (outcomes, transfers) = try await ask([query(.qrCode, isbn: "9780441172719")])
        guard case .answered(let data)? = outcomes.first else {
            Issue.record("\(outcomes)")
            return
        }
        let book = try #require(data.bookContext)
        #expect(book.title == "Dune" && book.authors == ["Frank Herbert"] && book.isbn == "9780441172719")
        #expect(book.publisher == "Ace" && book.year == 1990)
        #expect(data.title == "Dune" && data.categories == ["Books"] && data.image == "https://covers.example/dune.jpg")
        let transfer = try #require(transfers.first)
        #expect(transfers.count == 1)
        #expect(transfer.endpoint == .search && transfer.contentClass == .text && transfer.status == 200)
        #expect(transfer.host == "localhost" && transfer.bytesUp > 100 && transfer.bytesDown > 100)
    }

    @Test func aBookByTitleAndAuthor() async throws {
        let (outcomes, transfers) = try await ask([
            query(.book, title: "emma", ["Jane Austen"]),
            query(.book, isbn: "9780000000002", title: "Emma", ["Jane Austen"]),
            // The back end is not sure by so short a title alone.
            query(.book, title: "Emma", []),
            // Another author; an unknown title; a title without a word; an unknown number.
            query(.book, title: "Emma", ["Frank Herbert"]), query(.book, title: "Gone with the Wind", []),
            query(.book, title: "…", []), query(.qrCode, isbn: "9780000000002"),
        ])
        let titles = outcomes.map { outcome -> String in
            if case .answered(let data) = outcome { return data.bookContext?.title ?? "?" }
            return outcome == .nothing ? "-" : "\(outcome)"
        }
        #expect(titles == ["Emma", "Emma", "-", "-", "-", "-", "-"])
        #expect(transfers.map(\.endpoint) == [.enrich, .search, .enrich, .enrich, .enrich, .enrich, .enrich, .search])
    }

    @Test func aPrivateAddressIsAskedOnlyWhereAllowed() async throws {
        let (outcomes, transfers) = try await ask([query(.qrCode, isbn: "9780441172719")], allowsPrivate: false)
        guard case .failed(let reason)? = outcomes.first else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(reason.contains("private network"))
        #expect(transfers.allSatisfy { $0.bytesUp == 0 && $0.bytesDown == 0 })
    }

    /// 503 is worth another try, an answer of another server and a page of a portal are not.
    @Test(arguments: [
        (RecordedServer.Answer(status: 503, body: "{}"), true), (.init(status: 429, body: "{}"), true),
        (.init(body: "<html>"), false), (.init(status: 404, body: "{}"), false), (.init(body: "[]"), false),
        (.init(status: 302, location: "https://portal.example"), false),
        (.init(body: "{\"books\":[\(String(repeating: " ", count: 2 << 20))]}"), false),
    ])
    func errorsAreMapped(answer: RecordedServer.Answer, isTransient: Bool) async throws {
        let server = RecordedServer(["/v3/books/search": answer])
        let query = query(.qrCode, isbn: "9780441172719")
        try await server.run { base in
            let provider = TalariaBookProvider(url: base, allowsPrivate: true, clock: ManualClock()) { server.note($0) }
            do {
                _ = try await provider.enrich(query)
                Issue.record("it answered")
            } catch EnrichmentError.busy {
                #expect(isTransient)
            } catch EnrichmentError.refused {
                #expect(!isTransient)
            }
        }
        #expect(server.requests.map(\.path) == ["/v3/books/search"])
        #expect(server.transfers.map(\.status) == [answer.status])
    }

    @Test func aServerThatIsNotThere() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let provider = TalariaBookProvider(url: url, allowsPrivate: true, clock: ManualClock(), onTransfer: { _ in })
        let query = query(.qrCode, isbn: "9780441172719")
        await #expect {
            _ = try await provider.enrich(query)
        } throws: { error in
            if case EnrichmentError.busy(let reason, _) = error { reason.contains("127.0.0.1") } else { false }
        }
    }
}
