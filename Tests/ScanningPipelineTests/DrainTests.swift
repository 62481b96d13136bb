import Basics
import Foundation
import ScanningPolicies
import Synchronization
import TestSupport
import Testing

@testable import BookCatalogue
@testable import ScanningPipeline
@testable import Talaria

@Suite(.inTurns) struct DrainTests {
    @Test func theOldestIsSentFirstAndNothingIsLeft() async throws {
        let stage = try Stage(.hybrid, local: nil)
        stage.backEnd.failure = unreachable
        let ids = (0..<3).map { _ in UUID() }
        for id in ids { _ = try await stage.session.scan(photo: tinyPNG, name: "\(id)", id: id) }
        #expect(try stage.store.waitingScans().map(\.id) == ids)
        stage.backEnd.failure = nil
        let order = Mutex<[UUID]>([])
        let report = try await stage.session.drain { id, _ in order.withLock { $0.append(id) } }
        #expect(report == DrainReport(done: 3))
        #expect(order.withLock { $0 } == ids)
        // Three spines of one book are one book.
        #expect(try stage.store.books().map(\.title) == ["Dune"] && stage.store.drafts().isEmpty)
    }

    @Test func aPictureThatIsReadLateAndNotNamedIsADraft() async throws {
        let stage = try Stage(.talariaOnly, remoteLines: [RemoteLine(text: "WINTER HARBOUR")]) { _ in [] }
        stage.backEnd.failure = unreachable
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.status == .queued)
        stage.backEnd.failure = nil
        #expect(try await stage.session.drain() == DrainReport(done: 1))
        #expect(try stage.store.drafts().map(\.lines) == [["WINTER HARBOUR"]])
        #expect(try stage.store.waitingScans().isEmpty)
    }

    /// Waiting scans with the back end's fault for each, and the requests of a drain.
    ///
    /// Without the network one is enough, and a portal costs three; a broken answer and a refusal keep no other waiting.
    @Test(
        "a drain goes on while other scans may have answers",
        arguments: [
            ([unreachable, nil, nil], DrainReport(left: 3, stopped: "\(unreachable)"), 1),
            (
                [.refused(operation: "x", ProblemDetails(status: 413, code: .fileTooLarge)), nil],
                DrainReport(done: 1, failed: 1), 2
            ),
            (Array(repeating: foreignAnswers[0], count: 5), DrainReport(left: 5, stopped: "\(foreignAnswers[0])"), 3),
            ([foreignAnswers[0], nil, nil], DrainReport(done: 2, left: 1), 3),
        ] as [([TalariaError?], DrainReport, Int)]
    )
    func drain(faults: [TalariaError?], report: DrainReport, requests: Int) async throws {
        let ids = faults.map { _ in UUID() }
        let fault = Mutex(Dictionary(uniqueKeysWithValues: zip(ids, faults)))
        let stage = try Stage(.talariaOnly) { question in
            if case .picture(let id) = question, let fault = fault.withLock({ $0[id] ?? nil }) { throw fault }
            return [dune]
        }
        stage.backEnd.failure = unreachable
        for id in ids { _ = try await stage.session.scan(photo: tinyPNG, name: "a", id: id) }
        stage.backEnd.failure = nil
        #expect(try await stage.session.drain() == report)
        #expect(stage.backEnd.questions.count == ids.count + requests)
        #expect(try stage.store.failedScans().count == report.failed)
        fault.withLock { $0 = [:] }
        #expect(try await stage.laterSession().drain() == DrainReport(done: report.left))
        #expect(try stage.store.books().map(\.title) == ["Dune"])
    }

    @Test func aScanThatWasGivenUpIsSentAgainWhenItsOwnerSaysSo() async throws {
        let stage = try Stage(.hybrid, local: nil)
        stage.backEnd.failure = .refused(operation: "x", ProblemDetails(status: 422, code: .noTextDetected))
        let id = try await stage.session.scan(photo: tinyPNG, name: "a").id
        #expect(try await stage.session.drain() == DrainReport())
        stage.backEnd.failure = nil
        #expect(try stage.store.retry(id))
        #expect(try await stage.session.drain() == DrainReport(done: 1))
        #expect(try stage.store.books().map(\.title) == ["Dune"] && stage.store.failedScans().isEmpty)
    }

    @Test func aLimitEndsTheDrainAndSaysWhenToGoOn() async throws {
        let stage = try Stage(.hybrid, local: nil)
        stage.backEnd.failure = .rateLimited(RateLimitState(endpoint: .enrich, remaining: .seconds(42)))
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect(scan.status == .queued && scan.retryAfter == .seconds(42))
        #expect(try stage.store.waitingScans()[0].notBefore == Date(timeIntervalSince1970: 1_042))
        #expect(try await stage.session.drain() == DrainReport(left: 1))
    }

    /// A process that is killed leaves its files and nothing else: a second library on them is the next start.
    @Test(arguments: [ScanStrategy.hybrid, .talariaOnly])
    func aKilledScanIsThereAtTheNextStart(_ variant: ScanStrategy) async throws {
        let folder = try TemporaryFolder()
        let store = try LibraryStore(path: folder("library.sqlite"))
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let stage = try Stage(variant, local: nil, store: store) { _ in
            ask.yield()
            try await Task.sleep(for: .seconds(3_600))
            return []
        }
        let session = stage.session
        let task = Task { try await session.scan(photo: tinyPNG, name: "a") }
        for await _ in asked { break }
        let next = try Stage(variant, local: nil, store: LibraryStore(path: folder("library.sqlite")))
        #expect(try await next.session.drain() == DrainReport(done: 1))
        #expect(try next.store.books().map(\.title) == ["Dune"] && next.store.drafts().isEmpty)
        task.cancel()
        _ = await task.result
    }

    @Test func twoDrainsAtOnceSendEachScanOnce() async throws {
        let stage = try Stage(.hybrid, local: nil) { _ in
            await Task.yield()
            return [dune]
        }
        stage.backEnd.failure = .refused(operation: "x", ProblemDetails(status: 503))
        for _ in 0..<10 { _ = try await stage.session.scan(photo: tinyPNG, name: "a") }
        stage.backEnd.failure = nil
        async let one = stage.session.drain()
        async let other = stage.session.drain()
        let done = try await (one.done, other.done)
        #expect(done.0 + done.1 == 10)
        #expect(stage.backEnd.questions.count == 20)
    }

    @Test func aDrainThatIsCancelledLetsGoOfItsScan() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let stage = try Stage(.hybrid, local: nil) { _ in
            ask.yield()
            try await Task.sleep(for: .seconds(3_600))
            return []
        }
        stage.backEnd.failure = .refused(operation: "x", ProblemDetails(status: 503))
        _ = try await stage.session.scan(photo: tinyPNG, name: "a")
        stage.backEnd.failure = nil
        let session = stage.session
        let task = Task { try await session.drain() }
        for await _ in asked { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await Stage(.hybrid, local: nil, store: stage.store).session.drain() == DrainReport(done: 1))
    }

    @Test func anAnswerThatIsTakenInTwiceIsOneBook() async throws {
        let stage = try Stage(.hybrid, local: nil)
        stage.backEnd.failure = unreachable
        let id = try await stage.session.scan(photo: tinyPNG, name: "a").id
        // Killed after the book was written and before the scan was marked done.
        try stage.store.resolveDraft(
            id,
            as: LibraryBook(title: "Dune", addedAt: Date(timeIntervalSince1970: 0), tier: .enrich, state: .enriched)
        )
        let next = try Stage(.hybrid, local: nil, store: stage.store)
        #expect(try await next.session.drain() == DrainReport(done: 1))
        #expect(try stage.store.books().count == 1)
    }

    /// The owner has seen a title that the device was sure of: a late answer adds to that book alone.
    ///
    /// An unsure one, and none, give way.
    @Test(
        arguments: [
            (("Dune", 0.95), "Emma", ["Dune"], nil), (("Dune", 0.95), "Dune", ["Dune"], dune.coverURL),
            (("Dune", 0.7), "Emma", ["Emma"], dune.coverURL), (nil, "Emma", ["Emma"], dune.coverURL),
            (("Dune", 0.95), nil, ["Dune"], nil),
        ] as [((String, Double)?, String?, [String], String?)]
    )
    func aSureBookIsNotOverwrittenLate(
        local: (String, Double)?,
        remote: String?,
        titles: [String],
        cover: String?
    ) async throws {
        let stage = try Stage(.hybrid, lines: ["DUNE", "EMMA"], local: local) { _ in
            var answer = dune
            (answer.title, answer.isbn) = (remote ?? "", nil)
            if remote == nil { answer.enrichmentStatus = .notFound }
            return [answer]
        }
        stage.backEnd.failure = unreachable
        let scan = try await stage.session.scan(photo: tinyPNG, name: "a")
        #expect((scan.book != nil) == ((local?.1 ?? 0) > 0.9))
        stage.backEnd.failure = nil
        #expect(try await stage.session.drain() == DrainReport(done: 1))
        let books = try stage.store.books()
        #expect(books.map(\.title) == titles && books.map(\.coverURL) == [cover])
        #expect(try stage.store.drafts().isEmpty && stage.store.waitingScans().isEmpty)
    }

    /// Faults in random order: every spine ends as one book, with any faults on its way.
    @Test(arguments: 0..<40)
    func nothingIsLostOrDoubled(_ seed: Int) async throws {
        let random = Mutex(SplitMix64(state: UInt64(seed)))
        let stage = try Stage(ScanStrategy.allCases.filter(\.needsBackEnd)[seed % 3], local: nil) { question in
            switch random.withLock({ Int.random(in: 0..<6, using: &$0) }) {
            case 0: throw unreachable
            case 1: throw TalariaError.timedOut(operation: "x", after: .seconds(1))
            case 2: throw TalariaError.refused(operation: "x", ProblemDetails(status: 503))
            case 3: throw TalariaError.rateLimited(RateLimitState(endpoint: .enrich, remaining: .zero))
            case 4: throw TalariaError.circuitOpen(host: "h", retryAfter: .zero)
            default: return [dune]
            }
        }
        let store = stage.store
        for index in 0..<5 { _ = try await stage.session.scan(photo: tinyPNG, name: "\(index)") }
        let online = try Stage(stage.session.strategy, local: nil, store: store)
        let later = try online.laterSession()
        _ = try await later.drain()
        #expect(try store.waitingScans().isEmpty && store.failedScans().isEmpty && store.drafts().isEmpty)
        #expect(try store.books().map(\.title) == ["Dune"])
    }
}

extension Stage {
    /// Returns the same session a day later, when every pause is over.
    func laterSession() throws -> ScanSession {
        try ScanSession(
            strategy: session.strategy,
            reader: LocalReader(reader),
            matcher: nil,
            backEnd: backEnd,
            store: store,
            ledger: ledger,
            deviceID: UUID(),
            now: { Date(timeIntervalSince1970: 90_000) }
        )
    }
}
