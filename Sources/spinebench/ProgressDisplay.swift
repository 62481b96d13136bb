import BenchmarkHarness
import Synchronization

/// Shows on standard error how far a run is: a bar for a person, a line every few seconds for a log.
final class ProgressDisplay: Sendable {
    private struct State {
        var started = ContinuousClock.now
        var shown: ContinuousClock.Instant?
        var doneAtStart = 0
        var isBarShown = false
    }

    private let state = Mutex(State())
    private let isInteractive: Bool

    init(isInteractive: Bool = Console.isInteractive) {
        self.isInteractive = isInteractive
    }

    /// Shows `progress`, or keeps quiet when the last line is too fresh.
    func show(_ progress: RunProgress) {
        switch progress {
        case .tierStarted(let tier, let done, let total):
            state.withLock { $0 = State(doneAtStart: done) }
            say(done == 0 ? "\(tier): loading" : "\(tier): \(done) of \(total) are there already")
        case .workerReady(let tier, let milliseconds):
            say("\(tier): ready after \(NumberText.milliseconds(milliseconds))")
        case .readingDone(let tier, let done, let total): step(tier, done, total)
        case .workerLost(let tier, let problem): say("\(tier): \(problem)")
        case .tierAbandoned(let tier, let unread): say("\(tier): given up; \(unread) readings were not attempted")
        case .tierFinished(let tier):
            let seconds = state.withLock { $0.started.duration(to: .now).milliseconds / 1_000 }
            say("\(tier): done in \(NumberText.span(seconds: seconds))")
        }
    }

    private func step(_ tier: String, _ done: Int, _ total: Int) {
        state.withLock { state in
            let now = ContinuousClock.now
            let pause = Duration.milliseconds(isInteractive ? 100 : 5_000)
            if let shown = state.shown, shown.duration(to: now) < pause, done < total || !isInteractive { return }
            // The first line of a log comes after a pause too: "ready" has just been said.
            defer { state.shown = now }
            if state.shown == nil && !isInteractive { return }
            let seconds = state.started.duration(to: now).milliseconds / 1_000
            let read = done - state.doneAtStart
            let left = read > 0 ? NumberText.span(seconds: seconds / Double(read) * Double(total - done)) : "?"
            if isInteractive {
                Console.bar(tier, done: done, total: total, left: left)
                state.isBarShown = true
            } else {
                Console.standardError("\(tier): \(done) of \(total), \(left) left")
            }
        }
    }

    private func say(_ text: String) {
        state.withLock { state in
            if state.isBarShown { Console.write("\r\u{1B}[K") }
            state.isBarShown = false
            Console.standardError(text)
        }
    }
}
