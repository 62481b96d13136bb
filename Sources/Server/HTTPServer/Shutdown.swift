import Dispatch
import Foundation
import Synchronization

/// Signals of changes to any number of tasks.
package final class Signals: Sendable {
    private let listeners = Mutex<[UUID: (topic: String, changes: AsyncStream<Void>.Continuation)]>([:])

    package init() {}

    /// Returns a stream with one element for any number of changes since the last was taken; the first comes at once.
    package func changes(of topic: String = "") -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let id = UUID()
        listeners.withLock { $0[id] = (topic, continuation) }
        continuation.onTermination = { [weak self] _ in self?.listeners.withLock { $0[id] = nil } }
        return stream
    }

    /// Signals a change of a topic, or of all where none is given.
    package func notify(_ topic: String? = nil) {
        for listener in listeners.withLock({ Array($0.values) }) where topic == nil || listener.topic == topic {
            listener.changes.yield()
        }
    }
}

/// Request to end, which any number of tasks wait for.
public final class Shutdown: Sendable {
    private let state = Mutex(false)
    private let signals = Signals()

    /// Creates a request to end that has not begun.
    public init() {}

    package var hasBegun: Bool { state.withLock { $0 } }

    package func begin() {
        state.withLock { $0 = true }
        signals.notify()
    }

    /// Waits until it begins, or until the task is cancelled.
    package func wait() async {
        for await _ in signals.changes() where hasBegun { return }
    }

    /// Waits until it begins or the task is cancelled; false when neither happens for as long as `duration`.
    public func hasBegun(within duration: Duration) async -> Bool {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await Task.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
        return hasBegun || Task.isCancelled
    }

    /// Performs work during which SIGINT and SIGTERM begin the shutdown.
    package func onSignals<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in begin() }
            // A signal before the source is registered would be lost.
            let registered = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            registered.wait()
            return source
        }
        defer {
            for source in sources { source.cancel() }
            for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        }
        return try await work()
    }
}
