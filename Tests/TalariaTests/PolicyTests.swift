import Foundation
import Synchronization
import Testing

@testable import Talaria

@Suite struct RetryPolicyTests {
    /// The figures are those of the requirements S2-28 and K-9.
    @Test(arguments: [
        (RetryPolicy.seed, [1, 2, 4]), (RetryPolicy.upstream, [2, 4]), (RetryPolicy.documented, [2, 4, 8]),
        (RetryPolicy.never, []),
    ]) func theWaitsAreThoseOfThePolicy(_ policy: RetryPolicy, _ seconds: [Int]) {
        let waits = (1...10).map { policy.delay(afterFailures: $0) }
        #expect(waits.compactMap { $0 } == seconds.map { .seconds($0) })
        #expect(waits.dropFirst(seconds.count).allSatisfy { $0 == nil })
        #expect(policy.delay(afterFailures: 0) == nil)
    }

    /// The server's wait is a minimum, and one that is too long ends the attempts.
    @Test(arguments: [(1, 5, 5), (3, 2, 4), (4, 5, nil), (1, 30, 30), (1, 31, nil)] as [(Int, Int, Int?)])
    func theServersWaitCounts(_ failures: Int, _ minimum: Int, _ wait: Int?) {
        let delay = RetryPolicy.seed.delay(afterFailures: failures, minimum: .seconds(minimum))
        #expect(delay == wait.map { .seconds($0) })
    }
}

@Suite struct RetryAfterTests {
    /// RFC 9110, section 5.6.7, gives this time in all three forms; the figure is that of `date -u +%s -d`.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ]) func datesInAllFormsOfHTTPAreRead(_ text: String) {
        #expect(RetryAfter.httpDate(text) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(arguments: [
        "", "tomorrow", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov", "1994-11-06",
    ]) func otherTextIsNoDate(_ text: String) {
        #expect(RetryAfter.httpDate(text) == nil)
    }

    @Test(
        arguments: [
            (nil, nil, nil, nil), ("3", nil, nil, 3000), ("0", nil, nil, 0), ("3", 3500, nil, 3500),
            (nil, 200, nil, 200), ("Sun, 06 Nov 1994 08:49:47 GMT", nil, nil, 10_000),
            // The server's own clock, if it reports it.
            ("Sun, 06 Nov 1994 08:49:47 GMT", nil, "Sun, 06 Nov 1994 08:49:42 GMT", 5000),
            ("Sun, 06 Nov 1994 08:49:07 GMT", nil, nil, 0), ("-3", nil, nil, nil),
            ("99999999999999999999999999", nil, nil, 86_400_000), (nil, -5, nil, nil),
        ] as [(String?, Int?, String?, Int?)]
    ) func theLongestWaitCounts(_ header: String?, _ milliseconds: Int?, _ date: String?, _ expected: Int?) {
        let now = Date(timeIntervalSince1970: 784_111_777)
        let wait = RetryAfter.wait(header: header, date: date, milliseconds: milliseconds, now: now)
        #expect(wait == expected.map { .milliseconds($0) })
    }
}

@Suite struct CircuitBreakerTests {
    @Test func itOpensAfterSoManyFailuresInARow() {
        var breaker = CircuitBreaker(configuration: .init(failures: 3, pause: .seconds(30)))
        for _ in 0..<2 { breaker.failed(at: .zero) }
        breaker.succeeded()
        for _ in 0..<2 { breaker.failed(at: .zero) }
        #expect(breaker.permit(at: .zero) == nil)
        breaker.failed(at: .seconds(10))
        #expect(breaker.state == .open(until: .seconds(40)))
        #expect(breaker.permit(at: .seconds(15)) == .seconds(25))
    }

    @Test func oneRequestTriesAfterThePause() {
        var breaker = CircuitBreaker(configuration: .init(failures: 1, pause: .seconds(30)))
        breaker.failed(at: .zero)
        #expect(breaker.permit(at: .seconds(30)) == nil)
        #expect(breaker.permit(at: .seconds(31)) == .seconds(29))
        breaker.failed(at: .seconds(32))
        #expect(breaker.permit(at: .seconds(33)) == .seconds(29))
        #expect(breaker.permit(at: .seconds(62)) == nil)
        breaker.succeeded()
        #expect(breaker.state == .closed(failures: 0))
    }

