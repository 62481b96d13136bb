package import Basics
package import Statistics

/// Latencies of readings, from file bytes to prediction.
package struct LatencySummary: Sendable, Equatable, Codable {
    package var count: Int
    /// Number of timed-out readings: in every percentile they are longer than the finished ones.
    package var timeouts: Int
    package var p50: PercentileEstimate
    package var p90: PercentileEstimate
    package var p95: PercentileEstimate
    package var p99: PercentileEstimate
    /// Result of MLPerf's single-stream scenario: a P90 that is not exceeded with 99 % confidence.
    package var earlyStoppingP90: Figure
    package var longest: Figure
    package var histogram: LatencyHistogram

    /// Creates the summary of finished readings, in any order, and a number of timed-out ones, reported as `infinite`.
    ///
    /// `samples` is the number of different samples: repetitions add less information than new samples.
    package init(
        milliseconds: [Double],
        timeouts: Int = 0,
        samples: Int? = nil,
        method: PercentileMethod = .nearestRank,
        infinite: String = "timed out"
    ) {
        let sorted = milliseconds.sorted()
        let all = sorted + [Double](repeating: .infinity, count: timeouts)
        func estimate(_ percent: Int) -> PercentileEstimate {
            .init(percent: percent, sorted: all, method: method, independent: samples, infinite: infinite)
        }
        count = sorted.count
        self.timeouts = timeouts
        (p50, p90, p95, p99) = (estimate(50), estimate(90), estimate(95), estimate(99))
        earlyStoppingP90 = Self.earlyStopping(90, sorted: all)
        longest = sorted.last.map { .value($0) } ?? .absent("no readings")
        histogram = LatencyHistogram(milliseconds: sorted)
    }

    private static func earlyStopping(_ percent: Int, sorted: [Double]) -> Figure {
        guard let estimate = EarlyStopping(percent: percent, sorted: sorted)?.estimate else {
            return .absent("needs ≥ \(Percentile.minimumCount(for: percent, over: 1)) readings")
        }
        return estimate.isFinite ? .value(estimate) : .absent("too many readings timed out")
    }

    package func percentile(_ percent: Int) -> PercentileEstimate? {
        [p50, p90, p95, p99].first { $0.percent == percent }
    }

    /// Returns a percentile against its target, by `rule`; inconclusive when it is none of the four.
    package func judgement(of percent: Int?, against bound: Bound, rule: DecisionRule) -> Judgement {
        guard let estimate = percent.flatMap(percentile) else {
            return Judgement(.inconclusive, note: "not measured")
        }
        guard let point = estimate.point.value else {
            // Without a value although there are readings, it is itself a timeout, and misses any limit.
            let isMissed = estimate.count > 0 && !bound.comparator.isLowerBound
            return Judgement(isMissed ? .fail : .inconclusive, note: estimate.point.reason ?? "")
        }
        // Of so few different spines none may be as slow as the percentile; repetitions of them do not change that.
        let fewest = 100 / (100 - estimate.percent)
        if estimate.independent < min(estimate.count, fewest) {
            let spines = NumberText.count(estimate.independent, "different spine")
            return Judgement(.inconclusive, note: "\(spines), needs ≥ \(fewest), however often each is read")
        }
        let met = bound.isMet(by: point)
        let counted = timeouts == 0 ? "" : timeouts == 1 ? "one timeout counted" : "\(timeouts) timeouts counted"
        let isLowerBound = bound.comparator.isLowerBound
        let below = (isLowerBound ? estimate.lower : estimate.upper).value.map(bound.isMet) ?? false
        let above = (isLowerBound ? estimate.upper : estimate.lower).value.map { !bound.isMet(by: $0) } ?? false
        guard estimate.value.value != nil else {
            // Too few readings for a claim; the lower bound may show a miss all the same.
            guard above, !isLowerBound, let lower = estimate.lower.value.map(NumberText.milliseconds) else {
                return Judgement(.inconclusive, note: estimate.value.reason ?? "")
            }
            return Judgement(.fail, note: "too few readings for a figure, but it is at least \(lower)")
        }
        if below || above { return Judgement(met ? .pass : .fail, note: counted) }
        let over = histogram.count(above: bound.limit) + timeouts
        let needed = estimate.countToDecide(over: over).map { max($0, estimate.independent + 1) }
        let more = needed.map { "needs ≈ \($0) different spines" } ?? "cannot be decided by more spines"
        let note = [counted, "bounds include the target; \(more)"].filter { !$0.isEmpty }.joined(separator: "; ")
        switch rule {
        case .point: return Judgement(met ? .pass : .fail, note: note + " to be sure")
        case .interval: return Judgement(.inconclusive, note: note)
        }
    }
}

extension [Double] {
    /// Mean and variance of a sample of two or more: the variance is that of the population.
    package var meanAndVariance: (mean: Double, variance: Double) {
        let mean = reduce(0, +) / Double(count)
        return (mean, reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count - 1))
    }

    /// Returns the percentile by nearest rank, in any order; nil without values.
    package func percentile(_ percent: Int) -> Double? {
        isEmpty ? nil : Percentile.nearestRank(percent, of: sorted())
    }

    package var middle: Double? {
        if isEmpty { return nil }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}

/// Latencies in the buckets of ``LogHistogram``, in microseconds from 1 on.
package struct LatencyHistogram: Sendable, Equatable, Codable {
    /// Lowest value of each bucket that is not empty, in microseconds, ascending.
    package let microseconds: [Int]
    package let counts: [Int]

    package init(milliseconds: some Sequence<Double>) {
        var histogram = LogHistogram()
        for value in milliseconds { histogram.add(Int(min(max(1, (value * 1_000).rounded()), 1e15))) }
        (microseconds, counts) = (histogram.buckets.map(\.lower), histogram.buckets.map(\.count))
    }

    /// How many readings lie above `milliseconds`, to the width of a bucket.
    package func count(above milliseconds: Double) -> Int {
        let limit = milliseconds * 1_000
        return zip(microseconds, counts).reduce(0) { Double($1.0) > limit ? $0 + $1.1 : $0 }
    }
}

extension LatencySummary {
    package init(absent reason: String, like other: LatencySummary) {
        self.init(milliseconds: [])
        (count, timeouts) = (other.count, other.timeouts)
        takeAway(reason)
    }

    package mutating func takeAway(_ reason: String) {
        for percentile in [\LatencySummary.p50, \.p90, \.p95, \.p99] {
            for figure in [\PercentileEstimate.value, \.point, \.lower, \.upper] {
                self[keyPath: percentile][keyPath: figure] = .absent(reason)
            }
        }
        (earlyStoppingP90, longest) = (.absent(reason), .absent(reason))
    }
}
