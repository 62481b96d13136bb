import Basics
import Synchronization

/// A progress line of a long work, with the time left; on a terminal alone.
public final class TimedBar: Sendable {
    private let label: String
    private let started = ContinuousClock.now
    private let shown = Mutex<ContinuousClock.Instant?>(nil)

    /// Creates a line that begins with `label`; the time counts from now.
    public init(_ label: String) { self.label = label }

    /// Shows that `done` of `total` are done, ten times a second at most.
    public func show(_ done: Int, of total: Int) {
        guard Console.isInteractive else { return }
        shown.withLock { shown in
            let now = ContinuousClock.now
            if let shown, shown.duration(to: now) < .milliseconds(100), done < total { return }
            shown = now
            let pace = started.duration(to: now) / .seconds(1) / Double(max(1, done))
            let left = done > 0 ? NumberText.span(seconds: pace * Double(total - done)) : "?"
            Console.bar(label, done: done, total: total, news: ["\(left) left"])
        }
    }

    /// Removes the line.
    public func clear() { if shown.withLock({ $0 }) != nil { Console.clearBar() } }
}
