package import Evaluation

/// How long readings took, from file bytes to prediction.
package struct LatencySummary: Sendable, Equatable, Codable {
    /// Readings that came to an end: the ones that the percentiles are of.
    package var count: Int
    /// Readings that were given up.
    ///
    /// They are in no percentile, and beyond every limit when a target is judged.
    package var timeouts: Int
    /// In milliseconds, by nearest rank; absent when there are too few readings to claim them.
    package var p50: Figure
    package var p95: Figure
    package var p99: Figure
    package var longest: Figure
    /// P95 with each timeout taken for longer than any limit: what a target is judged by.
    ///
    /// In milliseconds.
    package var p95ToJudge: Figure
    /// Whether P95 with the timeouts is itself one of them: then it has no value, and misses any target.
    package var p95IsTimeout: Bool

    /// Sums up the readings that came to an end, in any order, and how many were given up.
    package init(milliseconds: [Double], timeouts: Int) {
        let sorted = milliseconds.sorted()
        count = sorted.count
        self.timeouts = timeouts
        p50 = Percentile.claimed(50, of: sorted)
        p95 = Percentile.claimed(95, of: sorted)
        p99 = Percentile.claimed(99, of: sorted)
        longest = sorted.last.map { .value($0) } ?? .absent("no readings")
        let all = sorted + [Double](repeating: .infinity, count: timeouts)
        let judged = Percentile.claimed(95, of: all)
        p95IsTimeout = judged.value == .infinity
        p95ToJudge = p95IsTimeout ? .absent("more than 5 % of the readings timed out") : judged
    }

    /// What a gate makes of P95.
    package func judgement(against target: Target) -> Judgement {
        if p95IsTimeout { return Judgement(.fail, note: p95ToJudge.reason ?? "") }
        var judgement = Judgement.of(p95ToJudge, against: target)
        if timeouts > 0, judgement.note.isEmpty {
            judgement.note = timeouts == 1 ? "one timeout counted" : "\(timeouts) timeouts counted"
        }
        return judgement
    }
}
