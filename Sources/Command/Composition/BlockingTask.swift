import Foundation

/// Lets a thread that belongs to nobody else wait for concurrent work: the harness's workers read on threads.
enum BlockingTask {
    /// Does the work and waits for it.
    ///
    /// Not for a thread of Swift's own pool, which has few of them.
    ///
    /// - Parameter work: done by a task of its own.
    /// - Returns: what it gave.
    /// - Throws: what it threw.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        Task {
            do { outcome.set(.success(try await work())) } catch { outcome.set(.failure(error)) }
        }
        return try outcome.wait().get()
    }

    /// What came of a task, to be waited for.
    ///
    /// Unchecked: `condition` protects `result`.
    private final class Outcome<Value: Sendable>: @unchecked Sendable {
        private let condition = NSCondition()
        private var result: Result<Value, any Error>?

        func set(_ result: Result<Value, any Error>) {
            condition.lock()
            self.result = result
            condition.signal()
            condition.unlock()
        }

        func wait() -> Result<Value, any Error> {
            condition.lock()
            defer { condition.unlock() }
            while true {
                if let result { return result }
                condition.wait()
            }
        }
    }
}
