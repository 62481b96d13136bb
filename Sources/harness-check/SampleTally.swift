import Foundation

/// What one P95 formula gave for one number of samples, over many pairs of runs.
struct SampleTally {
    /// Of the first run's P95s, as shares of the true one.
    var sum = 0.0
    /// Of the widths of the first run's intervals, as shares of the true P95.
    var width = 0.0
    /// How many first runs had an interval.
    var bounded = 0
    var alarms = 0
    var finds = 0
    var firmAlarms = 0
    var firmFinds = 0

    /// Bias, width, and both gates' alarms and finds, in percent.
    func cells(of repetitions: Int) -> [String] {
        func percent(_ value: Double) -> String { String(format: "%.1f", value * 100) }
        let shares = [alarms, finds, firmAlarms, firmFinds].map { percent(Double($0) / Double(repetitions)) }
        return [
            percent(sum / Double(repetitions) - 1),
            bounded * 2 > repetitions ? percent(width / Double(bounded)) : "none",
        ] + shares
    }
}
