package import Basics
import DeviceSimulation
import Foundation

/// Latencies of one measurement on one machine, in memory that does not grow with them.
struct LatencyTally {
    /// In µs.
    private var readings = LogHistogram()
    private(set) var timeouts = 0
    private(set) var sampleCount = 0

    mutating func add(milliseconds: Double?, isTimeout: Bool, isFirst: Bool) {
        if isFirst { sampleCount += 1 }
        if isTimeout { timeouts += 1 } else if let milliseconds { readings.add(Int((milliseconds * 1_000).rounded())) }
    }

    var count: Int { readings.count }

    /// The value below which a share of the readings lies, in ms: within a thirty-second of it; nil where readings timed out.
    func quantile(_ share: Double, buckets: [(end: Int, bucket: LogHistogram.Bucket)]) -> Double? {
        let rank = max(1, (share * Double(count + timeouts)).rounded(.up))
        guard rank <= Double(count) else { return nil }
        var (low, high) = (0, buckets.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if Double(buckets[middle].end) < rank { low = middle + 1 } else { high = middle }
        }
        let (end, bucket) = buckets[low]
        let inside = (rank - Double(end - bucket.count)) / Double(bucket.count)
        return (Double(bucket.lower) + Double(bucket.upper - bucket.lower) * inside) / 1_000
    }

    /// Buckets with the rank of their last reading.
    var buckets: [(end: Int, bucket: LogHistogram.Bucket)] {
        var end = 0
        return readings.buckets.map { bucket in
            end += bucket.count
            return (end, bucket)
        }
    }
}

/// Latencies of one measurement on one machine.
package struct HostLatency: Sendable, Equatable, Codable {
    package var measurement: String
    package var machine: String
    package var readings: Int
    package var timeouts: Int
    package var samples: Int
    /// In ms, by percent: 50, 90, 95, 99.
    ///
    /// Absent with fewer readings than ``Percentile/minimumCount(for:)``.
    package var percentiles: [String: Figure]
}

/// A percentile over several machines: the mean of theirs, weighted by their samples; readings of two machines are never ranked together.
package struct StratifiedPercentile: Sendable, Equatable, Codable {
    package static let percents = [50, 90, 95, 99]

    package var measurement: String
    package var percent: Int
    /// Machines that have such a percentile, and all of them.
    package var machines: Int
    package var machinesInAll: Int
    /// In ms.
    package var value: Figure
    /// At 95 %: the rank of the percentile is drawn anew on every machine, as many samples as it read; samples of one photo
    /// are taken for independent.
    package var interval: IntervalFigure

    /// Draws of the ranks.
    private static let draws = 2_000

    init(_ measurement: String, _ percent: Int, _ tallies: [LatencyTally]) {
        (self.measurement, self.percent, machinesInAll) = (measurement, percent, tallies.count)
        let share = Double(percent) / 100
        let strata = tallies.compactMap { tally -> Stratum? in
            guard tally.count + tally.timeouts >= Percentile.minimumCount(for: percent) else { return nil }
            let buckets = tally.buckets
            guard tally.quantile(share, buckets: buckets) != nil else { return nil }
            return Stratum(tally: tally, buckets: buckets)
        }
        machines = strata.count
        guard !strata.isEmpty else {
            (value, interval) = (.absent("too few readings on every machine"), .absent("no figure"))
            return
        }
        value = Self.mean(strata) { _ in share }.map { .value($0) } ?? .absent("no samples")
        var random = SplitMix64(state: UInt64(percent))
        var drawn: [Double] = []
        for _ in 0..<Self.draws {
            let mean = Self.mean(strata) { samples in
                // The share of all values that lies below the percentile of so many: normal, by its standard error.
                let normal = Normal.quantile(min(max(random.nextDouble(), 1e-9), 1 - 1e-9))
                let error = (share * (1 - share) / Double(max(1, samples))).squareRoot()
                return min(1, max(0, share + error * normal))
            }
            if let mean { drawn.append(mean) }
        }
        drawn.sort()
        interval =
            drawn.count * 100 < Self.draws * 99
            ? .absent("readings timed out") : .value(drawn[drawn.count * 25 / 1_000]...drawn[drawn.count * 975 / 1_000])
    }

    private struct Stratum {
        var tally: LatencyTally
        var buckets: [(end: Int, bucket: LogHistogram.Bucket)]
    }

    private static func mean(_ strata: [Stratum], share: (_ samples: Int) -> Double) -> Double? {
        var (sum, weight) = (0.0, 0.0)
        for stratum in strata {
            let samples = Double(stratum.tally.sampleCount)
            guard let value = stratum.tally.quantile(share(stratum.tally.sampleCount), buckets: stratum.buckets) else {
                return nil
            }
            sum += samples * value
            weight += samples
        }
        return weight > 0 ? sum / weight : nil
    }
}
