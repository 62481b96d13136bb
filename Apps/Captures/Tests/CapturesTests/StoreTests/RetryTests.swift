import Basics
import Foundation
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import Captures

/// Items wait for nobody's server but their own, and what failed is asked again.
@Suite(.inTurns, .endsWhatHangs) struct RetryTests {
    /// Source whose outcomes are given, one for each time that it is asked; the last one stays.
    private func scripted(_ id: SourceID, _ script: Result<String, EnrichmentError>...) -> Source {
        Source(id) { _, asked in
            Facts(title: try script[min(asked, script.count - 1)].get(), descriptionText: id.rawValue)
        }
    }

    private static func failed(_ reason: String, isPassing: Bool = true, wait: Double? = nil) -> SourceAnswer {
        let problem = SourceProblem(source: .link, reason: reason, isPassing: isPassing, wait: wait)
        return SourceAnswer(source: .link, failure: problem)
    }

    private static let late = Result<String, EnrichmentError>.failure(.postponed("a.example failed before"))

    /// A picture whose source failed for a passing reason: the source alone is asked again, the picture is not read.
    @Test func whatFailedIsAskedAgainAlone() async throws {
        let store = try CaptureStore.inMemory()
        let blank = RasterImage(width: 40, height: 40, channels: 1, pixels: Array(repeating: 255, count: 1_600))
        let item = try store.captured(ImageCodec.encodePNG(blank))
        let (good, bad) = (scripted(.link, .success("Tea")), scripted(.books, Self.late, .success("Coffee")))
        try await store.process([bad, good])
        var kept = try #require(try store.item(item.id))
        #expect(kept.state == .incomplete && kept.problems.map(\.source) == [.books] && kept.problems[0].isPassing)
        let retryAt = try #require(kept.retryAt)
        #expect(abs(retryAt.timeIntervalSinceNow - 60) < 55)
        #expect(try store.sessions(limit: 1).map(\.incomplete) == [1])
        // Not before its time.
        #expect(try !store.isWaiting(at: Date()) && store.isWaiting(at: retryAt + 1))
        #expect(try store.startNext(at: Date()) == nil)
        let taken = try #require(try store.startNext(at: retryAt + 1))
        #expect(taken.item.asks == [.books] && taken.lane == nil)
        // A killed process leaves it in work; it waits again, for the same source.
        _ = try store.beginProcessing()
        #expect(try store.item(item.id)?.asks == [.books] && store.item(item.id)?.state == .queued)
        try await store.process([bad, good])
        kept = try #require(try store.item(item.id))
        #expect(kept.state == .ready && kept.problems.isEmpty && kept.retryAt == nil)
        // The source that answered was asked once, and the picture was read once.
        #expect(good.queries.count == 1 && bad.queries.count == 2)
        #expect(kept.log.count { $0.stage == "read" } == 1)
        // The source that is asked again has less trust than the one that answered.
        #expect(kept.enrichment.title == "Tea" && kept.answers.first?.facts.title == "Tea")
    }

    @Test func pausesGrowAndEnd() throws {
        var item = CapturedItem(sessionID: UUID(), kind: .web, capturedAt: Date(timeIntervalSince1970: 0))
        let late = Self.failed("late")
        item.answers.keep(late)
        var pauses: [TimeInterval?] = []
        for _ in 0..<9 {
            item.planRetry(after: [late], at: Date(timeIntervalSince1970: 0))
            pauses.append(item.retryAt?.timeIntervalSince1970)
        }
        // 5^0 to 5^4 minutes, then days.
        #expect(pauses == [60, 300, 1_500, 7_500, 37_500, 86_400, 86_400, 86_400, nil])
        let gone = Self.failed("404", isPassing: false)
        item.answers.keep(gone)
        item.planRetry(after: [gone], at: Date())
        #expect(item.retryAt == nil && item.problems.count == 1)
    }

    /// RFC 9110, 10.2.3: the wait that a server asks for is kept where it is longer than the pause.
    @Test(arguments: [(30.0, 60.0), (900, 900)]) func aServersWaitIsKept(wait: Double, pause: Double) {
        var item = CapturedItem(sessionID: UUID(), kind: .web, capturedAt: Date(timeIntervalSince1970: 0))
        let busy = Self.failed("503", wait: wait)
        item.answers.keep(busy)
        item.planRetry(after: [busy], at: Date(timeIntervalSince1970: 0))
        #expect(item.retryAt?.timeIntervalSince1970 == pause)
    }

    /// A program without the source leaves the item to one that has it.
    @Test func aTryCountsOnlyWhereTheSourceIsAsked() async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(address: "https://a.example/x")
        try await store.process([scripted(.link, .failure(.busy("503")))])
        let busy = Self.failed("503")
        try store.update(item.id) { $0.planRetry(after: [busy], at: Date(timeIntervalSince1970: 0)) }
        let before = try #require(try store.item(item.id))
        #expect(try store.isWaiting(at: Date()) && !store.isWaiting(at: Date(), asking: [.weather]))
        try await store.process([scripted(.weather, .success("Sunny"))])
        #expect(try store.item(item.id) == before)
        // Nor does one that it may not be asked now; the item waits as long as its host.
        var late = Self.failed("wait", wait: 9_000)
        late.failure?.isUnasked = true
        var waiting = before
        waiting.answers.keep(late)
        waiting.planRetry(after: [late], at: Date(timeIntervalSince1970: 0))
        #expect(waiting.retryCount == before.retryCount && waiting.retryAt == Date(timeIntervalSince1970: 9_000))
    }

    @Test func oneCallAsksAgain() async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(address: "https://a.example/x")
        #expect(try !store.retry(item: UUID()))
        let source = scripted(.link, .failure(.refused("404")), .success("Tea"))
        try await store.process([source])
        #expect(try store.item(item.id)?.state == .incomplete)
        #expect(try store.retry(item: item.id))
        try await store.process([source])
        #expect(try store.item(item.id)?.state == .ready && store.item(item.id)?.title == "Tea")
        #expect(try !store.retry(item: item.id) && store.retry(session: item.sessionID) == 0)
    }

    /// Two items of a silent host are in work; others do not wait for it.
    @Test func aSilentHostHoldsNobodyElseUp() async throws {
        let state = Mutex((silent: 0, most: 0, others: 0))
        let (others, other) = AsyncStream.makeStream(of: Void.self)
        let source = Source(.link) { query, _ in
            guard query.url?.host() == "silent.example" else {
                state.withLock { $0.others += 1 }
                if state.withLock({ $0.others }) == 3 { other.finish() }
                return Facts(title: "Answered")
            }
            state.withLock { ($0.silent, $0.most) = ($0.silent + 1, max($0.most, $0.silent + 1)) }
            // It answers when all others have.
            for await _ in others {}
            state.withLock { $0.silent -= 1 }
            return Facts(title: "At last")
        }
        let store = try CaptureStore.inMemory()
        for number in 0..<5 { try store.captured(address: "https://silent.example/\(number)") }
        for host in ["a", "b", "c"] { try store.captured(address: "https://\(host).example/") }
        try await store.process([source])
        #expect(state.withLock { $0.most } == 2 && source.queries.count == 8)
        #expect(try store.counts().unfinished == 0)
    }
}
