package import Evaluation
package import SpineDatasets
import Synchronization

package struct RunSetup: Sendable {
    /// Datasets of the configuration, in its order.
    package let datasets: [Dataset]
    package let folder: RunFolder
    /// Filled before anything is measured.
    let cache: CompileCache
    let judge: BookScorer
    /// Part whose samples alone are read; nil for all.
    package let part: Part?
    let interruption: Interruption
    /// Clock of limits and durations of scenarios; measurements use the machine's time.
    let clock: DeadlineClock
    /// Called on the thread that runs.
    let progress: @Sendable (RunProgress) -> Void

    package init(
        datasets: [Dataset],
        folder: RunFolder,
        cache: CompileCache = .none,
        judge: BookScorer = .none,
        part: Part? = nil,
        interruption: Interruption = Interruption(),
        clock: DeadlineClock = .machine,
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) {
        (self.datasets, self.folder, self.cache, self.judge) = (datasets, folder, cache, judge)
        (self.part, self.interruption, self.clock, self.progress) = (part, interruption, clock, progress)
    }
}

package enum RunProgress: Sendable, Equatable {
    /// `done` of `total` readings are there already, from the run that is resumed; `total` is nil where time decides.
    case started(measurement: String, done: Int, total: Int?)
    /// The run waits for a reader of the user, at most this number of seconds.
    case waiting(measurement: String, what: String, seconds: Double)
    case workerReady(measurement: String, milliseconds: Double)
    case readingDone(record: SampleRecord, done: Int, total: Int?)
    case workerLost(measurement: String, problem: String)
    /// `unread` is nil where time decides how many there would have been.
    case abandoned(measurement: String, unread: Int?)
    case finished(measurement: String)
}

extension RunProgress {
    /// Returns what a start of the measurement's variant waits for; nil unless it is a reader of the user's.
    static func waiting(for measurement: Measurement) -> RunProgress? {
        let variant = measurement.variant
        return variant.startSeconds.map { seconds in
            let what = variant.address == nil ? "'s ready message" : "'s first answer"
            return .waiting(measurement: measurement.id, what: variant.name + what, seconds: seconds)
        }
    }
}

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

    package var signal: Int32? { state.withLock { $0.signal } }

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
