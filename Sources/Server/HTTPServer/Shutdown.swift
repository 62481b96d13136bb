import Dispatch
import Foundation
import Synchronization

/// Request to end, which any number of tasks wait for.
public final class Shutdown: Sendable {
    private let state = Mutex((hasBegun: false, waiting: [UUID: AsyncStream<Void>.Continuation]()))

    package init() {}

    package var hasBegun: Bool { state.withLock(\.hasBegun) }

    package func begin() {
        let waiting = state.withLock { state in
            defer { state = (true, [:]) }
            return state.waiting.values
        }
        for continuation in waiting { continuation.finish() }
    }

    /// Waits until it begins, or until the task is cancelled.
    public func wait() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let id = UUID()
        continuation.onTermination = { [self] _ in state.withLock { $0.waiting[id] = nil } }
        let hasBegun = state.withLock { state in
            if !state.hasBegun { state.waiting[id] = continuation }
            return state.hasBegun
        }
        if hasBegun { continuation.finish() }
        for await _ in stream {}
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
    public func onSignals<Result>(_ work: () async throws -> Result) async rethrows -> Result {
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
