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

    @Test func theServersWaitIsAMinimum() {
        #expect(RetryPolicy.seed.delay(afterFailures: 1, minimum: .seconds(5)) == .seconds(5))
        #expect(RetryPolicy.seed.delay(afterFailures: 3, minimum: .seconds(2)) == .seconds(4))
        #expect(RetryPolicy.seed.delay(afterFailures: 4, minimum: .seconds(5)) == nil)
    }

    @Test func aWaitThatIsTooLongEndsTheAttempts() {
        #expect(RetryPolicy.seed.delay(afterFailures: 1, minimum: .seconds(30)) == .seconds(30))
        #expect(RetryPolicy.seed.delay(afterFailures: 1, minimum: .seconds(31)) == nil)
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

    @Test func theLongestWaitCounts() {
        let now = Date(timeIntervalSince1970: 784_111_777)
        func wait(_ header: String?, _ milliseconds: Int? = nil, date: String? = nil) -> Duration? {
            RetryAfter.wait(header: header, date: date, milliseconds: milliseconds, now: now)
        }
        #expect(wait(nil) == nil)
        #expect(wait("3") == .seconds(3))
        #expect(wait("0") == .zero)
        #expect(wait("3", 3500) == .milliseconds(3500))
        #expect(wait(nil, 200) == .milliseconds(200))
        #expect(wait("Sun, 06 Nov 1994 08:49:47 GMT") == .seconds(10))
        // The server's own clock, if it reports it.
        #expect(wait("Sun, 06 Nov 1994 08:49:47 GMT", date: "Sun, 06 Nov 1994 08:49:42 GMT") == .seconds(5))
        #expect(wait("Sun, 06 Nov 1994 08:49:07 GMT") == .zero)
        #expect(wait("-3") == nil)
        #expect(wait("99999999999999999999999999") == .seconds(86_400))
        #expect(wait(nil, -5) == nil)
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

    @Test func aTrialThatNeverReportsBackIsReplaced() {
        var breaker = CircuitBreaker(configuration: .init(failures: 1, pause: .seconds(30)))
        breaker.failed(at: .zero)
        #expect(breaker.permit(at: .seconds(30)) == nil)
        #expect(breaker.permit(at: .seconds(60)) == nil)
    }

    @Test func lateFailuresDoNotMakeThePauseLonger() {
        var breaker = CircuitBreaker(configuration: .init(failures: 1, pause: .seconds(30)))
        breaker.failed(at: .zero)
        breaker.failed(at: .seconds(20))
        #expect(breaker.state == .open(until: .seconds(30)))
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

@Suite struct BookListTests {
    /// Two copies and two unknown spines, each reported twice: with an outline, and lite.
    @Test func onAShelfEveryPlaceIsABook() {
        var list = BookList(window: .seconds(60))
        let corner = NormalizedPoint(x: 0, y: 0)
        for outline in [[corner, corner, corner, corner], nil] {
            for (index, title) in ["Dune", "", "Dune", ""].enumerated() {
                let place = SpinePlace(row: 1, index: index + 1, outline: outline)
                _ = list.take(BookMetadata(title: title, place: place), at: .zero)
            }
        }
        #expect(list.books.map(\.title) == ["Dune", "", "Dune", ""])
        #expect(list.books.allSatisfy { $0.place?.outline?.count == 4 })
    }

    @Test func aBookThatComesTwiceIsOne() {
        var list = BookList(window: .seconds(60))
        let first = BookMetadata(title: "Emma", authors: ["Jane Austen"], confidence: 0.5, enrichmentStatus: .pending)
        let second = BookMetadata(title: "EMMA", authors: ["jane austen"], isbn: "9780141439587", publisher: "Penguin")
        #expect(list.take(first, at: .zero) == true)
        #expect(list.take(second, at: .seconds(10)) == false)
        #expect(list.books.count == 1)
        #expect(list.books.first?.isbn == "9780141439587")
        #expect(list.books.first?.confidence == 0.5)
        #expect(list.books.first?.publisher == "Penguin")
    }

    @Test func anotherNumberIsAnotherBook() {
        var list = BookList(window: .seconds(60))
        #expect(list.take(BookMetadata(title: "Emma", isbn: "9780141439587"), at: .zero) == true)
        #expect(list.take(BookMetadata(title: "Emma", isbn: "9780743273565"), at: .zero) == true)
        #expect(
            list.take(BookMetadata(title: "Emma (Penguin Classics)", isbn: "978-0-14-143958-7"), at: .zero) == false
        )
        #expect(list.take(BookMetadata(title: "Emma", authors: ["Another"]), at: .zero) == true)
        #expect(list.books.count == 3)
    }

    @Test func afterTheWindowABookIsNewsAgainButStillOneBook() {
        var list = BookList(window: .seconds(60))
        let book = BookMetadata(title: "Emma")
        #expect(list.take(book, at: .zero) == true)
        #expect(list.take(book, at: .seconds(59)) == false)
        #expect(list.take(book, at: .seconds(60)) == true)
        #expect(list.take(book, at: .seconds(119)) == false)
        #expect(list.books.count == 1)
    }
}
