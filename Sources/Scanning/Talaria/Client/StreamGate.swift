/// Lets so many streams be open at once; the others wait in the order in which they came.
actor StreamGate {
    private let limit: Int
    private var open = 0
    private var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    private var nextID = 0

    init(limit: Int) { self.limit = max(1, limit) }

    /// Numbers of streams that are open and that wait.
    var counts: (open: Int, waiting: Int) { (open, waiting.count) }

    /// Does the work as soon as a place is free.
    ///
    /// - Throws: What the work throws; `CancellationError` when the task is cancelled while it waits.
    func withPlace<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        try await enter()
        defer { leave() }
        return try await work()
    }

    private func enter() async throws {
        try Task.checkCancellation()
        guard open == limit else {
            open += 1
            return
        }
        let id = nextID
        nextID += 1
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                // Cancelled before it could be put in line: nobody would wake it.
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiting.append((id, continuation))
            }
        } onCancel: {
            Task { await self.forget(id) }
        }
    }

    /// Gives the place to whoever waits longest.
    private func leave() {
        guard !waiting.isEmpty else {
            open -= 1
            return
        }
        waiting.removeFirst().continuation.resume()
    }

    private func forget(_ id: Int) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting.remove(at: index).continuation.resume(throwing: CancellationError())
    }
}
