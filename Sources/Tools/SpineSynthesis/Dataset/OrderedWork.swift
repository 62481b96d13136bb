import Dispatch
import Foundation
import Synchronization

/// Work on numbered items by several threads, whose results are handed over in the items' order.
///
/// At most `window` results are under way or wait for their turn, which bounds the memory.
final class OrderedWork<Product: Sendable>: Sendable {
    private struct State {
        var products: [Int: Result<Product, any Error>] = [:]
        var next = 0
        var isStopped = false
        var threads = 0
    }

    private let items: [Int]
    private let window: Int
    private let work: @Sendable (Int) throws -> Product
    private let isStopped: @Sendable () -> Bool
    private let state = Mutex(State())
    /// Counts the items that may be taken.
    private let room = DispatchSemaphore(value: 0)
    /// Raised when a result is there or a thread ends.
    private let news = DispatchSemaphore(value: 0)

    /// Creates the work; `isStopped` is asked before each item, and once it is true, no others are begun.
    init(
        _ items: [Int],
        window: Int,
        isStopped: @escaping @Sendable () -> Bool,
        work: @escaping @Sendable (Int) throws -> Product
    ) {
        self.items = items
        self.window = window
        self.isStopped = isStopped
        self.work = work
    }

    /// Does the work, and calls `deliver` on this thread in the items' order; to be called once.
    ///
    /// - Throws: The error of `work` for the first item that failed, after the results before it were delivered; or
    /// that of `deliver`.
    func run(threads: Int, deliver: (Int, Product) throws -> Void) throws {
        let threads = max(1, min(threads, items.count))
        state.withLock { $0.threads = threads }
        // Each thread that ends keeps its place, so there must be one for each.
        for _ in 0..<max(window, threads) { room.signal() }
        for _ in 0..<threads {
            let thread = Thread { [self] in takeItems() }
            thread.stackSize = 8 << 20
            thread.start()
        }
        defer { end(threads) }
        for (position, item) in items.enumerated() {
            guard let product = wait(for: position) else { return }
            try deliver(item, product.get())
            room.signal()
        }
    }

    private func takeItems() {
        while true {
            room.wait()
            let position = state.withLock { state -> Int? in
                guard !state.isStopped, state.next < items.count, !isStopped() else { return nil }
                defer { state.next += 1 }
                return state.next
            }
            guard let position else { break }
            let product = Result { try work(items[position]) }
            state.withLock { state in
                state.products[position] = product
                if case .failure = product { state.isStopped = true }
            }
            news.signal()
        }
        state.withLock { $0.threads -= 1 }
        news.signal()
    }

    private func wait(for position: Int) -> Result<Product, any Error>? {
        while true {
            let (product, isOver) = state.withLock { state in
                (state.products.removeValue(forKey: position), state.threads == 0)
            }
            if product != nil || isOver { return product }
            news.wait()
        }
    }

    private func end(_ threads: Int) {
        state.withLock { $0.isStopped = true }
        for _ in 0..<threads { room.signal() }
        while state.withLock({ $0.threads > 0 }) { news.wait() }
    }
}
