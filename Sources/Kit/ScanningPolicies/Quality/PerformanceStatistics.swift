public import Basics

/// Cost of a number of inferences (S3-22).
public struct PerformanceStatistics: Sendable, Equatable, Codable {
    /// A percentile of latency, or the reason for its absence.
    public struct LatencyPercentile: Sendable, Equatable, Codable {
        /// Value in milliseconds; nil with too few inferences.
        public var milliseconds: Double?
        /// Reason for a missing value; nil if there is one.
        public var reason: String?
    }

    /// Number of inferences.
    public var sampleCount: Int
    /// The mean; nil without inferences.
    public var averageMilliseconds: Double?
    /// The least; nil without inferences.
    public var minimumMilliseconds: Double?
    /// The most; nil without inferences.
    public var maximumMilliseconds: Double?
    /// The median.
    public var p50: LatencyPercentile
    /// Figures that alerts go by.
    public var p95: LatencyPercentile
    /// 99th percentile; absent with fewer than a hundred inferences (K-3).
    public var p99: LatencyPercentile
    /// Number that took no longer than the target's P95.
    public var compliantCount: Int
    /// Mean of the measured values; nil without any.
    public var averageMemoryBytes: Double?
    /// The most of them.
    public var peakMemoryBytes: Int?
    /// The mean of the estimates; nil without any.
    public var batteryPercentPer30Minutes: Double?

    /// The share that took no longer than the target's P95, 0…1; nil without inferences.
    public var targetComplianceRate: Double? { sampleCount > 0 ? Double(compliantCount) / Double(sampleCount) : nil }

    /// Creates the statistics of one model's inferences, in any order.
    public init(of metrics: [InferenceMetrics], target: ModelTarget, rule: PercentileMethod = .nearestRank) {
        self.init(
            sorted: metrics.map(\.latency.countedNanoseconds).sorted(),
            sum: metrics.reduce(0) { $0 + $1.latency.countedNanoseconds },
            memory: metrics.compactMap(\.memoryBytes),
            battery: metrics.compactMap(\.batteryPercentPer30Minutes),
            target: target,
            rule: rule
        )
    }

    /// Creates the statistics of ascending latencies in ns with their sum, and of memory in bytes.
    init(sorted: [Int64], sum: Int64, memory: [Int], battery: [Double], target: ModelTarget, rule: PercentileMethod) {
        let count = sorted.count
        func percentile(_ percent: Int) -> LatencyPercentile {
            let minimum = Percentile.minimumCountToDescribe(percent)
            guard count >= minimum else {
                return LatencyPercentile(reason: "P\(percent) needs \(minimum) inferences, and there are \(count)")
            }
            let index = Percentile.index(percent, of: count, method: rule)
            return LatencyPercentile(milliseconds: Double(sorted[index]) / 1e6)
        }
        sampleCount = count
        averageMilliseconds = count > 0 ? Double(sum) / Double(count) / 1e6 : nil
        minimumMilliseconds = sorted.first.map { Double($0) / 1e6 }
        maximumMilliseconds = sorted.last.map { Double($0) / 1e6 }
        p50 = percentile(50)
        p95 = percentile(95)
        p99 = percentile(99)
        compliantCount = sorted.countUpTo(Int64(min(target.p95Milliseconds * 1e6, 9e18)))
        averageMemoryBytes = memory.isEmpty ? nil : memory.reduce(0) { $0 + Double($1) } / Double(memory.count)
        peakMemoryBytes = memory.max()
        batteryPercentPer30Minutes = battery.isEmpty ? nil : battery.reduce(0, +) / Double(battery.count)
    }
}

extension Duration {
    /// Whole nanoseconds from none to a day, so that sums of them stay in range for any latency.
    var countedNanoseconds: Int64 {
        let (whole, part) = min(max(.zero, self), .seconds(86_400)).components
        return whole * 1_000_000_000 + part / 1_000_000_000
    }
}

extension [Int64] {
    /// Returns the number of these ascending numbers that are not above a limit.
    func countUpTo(_ limit: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= limit { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
