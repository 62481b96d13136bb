import Synchronization
import Testing

@testable import SpineSynthesis

@Suite("Ordered work")
struct OrderedWorkTests {
    private struct Failure: Error, Equatable {
        var item: Int
    }

    @Test("results come in order whatever the number of threads", arguments: [1, 2, 7, 100])
    func order(_ threads: Int) throws {
        let items = Array(stride(from: 90, to: 0, by: -1))
        let work = OrderedWork(items, window: 5, isStopped: { false }) { item in
            // Unequal amounts of work, so that later items overtake.
            (0..<(item % 7) * 2_000).reduce(item) { $0 ^ $1 } & 0 | item * 2
        }
        var delivered: [Int] = []
        try work.run(threads: threads) { item, product in
            #expect(product == 2 * item)
            delivered.append(item)
        }
        #expect(delivered == items)
    }

    @Test("nothing to do ends at once")
    func empty() throws {
        let work = OrderedWork<Int>([], window: 4, isStopped: { false }) { $0 }
        try work.run(threads: 3) { _, _ in Issue.record("nothing can be delivered") }
    }

    @Test("no more than the window is begun before the first is delivered")
    func window() throws {
        let begun = Mutex(0)
        let most = Mutex(0)
        let work = OrderedWork(Array(0..<60), window: 6, isStopped: { false }) { item in
            begun.withLock { $0 += 1 }
            return item
        }
        var delivered = 0
        try work.run(threads: 2) { _, _ in
            let waiting = begun.withLock { $0 } - delivered
            most.withLock { $0 = max($0, waiting) }
            delivered += 1
        }
        #expect(delivered == 60)
        #expect(most.withLock { $0 } <= 6)
    }

    @Test("a failure comes after the results before it")
    func failure() {
        let work = OrderedWork(Array(0..<50), window: 8, isStopped: { false }) { item in
            if item >= 20 { throw Failure(item: item) }
            return item
        }
        var delivered: [Int] = []
        #expect(throws: Failure(item: 20)) { try work.run(threads: 3) { item, _ in delivered.append(item) } }
        #expect(delivered == Array(0..<20))
    }

    @Test("a failed delivery ends the work")
    func failedDelivery() {
        let work = OrderedWork(Array(0..<50), window: 8, isStopped: { false }) { $0 }
        #expect(throws: Failure(item: 3)) {
            try work.run(threads: 2) { item, _ in if item == 3 { throw Failure(item: 3) } }
        }
    }

    @Test("once stopped, what was begun is delivered and nothing else")
    func stop() throws {
        let begun = Mutex(0)
        let work = OrderedWork(
            Array(0..<100),
            window: 10,
            isStopped: { begun.withLock { $0 } >= 12 },
            work: { item in
                begun.withLock { $0 += 1 }
                return item
            }
        )
        var delivered: [Int] = []
        try work.run(threads: 3) { item, _ in delivered.append(item) }
        // Three threads may pass the question before the last of them is counted.
        #expect((12...14).contains(delivered.count))
        #expect(delivered == Array(0..<delivered.count))
    }
}
