import Basics
import CommandSupport
import Dispatch
import Evaluation
package import Harness
import Synchronization

/// Progress of a long work on standard error: a bar on a terminal, and in a log a line every few seconds, if at all.
package final class ProgressDisplay: Sendable {
    private struct State {
        var label: String
        var started = ContinuousClock.now
        var shown: ContinuousClock.Instant?
        var doneAtStart = 0
        var isBarShown = false
        /// Latencies of the readings so far, for `run`.
        var latencies = RunningLatency()
        /// Number of messages of a run so far: a wait is over when there is one more.
        var messages = 0
    }

    private let state: Mutex<State>
    private let isLogged: Bool
    private let isInteractive = Console.isInteractive

    package init(_ label: String = "", isLogged: Bool = false) {
        state = Mutex(State(label: label))
        self.isLogged = isLogged
    }

    /// Shows that `done` of `total` are done, in units of `size`, such as "MiB"; `total` is nil if time decides.
    package func show(
        _ done: Int,
        of total: Int?,
        label: String? = nil,
        in unit: (name: String, size: Int) = ("", 1)
    ) {
        state.withLock { state in
            state.label = label ?? state.label
            guard isInteractive || isLogged else { return }
            let (now, first) = (ContinuousClock.now, state.shown == nil)
            let pause = Duration.milliseconds(isInteractive ? 100 : 5_000)
            if let shown = state.shown, shown.duration(to: now) < pause, done < total ?? .max || !isInteractive {
                return
            }
            state.shown = now
            // The first line of a log comes after a pause too: "ready" has just been printed.
            if first && !isInteractive { return }
            let seconds = state.started.duration(to: now).milliseconds / 1_000
            let read = done - state.doneAtStart
            let pace = read > 0 ? seconds / Double(read) : nil
            let space = unit.name.isEmpty ? "" : " "
            var news = pace.map { [NumberText.fixed(1 / $0 / Double(unit.size), 1) + "\(space)\(unit.name)/s"] } ?? []
            news += state.latencies.texts
            if let total {
                news.append((pace.map { NumberText.span(seconds: $0 * Double(total - done)) } ?? "?") + " left")
            }
            let (done, total) = (done / unit.size, total.map { $0 / unit.size })
            if isInteractive { return draw(&state, done, total, news) }
            let text = news.joined(separator: ", ")
            Console.standardError("\(state.label): \(done) \(total.map { "of \($0)" } ?? "read"), \(text)")
        }
    }

    /// Shows a text until something else is shown.
    package func note(_ text: String) { state.withLock { note(text, &$0) } }

    package func clear() {
        state.withLock { state in
            if state.isBarShown { Console.clearBar() }
            state.isBarShown = false
        }
    }

    /// Begins another work, of which `done` is already complete.
    package func begin(_ label: String, done: Int = 0, of total: Int?) {
        state.withLock { state in
            if state.isBarShown { Console.write("\n") }
            state = State(label: label, doneAtStart: done, messages: state.messages)
        }
        say(done > 0 ? "\(total.map { "\(done) of \($0)" } ?? "\(done)") already done" : "loading")
    }

    /// Shows the progress of a run.
    package func show(_ progress: RunProgress) {
        state.withLock { $0.messages += 1 }
        switch progress {
        case .waiting(_, let what, let seconds): wait(for: what, seconds: seconds)
        case .started(let measurement, let done, let total): begin(measurement, done: done, of: total)
        case .workerReady(_, let milliseconds): say("ready after \(NumberText.milliseconds(milliseconds))")
        case .readingDone(let record, let done, let total):
            state.withLock { $0.latencies.add(record) }
            show(done, of: total)
        case .workerLost(_, let problem): say(problem)
        case .abandoned(_, let unread):
            say("given up; \(unread.map { "\($0) readings" } ?? "the remaining readings") were not attempted")
        case .finished:
            let seconds = state.withLock { $0.started.duration(to: .now).milliseconds / 1_000 }
            say("done in \(NumberText.span(seconds: seconds))")
        }
    }

    /// Shows "waiting for mine's ready message, 12 s of 120 s" until anything else happens.
    private func wait(for what: String, seconds: Double) {
        let (start, pause) = (ContinuousClock.now, isInteractive ? 1.0 : 5.0)
        let number = state.withLock(\.messages)
        @Sendable func tick() {
            DispatchQueue.global().asyncAfter(deadline: .now() + pause) { [self] in
                let passed = Int(start.duration(to: .now).milliseconds / 1_000)
                let isOver = state.withLock { state in
                    if state.messages != number { return true }
                    note("waiting for \(what), \(passed) s of \(NumberText.short(seconds)) s", &state)
                    return false
                }
                if !isOver { tick() }
            }
        }
        tick()
    }

    private func note(_ text: String, _ state: inout State) {
        state.shown = .now
        if isInteractive { draw(&state, 0, nil, [text]) } else if isLogged { Console.standardError(text) }
    }

    private func draw(_ state: inout State, _ done: Int, _ total: Int?, _ news: [String]) {
        state.isBarShown = true
        Console.bar(state.label, done: done, total: total, news: news)
    }

    private func say(_ text: String) {
        clear()
        Console.standardError("\(state.withLock(\.label)): \(text)")
    }
}

private struct RunningLatency {
    private var sorted: [Double] = []
    private var failures = 0

    mutating func add(_ record: SampleRecord) {
        guard record.outcome == .read, let milliseconds = record.milliseconds else {
            failures += 1
            return
        }
        sorted.insert(milliseconds, at: sorted.firstIndex { $0 >= milliseconds } ?? sorted.count)
    }

    /// "P95 so far 41.2 ms", "2 failed".
    var texts: [String] {
        let percentile =
            sorted.count < 20
            ? nil : "P95 so far \(NumberText.milliseconds(Percentile.nearestRank(95, of: sorted)))"
        return [percentile, failures > 0 ? "\(failures) failed" : nil].compactMap(\.self)
    }
}