    /// A trial that never reports back is replaced, and late failures do not make the pause longer.
    @Test func thePauseEnds() {
        var breaker = CircuitBreaker(configuration: .init(failures: 1, pause: .seconds(30)))
        for second in [0, 20] { breaker.failed(at: .seconds(second)) }
        #expect(breaker.state == .open(until: .seconds(30)))
        for second in [30, 60] { #expect(breaker.permit(at: .seconds(second)) == nil) }
    }
}

@Suite struct StreamGateTests {
    /// Gate that holds its callers until it is opened.
    private final class Latch: Sendable {
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation
        init() { (stream, continuation) = AsyncStream.makeStream() }
        func open() { continuation.finish() }
        func pass() async { for await _ in stream {} }
    }

    /// Callers that passed, in order.
    private final class Order: Sendable {
        private let numbers = Mutex<[Int]>([])
        var all: [Int] { numbers.withLock { $0 } }
        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    private func until(_ gate: StreamGate, _ open: Int, _ waiting: Int) async {
        while await gate.counts != (open, waiting) { await Task.yield() }
    }

    @Test func theSixthWaitsAndTheFirstInLineGoesFirst() async throws {
        let gate = StreamGate(limit: 5)
        let order = Order()
        let latches = (0..<8).map { _ in Latch() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await gate.withPlace {
                        order.add(number)
                        await latches[number].pass()
                    }
                }
                while order.all.count != min(number + 1, 5) { await Task.yield() }
                await until(gate, min(number + 1, 5), max(0, number - 4))
            }
            for (leaving, count) in [(3, 6), (0, 7), (4, 8)] {
                latches[leaving].open()
                while order.all.count != count { await Task.yield() }
            }
            for latch in latches { latch.open() }
            try await group.waitForAll()
        }
        #expect(order.all == Array(0..<8))
        #expect(await gate.counts == (0, 0))
    }

    @Test func whoIsCancelledInLineLeavesIt() async throws {
        let gate = StreamGate(limit: 1)
        let latch = Latch()
        let holder = Task { try await gate.withPlace { await latch.pass() } }
        await until(gate, 1, 0)
        let waiter = Task { try await gate.withPlace {} }
        await until(gate, 1, 1)
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        #expect(await gate.counts == (1, 0))
        latch.open()
        try await holder.value
        try await gate.withPlace {}
        #expect(await gate.counts == (0, 0))
    }
}

@Suite struct RemoteBooksTests {
    /// Two copies and two unknown spines, each reported twice: with an outline, and lite.
    @Test func onAShelfEveryPlaceIsABook() {
        var list = RemoteBooks(window: .seconds(60))
        let corner = NormalizedPoint(x: 0, y: 0)
        for outline in [[corner, corner, corner, corner], nil] {
            for (index, title) in ["Dune", "", "Dune", ""].enumerated() {
                let place = SpinePlace(row: 1, index: index + 1, outline: outline)
                _ = list.add(BookMetadata(title: title, place: place), at: .zero)
            }
        }
        #expect(list.books.map(\.title) == ["Dune", "", "Dune", ""])
        #expect(list.books.allSatisfy { $0.place?.outline?.count == 4 })
    }

    @Test func aBookThatComesTwiceIsOne() {
        var list = RemoteBooks(window: .seconds(60))
        let first = BookMetadata(title: "Emma", authors: ["Jane Austen"], confidence: 0.5, enrichmentStatus: .pending)
        let second = BookMetadata(title: "EMMA", authors: ["jane austen"], isbn: "9780141439587", publisher: "Penguin")
        #expect(list.add(first, at: .zero) == true)
        #expect(list.add(second, at: .seconds(10)) == false)
        #expect(list.books.count == 1)
        #expect(list.books.first?.isbn == "9780141439587")
        #expect(list.books.first?.confidence == 0.5)
        #expect(list.books.first?.publisher == "Penguin")
    }

    @Test func anotherNumberIsAnotherBook() {
        var list = RemoteBooks(window: .seconds(60))
        #expect(list.add(BookMetadata(title: "Emma", isbn: "9780141439587"), at: .zero) == true)
        #expect(list.add(BookMetadata(title: "Emma", isbn: "9780743273565"), at: .zero) == true)
        #expect(
            list.add(BookMetadata(title: "Emma (Penguin Classics)", isbn: "978-0-14-143958-7"), at: .zero) == false
        )
        #expect(list.add(BookMetadata(title: "Emma", authors: ["Another"]), at: .zero) == true)
        #expect(list.books.count == 3)
    }

    @Test func afterTheWindowABookIsNewsAgainButStillOneBook() {
        var list = RemoteBooks(window: .seconds(60))
        let book = BookMetadata(title: "Emma")
        #expect(list.add(book, at: .zero) == true)
        #expect(list.add(book, at: .seconds(59)) == false)
        #expect(list.add(book, at: .seconds(60)) == true)
        #expect(list.add(book, at: .seconds(119)) == false)
        #expect(list.books.count == 1)
    }
}
