import Synchronization

/// A way to stop a run from a signal handler's queue.
package final class Interruption: Sendable {
    private struct State {
        var signal: Int32?
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// Asks the run to stop; the first signal is the one that it reports.
    package func stop(signal: Int32) {
        let wake = state.withLock { state in
            if state.signal == nil { state.signal = signal }
            return state.wake
        }
        wake?()
    }

    /// The signal that asked to stop; nil when none did.
    package var signal: Int32? { state.withLock { $0.signal } }

    /// - Throws: ``HarnessError/interrupted(signal:)`` when the run is to stop.
    func check() throws(HarnessError) { if let signal { throw .interrupted(signal: signal) } }

    /// Sets the callback that ends a current wait; called at once when the run is already stopped.
    package func onStop(_ wake: (@Sendable () -> Void)?) {
        let isStopped = state.withLock { state in
            state.wake = wake
            return state.signal != nil
        }
        if isStopped { wake?() }
    }
}
