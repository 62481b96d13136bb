import Dispatch
import Foundation
import Synchronization

/// Request to end, which any number of tasks wait for.
public final class Shutdown: Sendable {
    private struct State {
        var hasBegun = false
        var next = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    public var hasBegun: Bool { state.withLock(\.hasBegun) }

    public func begin() {
        let waiting = state.withLock { state in
            state.hasBegun = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until it begins, or until the task is cancelled.
    public func wait() async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.hasBegun || Task.isCancelled { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
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
