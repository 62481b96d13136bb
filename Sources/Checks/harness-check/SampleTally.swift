import Foundation

/// What one P95 formula gave for one number of samples, over many pairs of runs.
struct SampleTally {
    /// How often a gate failed.
    struct Gate {
        var alarms = 0
        var finds = 0

        /// Counts an alarm when the P95s of two equal systems lie more than the margin apart, and the evidence says so too;
        /// and a find when they do so with the second slowed down by twice the margin.
        mutating func count(ratio: Double, evidence: ClosedRange<Double>?, margin: Double) {
            guard let evidence else { return }
            let (limit, slowdown) = (1 + margin, 1 + 2 * margin)
            let isSlower = ratio > limit && evidence.lowerBound > limit
            let isFaster = ratio < 1 / limit && evidence.upperBound < 1 / limit
            if isSlower || isFaster { alarms += 1 }
            if ratio * slowdown > limit, evidence.lowerBound * slowdown > limit { finds += 1 }
        }
    }

    /// Of the first run's P95s, as shares of the true one.
    var sum = 0.0
    /// Of the widths of the first run's intervals, as shares of the true P95.
    var width = 0.0
    /// How many first runs had an interval.
    var bounded = 0
    var plain = Gate()
    var firm = Gate()
    var paired = Gate()

    /// Bias, width, and each gate's alarms and finds, in percent.
    func cells(of repetitions: Int) -> [String] {
        func percent(_ value: Double) -> String { String(format: "%.1f", value * 100) }
        let counts = [plain, firm, paired].flatMap { [$0.alarms, $0.finds] }
        return [
            percent(sum / Double(repetitions) - 1),
            bounded * 2 > repetitions ? percent(width / Double(bounded)) : "none",
        ] + counts.map { percent(Double($0) / Double(repetitions)) }
    }
}
