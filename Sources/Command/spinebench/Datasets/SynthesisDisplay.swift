import Documents
import Harness
import SpineSynthesis

/// Shows on standard error how far the drawing of a dataset is: a bar for a person, a line every few seconds for a log.
struct SynthesisDisplay {
    private var noun: String?
    private var started = ContinuousClock.now
    private var doneAtStart = 0
    private var shown = ContinuousClock.now
    private var isBarShown = false
    private let isInteractive: Bool

    init(isInteractive: Bool = Console.isInteractive) {
        self.isInteractive = isInteractive
    }

    /// Shows `progress`, or keeps quiet when the last line is too fresh.
    mutating func show(_ progress: SyntheticDataset.Progress) {
        let now = ContinuousClock.now
        if progress.noun != noun {
            finish()
            (noun, started, doneAtStart, shown) = (progress.noun, now, progress.done, now)
            if progress.done > 0 {
                Console.standardError("\(progress.noun): \(progress.done) of \(progress.total) are there already")
            }
            return
        }
        let pause = Duration.milliseconds(isInteractive ? 100 : 5_000)
        guard shown.duration(to: now) >= pause || isInteractive && progress.done == progress.total else { return }
        shown = now
        let seconds = started.duration(to: now).milliseconds / 1_000
        let drawn = Double(progress.done - doneAtStart)
        let pace = "\(NumberText.fixed(drawn / seconds, 1))/s"
        let left = NumberText.span(seconds: seconds / drawn * Double(progress.total - progress.done))
        if isInteractive {
            Console.bar(progress.noun, done: progress.done, total: progress.total, news: [pace, left + " left"])
            isBarShown = true
        } else {
            Console.standardError("\(progress.noun): \(progress.done) of \(progress.total), \(pace), \(left) left")
        }
    }

    /// Leaves the line that a bar stood in.
    mutating func finish() {
        if isBarShown { Console.write("\n") }
        isBarShown = false
    }
}
