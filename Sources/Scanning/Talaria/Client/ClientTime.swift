/// A clock as the client needs it: time since it began, and waiting.
struct ClientTime: Sendable {
    /// Time since the client began.
    let now: @Sendable () -> Duration
    /// Waits, unless the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }

    /// Does the work, and cancels it when it takes longer than `limit`.
    ///
    /// - Throws: What the work throws; `TalariaError.timedOut` when it was cancelled for its time.
    func limit<Value: Sendable>(
        _ limit: Duration,
        _ operation: String,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await sleep(limit)
                return nil
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() ?? nil else {
                throw TalariaError.timedOut(operation: operation, after: limit)
            }
            return value
        }
    }
}
