public import Basics

/// Metrics of one inference (S3-21).
public struct InferenceMetrics: Sendable, Equatable {
    /// Time of the end since monitoring began.
    public var time: Duration
    /// Wall-clock time from input to output.
    public var latency: Duration
    /// Memory of the model in bytes; nil if it was not measured.
    public var memoryBytes: Int?
    /// Battery use of half an hour at this pace, in percent; nil without an estimate.
    public var batteryPercentPer30Minutes: Double?

    /// Creates the metrics; a battery estimate that is not a number counts as none.
    public init(
        time: Duration = .zero,
        latency: Duration,
        memoryBytes: Int? = nil,
        batteryPercentPer30Minutes: Double? = nil
    ) {
        (self.time, self.latency, self.memoryBytes) = (time, latency, memoryBytes)
        self.batteryPercentPer30Minutes = batteryPercentPer30Minutes.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Whole nanoseconds from none to a day, so that sums of them stay in range for any latency.
    fileprivate var nanoseconds: Int64 {
        let (whole, part) = min(max(.zero, latency), .seconds(86_400)).components
        return whole * 1_000_000_000 + part / 1_000_000_000
    }
}

/// Cost of a number of inferences (S3-22); nil where there are too few.
public struct PerformanceStatistics: Sendable, Equatable {
    /// Number of inferences.
    public var sampleCount: Int
    /// The mean.
    public var averageMilliseconds: Double?
    /// The least.
    public var minimumMilliseconds: Double?
    /// The most.
    public var maximumMilliseconds: Double?
    /// The median in milliseconds; nil with fewer than two inferences.
    public var p50: Double?
    /// The 95th percentile in milliseconds, which alerts go by; nil with fewer than twenty (K-3).
    public var p95: Double?
    /// The 99th percentile in milliseconds; nil with fewer than a hundred.
    public var p99: Double?
    /// Number that took no longer than the target's P95.
    public var compliantCount: Int
    /// Mean of the measured values.
    public var averageMemoryBytes: Double?
    /// The most of them.
    public var peakMemoryBytes: Int?
    /// The mean of the estimates.
    public var batteryPercentPer30Minutes: Double?

    /// The share that took no longer than the target's P95, 0…1.
    public var targetComplianceRate: Double? { sampleCount > 0 ? Double(compliantCount) / Double(sampleCount) : nil }

    /// Creates the statistics of one model's inferences, in any order.
    public init(of metrics: [InferenceMetrics], target: ModelTarget, rule: PercentileMethod = .nearestRank) {
        let sorted = metrics.map(\.nanoseconds).sorted()
        func percentile(_ percent: Int) -> Double? {
            guard sorted.count >= Percentile.minimumCountToDescribe(percent) else { return nil }
            return Double(sorted[Percentile.index(percent, of: sorted.count, method: rule)]) / 1e6
        }
        func mean(_ values: [Double]) -> Double? {
            values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
        sampleCount = sorted.count
        averageMilliseconds = sorted.isEmpty ? nil : Double(sorted.reduce(0, +)) / Double(sorted.count) / 1e6
        minimumMilliseconds = sorted.first.map { Double($0) / 1e6 }
        maximumMilliseconds = sorted.last.map { Double($0) / 1e6 }
        (p50, p95, p99) = (percentile(50), percentile(95), percentile(99))
        let limit = Int64(min(target.p95Milliseconds * 1e6, 9e18))
        compliantCount = sorted.count { $0 <= limit }
        let memory = metrics.compactMap(\.memoryBytes)
        averageMemoryBytes = mean(memory.map(Double.init))
        peakMemoryBytes = memory.max()
        batteryPercentPer30Minutes = mean(metrics.compactMap(\.batteryPercentPer30Minutes))
    }
}

/// The last inferences of one model, with their statistics and alerts.
///
/// A value without a clock.
public struct PerformanceWindow: Sendable {
    /// Limits of the window.
    public struct Limits: Sendable, Hashable {
        /// Inferences, at most; more than none.
        public var count: Int
        /// Maximum age of inferences that count.
        public var time: Duration
        /// An alert that is over, or less bad, is so only after so long: one about a figure near its limit would come
        /// and go.
        public var settling: Duration

        /// Creates a window with the documents' limits by default.
        public init(count: Int = 100, time: Duration = .seconds(60), settling: Duration = .seconds(5)) {
            precondition(count > 0, "a window holds inferences")
            (self.count, self.time, self.settling) = (count, time, settling)
        }
    }

    private struct ActiveAlert {
        var alert: PerformanceAlert
        /// Time since which the figures would give a lesser alert.
        var lesserSince: Duration?
        /// Whether the alert dates from before ``forget()`` and may be outdated.
        var isStale = false
    }

    /// Target of the model.
    public let target: ModelTarget
    private let limits: Limits
    private let percentileRule: PercentileMethod
    /// Inferences that count, in the order of their ends.
    private var inferences: [InferenceMetrics] = []
    private var active: [PerformanceAlert.Kind: ActiveAlert] = [:]

    /// Creates a window without inferences.
    public init(
        target: ModelTarget,
        limits: Limits = Limits(),
        percentileRule: PercentileMethod = .nearestRank
    ) {
        (self.target, self.limits, self.percentileRule) = (target, limits, percentileRule)
    }

    /// Number of inferences that count.
    public var count: Int { inferences.count }

    /// Statistics of the inferences that count.
    public var statistics: PerformanceStatistics {
        PerformanceStatistics(of: inferences, target: target, rule: percentileRule)
    }

    /// Current alerts, by the inferences since ``forget()``.
    public var alerts: [PerformanceAlert] {
        PerformanceAlert.Kind.allCases.compactMap { active[$0] }.filter { !$0.isStale }.map(\.alert)
    }

    /// Takes an inference in.
    ///
    /// - Parameter metrics: of this model; its time is not before the last one's.
    /// - Returns: alerts that began, changed or ended with it.
    public mutating func add(_ metrics: InferenceMetrics) -> [AlertChange] {
        expire(at: metrics.time)
        if inferences.count == limits.count { inferences.removeFirst() }
        inferences.append(metrics)
        let statistics = statistics
        return PerformanceAlert.Kind.allCases.compactMap { kind in
            AlertRules.judge(kind, statistics, target, at: metrics.time).flatMap {
                change(kind, to: $0.alert, at: metrics.time)
            }
        }
    }

    /// Removes outdated inferences; alerts wait for the next inference.
    public mutating func expire(at time: Duration) {
        inferences.removeAll { time - $0.time > limits.time }
    }

    /// Removes all inferences, as after a change of quality, because they do not describe the new one.
    ///
    /// An alert stays open until enough new ones show whether it continues or is over.
    public mutating func forget() {
        inferences = []
        for kind in active.keys { active[kind]?.isStale = true }
    }

    private mutating func change(
        _ kind: PerformanceAlert.Kind,
        to alert: PerformanceAlert?,
        at time: Duration
    ) -> AlertChange? {
        let known = active[kind]
        if let known, !known.isStale, alert.map({ $0.severity <= known.alert.severity }) ?? true {
            let since = alert?.severity == known.alert.severity ? nil : known.lesserSince ?? time
            active[kind]?.lesserSince = since
            guard let since, time - since >= limits.settling else { return nil }
        }
        active[kind] = alert.map { ActiveAlert(alert: $0) }
        if let alert { return .raised(alert) }
        guard var over = known?.alert else { return nil }
        over.time = time
        return .recovered(over)
    }
}
