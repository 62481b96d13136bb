import Foundation
import Synchronization
import Talaria

/// The results of a session's cleanups.
public struct CleanupReport: Sendable, Equatable {
    /// Number of cleanups after which the server has deleted its data.
    public var done = 0
    /// Number of cleanups that failed or timed out; the server deletes the data by itself, only later.
    public var failed = 0
}

/// The requests to forget a picture's job: no result waits for one, and none takes longer than the limit.
final class Cleanups: Sendable {
    private struct State {
        var running: [UUID: Task<Void, Never>] = [:]
        var report = CleanupReport()
    }

    private let state = Mutex(State())
    private let limit: Duration
    private let clock: any Clock<Duration>

    init(limit: Duration, clock: any Clock<Duration>) {
        self.limit = limit
        self.clock = clock
    }

    /// Begins a cleanup, and returns at once; its traffic counts for the caller's scan.
    func start(_ work: @escaping @Sendable () async throws -> Void) {
        let id = UUID()
        // Starts after its entry, so that its end always finds it.
        state.withLock { state in
            state.running[id] = Task { [limit, clock] in
                let isDone = (try? await within(limit, "cleanup", on: clock, work)) != nil
                self.state.withLock { state in
                    state.running[id] = nil
                    if isDone { state.report.done += 1 } else { state.report.failed += 1 }
                }
            }
        }
    }

    /// Waits for those that were begun, which is not longer than the limit.
    func finish() async -> CleanupReport {
        while let task = state.withLock({ $0.running.values.first }) { await task.value }
        return state.withLock { $0.report }
    }
}
