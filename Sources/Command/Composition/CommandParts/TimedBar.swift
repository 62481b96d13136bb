import Basics
import Harness

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
