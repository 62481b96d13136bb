import Foundation

/// Work on numbered items by several threads, whose results are handed over in the items' order.
///
/// At most `window` results are under way or wait for their turn, which bounds the memory. Unchecked, as `condition`
/// protects all state.
final class OrderedWork<Product: Sendable>: @unchecked Sendable {
    private let items: [Int]
    private let window: Int
    private let work: @Sendable (Int) throws -> Product
    private let isStopped: @Sendable () -> Bool
    private let condition = NSCondition()
    private var products: [Int: Result<Product, any Error>] = [:]
    private var (next, delivered, threads) = (0, 0, 0)
    private var isOver = false

    /// Creates the work; `isStopped` is asked before each item, and once it is true, no others are begun.
    init(
        _ items: [Int],
        window: Int,
        isStopped: @escaping @Sendable () -> Bool,
        work: @escaping @Sendable (Int) throws -> Product
    ) {
        (self.items, self.window, self.isStopped, self.work) = (items, window, isStopped, work)
    }

    /// Does the work, and calls `deliver` on this thread in the items' order; to be called once.
    ///
    /// - Throws: The error of `work` for the first item that failed, after the results before it were delivered; or
    /// that of `deliver`.
    func run(threads count: Int, deliver: (Int, Product) throws -> Void) throws {
        threads = max(1, min(count, items.count))
        for _ in 0..<threads {
            let thread = Thread { [self] in
                while let position = take() {
                    let product = Result { try work(items[position]) }
                    change {
                        products[position] = product
                        if case .failure = product { isOver = true }
                    }
                }
                change { threads -= 1 }
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        defer {
            // Those that wait for room have to hear of the end before this thread waits for theirs.
            change { isOver = true }
            condition.withLock { while threads > 0 { condition.wait() } }
        }
        for (position, item) in items.enumerated() {
            let product = condition.withLock { () -> Result<Product, any Error>? in
                while products[position] == nil, threads > 0 { condition.wait() }
                return products.removeValue(forKey: position)
            }
            guard let product else { return }
            try deliver(item, product.get())
            change { delivered += 1 }
        }
    }

    /// Returns the position of the next item, once there is room for its result; nil when no other is to be begun.
    private func take() -> Int? {
        condition.withLock {
            while !isOver, next < items.count, next >= delivered + window { condition.wait() }
            guard !isOver, next < items.count, !isStopped() else { return nil }
            defer { next += 1 }
            return next
        }
    }

    private func change(_ change: () -> Void) {
        condition.withLock {
            change()
            condition.broadcast()
        }
    }
}
