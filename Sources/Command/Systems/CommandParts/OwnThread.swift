import Foundation

package enum OwnThread {
    /// Runs blocking work without holding one of the concurrency runtime's few threads.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}

/// Blocks a dedicated thread until concurrent work ends: the harness's workers read on threads.
package enum BlockingTask {
    /// Runs the work and waits for it; not for a thread of Swift's own pool, which has few of them.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let isDone = DispatchSemaphore(value: 0)
        // Written before the semaphore is signalled, and read after.
        nonisolated(unsafe) var result: Result<Value, any Error>?
        Task {
            do { result = .success(try await work()) } catch { result = .failure(error) }
            isDone.signal()
        }
        isDone.wait()
        guard let result else { preconditionFailure("the task signals its result") }
        return try result.get()
    }
}
