import Foundation

/// Blocking work beside the concurrency runtime.
package enum OwnThread {
    /// Runs blocking work without holding one of the concurrency runtime's few threads.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}
