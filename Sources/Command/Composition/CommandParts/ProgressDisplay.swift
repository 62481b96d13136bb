import Basics
import Dispatch
import Evaluation
package import Harness
import Synchronization

/// Shows the progress of a long work on standard error: a bar on a terminal, a line every few seconds in a log.
package final class ProgressDisplay: Sendable {
    private struct State {
        var started = ContinuousClock.now
        var shown: ContinuousClock.Instant?
        var doneAtStart = 0
        var isBarShown = false
        /// Latencies of the readings so far, for `run`.
        var latencies = RunningLatency()
        /// Number of the news so far: a wait is over when there is more.
        var news = 0
    }

    private let state = Mutex(State())
    private let isInteractive = Console.isInteractive

    package init() {}

    package func show(_ progress: RunProgress) {
        state.withLock { $0.news += 1 }
        switch progress {
        case .waiting(let measurement, let what, let seconds): wait(measurement, for: what, seconds: seconds)
        case .started(let measurement, let done, let total): begin(measurement, done: done, total: total)
        case .workerReady(let measurement, let milliseconds):
            say("\(measurement): ready after \(NumberText.milliseconds(milliseconds))")
        case .readingDone(let record, let done, let total):
            state.withLock { $0.latencies.add(record) }
            step(record.measurement, done: done, total: total)
        case .workerLost(let measurement, let problem): say("\(measurement): \(problem)")
        case .abandoned(let measurement, let unread):
            let readings = unread.map { "\($0) readings" } ?? "the remaining readings"
            say("\(measurement): given up; \(readings) were not attempted")
        case .finished(let measurement): end(measurement)
        }
    }

    /// Begins a piece of work, with `done` of `total` already complete; `total` is nil if time decides.
    package func begin(_ label: String, done: Int, total: Int?, isLoading: Bool = true) {
        leave()
        state.withLock { $0 = State(doneAtStart: done, news: $0.news) }
        if done > 0 {
            say("\(label): \(total.map { "\(done) of \($0)" } ?? "\(done)") already done")
        } else if isLoading {
            say("\(label): loading")
        }
    }

    package func step(_ label: String, done: Int, total: Int?) {
        state.withLock { state in
            let now = ContinuousClock.now
            let pause = Duration.milliseconds(isInteractive ? 100 : 5_000)
            if let shown = state.shown, shown.duration(to: now) < pause, done < total ?? .max || !isInteractive {
                return
            }
            // The first line of a log comes after a pause too: "ready" has just been printed.
            defer { state.shown = now }
            if state.shown == nil && !isInteractive { return }
            let seconds = state.started.duration(to: now).milliseconds / 1_000
            let read = done - state.doneAtStart
            let pace = read > 0 ? seconds / Double(read) : nil
            var news = pace.map { ["\(NumberText.fixed(1 / $0, 1))/s"] } ?? []
            news += state.latencies.texts
            if let total {
                news.append((pace.map { NumberText.span(seconds: $0 * Double(total - done)) } ?? "?") + " left")
            }
            state.isBarShown = isInteractive
            if isInteractive { return Console.bar(label, done: done, total: total, news: news) }
            let text = news.joined(separator: ", ")
            Console.standardError("\(label): \(done) \(total.map { "of \($0)" } ?? "read"), \(text)")
        }
    }

    package func end(_ label: String) {
        let seconds = state.withLock { $0.started.duration(to: .now).milliseconds / 1_000 }
        say("\(label): done in \(NumberText.span(seconds: seconds))")
    }

    package func leave() {
        state.withLock { state in
            if state.isBarShown { Console.write("\n") }
            state.isBarShown = false
        }
    }

    /// Shows "waiting for mine's ready message, 12 s of 120 s" until anything else happens.
    private func wait(_ label: String, for what: String, seconds: Double) {
        let (start, pause) = (ContinuousClock.now, isInteractive ? 1.0 : 5.0)
        let number = state.withLock(\.news)
        @Sendable func tick() {
            DispatchQueue.global().asyncAfter(deadline: .now() + pause) { [self] in
                let passed = Int(start.duration(to: .now).milliseconds / 1_000)
                let text = "waiting for \(what), \(passed) s of \(NumberText.short(seconds)) s"
                let isOver = state.withLock { state in
                    if state.news != number { return true }
                    state.isBarShown = isInteractive
                    if isInteractive {
                        Console.bar(label, done: 0, total: nil, news: [text])
                    } else {
                        Console.standardError(text)
                    }
                    return false
                }
                if !isOver { tick() }
            }
        }
        tick()
    }

    private func say(_ text: String) {
        state.withLock { state in
            if state.isBarShown { Console.clearBar() }
            state.isBarShown = false
            Console.standardError(text)
        }
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
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < milliseconds { low = middle + 1 } else { high = middle }
        }
        sorted.insert(milliseconds, at: low)
    }

    /// "P95 so far 41.2 ms", "2 failed".
    var texts: [String] {
        var texts: [String] = []
        if sorted.count >= 20 {
            texts.append("P95 so far \(NumberText.milliseconds(Percentile.nearestRank(95, of: sorted)))")
        }
        if failures > 0 { texts.append("\(failures) failed") }
        return texts
    }
}

/// A bar with the time left, on a terminal and nowhere else, for work that needs no words.
package final class TimedBar {
    private let label: String
    private let isShown: Bool
    private let started = ContinuousClock.now
    private var shown: ContinuousClock.Instant?

    package init(_ label: String = "", isShown: Bool = Console.isInteractive) {
        self.label = label
        self.isShown = isShown
    }

    /// Shows that `done` of `total` are done, ten times a second at most; in units of `size`, such as "MiB".
    package func show(_ done: Int, of total: Int, in unit: (name: String, size: Int)? = nil) {
        let now = ContinuousClock.now
        guard isShown, total > 0, shown.map({ $0.duration(to: now) > .milliseconds(100) }) ?? true else { return }
        shown = now
        let seconds = started.duration(to: now).milliseconds / 1_000
        let left = done == 0 ? "?" : NumberText.span(seconds: seconds / Double(done) * Double(total - done))
        let size = unit?.size ?? 1
        let news = [unit?.name, left + " left"].compactMap(\.self)
        Console.bar(label, done: done / size, total: total / size, news: news)
    }

    /// Shows a line of news until something else is shown.
    package func note(_ news: String) {
        guard isShown else { return }
        shown = .now
        Console.bar(label, done: 0, total: nil, news: [news])
    }

    package func clear() {
        if shown != nil { Console.clearBar() }
        shown = nil
    }
}
