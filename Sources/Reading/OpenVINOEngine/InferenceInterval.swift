/// When one run of a network began and ended.
struct InferenceInterval: Sendable {
    var start: ContinuousClock.Instant
    var end: ContinuousClock.Instant

    var duration: Duration { start.duration(to: end) }
}

extension [InferenceInterval] {
    /// The time during which at least one of the runs was under way.
    var union: Duration {
        var total = Duration.zero
        var covered: ContinuousClock.Instant?
        for interval in sorted(by: { $0.start < $1.start }) {
            let start = Swift.max(interval.start, covered ?? interval.start)
            if interval.end > start { total += start.duration(to: interval.end) }
            covered = Swift.max(interval.end, covered ?? interval.end)
        }
        return total
    }
}
