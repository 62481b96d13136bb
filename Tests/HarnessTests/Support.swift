import Foundation
import SpineDatasets
import Synchronization

@testable import Harness

/// Clock of limits that stops until a test moves it.
final class ManualDeadlines: Sendable {
    private let start = ContinuousClock.now
    private let state = Mutex((offset: Duration.zero, waiting: [DispatchSemaphore]()))

    var clock: DeadlineClock {
        DeadlineClock(
            now: { self.start + self.state.withLock(\.offset) },
            wait: { signal, deadline in
                let isPast = self.state.withLock { state in
                    if self.start + state.offset >= deadline { return true }
                    state.waiting.append(signal)
                    return false
                }
                if isPast { return signal.wait(timeout: .now()) == .success }
                signal.wait()
                self.state.withLock { state in state.waiting.removeAll { $0 === signal } }
                return true
            }
        )
    }

    /// Whether a thread waits for a signal or a time.
    var isWaitedFor: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Moves the clock; its waiters read it again.
    func advance(by duration: Duration) {
        let waiting = state.withLock { state in
            state.offset += duration
            return state.waiting
        }
        for signal in waiting { signal.signal() }
    }
}

/// Values that another thread may add to.
final class Collected<Value: Sendable>: @unchecked Sendable {
    // Protected by `lock`.
    private var stored: [Value] = []
    private let lock = NSLock()

    var values: [Value] { lock.withLock { stored } }

    func add(_ value: Value) { lock.withLock { stored.append(value) } }
}

/// Set once, by any thread.
final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
}
