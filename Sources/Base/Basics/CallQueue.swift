internal import Foundation

/// Threads for calls that block, so that no other task waits for them; calls for which there is no thread wait in line.
package final class CallQueue: TaskExecutor {
    private let threads = OperationQueue()

    package init(width: Int) { threads.maxConcurrentOperationCount = width }

    /// Calls `body` on one of the threads, as part of the task: it sees that the task is cancelled.
    ///
    /// - Throws: the errors of `body`, `CancellationError` when the task was cancelled before.
    package func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withTaskExecutorPreference(self) { try await Self.call(body) }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let (job, executor) = (UnownedJob(job), asUnownedTaskExecutor())
        threads.addOperation { job.runSynchronously(on: executor) }
    }

    /// Runs a body on the executor that the task prefers.
    @concurrent
    private static func call<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        return try body()
    }
}
