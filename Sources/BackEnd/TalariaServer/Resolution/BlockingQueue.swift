import Dispatch

/// Threads for calls that block, so that neither event loops nor tasks wait for them.
struct BlockingQueue: Sendable {
    private let queue: DispatchQueue

    /// - Parameter label: that debuggers show.
    init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
    }

    /// - Parameter body: blocks.
    /// - Returns: what it returns.
    /// - Throws: what it throws.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }
}
