import Synchronization

/// Tells the streams of a job that there is something new in the database.
final class JobSignals: Sendable {
    private struct State {
        var next = 0
        var listeners: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    /// One element for any number of changes since the last was taken.
    ///
    /// - Parameter job: its id.
    /// - Returns: a stream that has its first element at once.
    func changes(of job: String) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let number = state.withLock { state in
            state.next += 1
            state.listeners[job, default: [:]][state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.forget(number, of: job) }
        return stream
    }

    /// - Parameter job: that has changed.
    func notify(_ job: String) {
        let listeners = state.withLock { Array($0.listeners[job, default: [:]].values) }
        for listener in listeners { listener.yield() }
    }

    /// Number of streams that listen.
    var count: Int { state.withLock { $0.listeners.values.reduce(0) { $0 + $1.count } } }

    private func forget(_ number: Int, of job: String) {
        state.withLock { state in
            state.listeners[job]?[number] = nil
            if state.listeners[job]?.isEmpty == true { state.listeners[job] = nil }
        }
    }
}
