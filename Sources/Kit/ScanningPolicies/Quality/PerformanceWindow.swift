public import Basics

/// The last inferences of one model, with their statistics and alerts.
///
/// A value without a clock: the live monitor and the simulation of a session use the same one. Adding an inference
/// costs a search in a hundred numbers, not a sort.
public struct PerformanceWindow: Sendable {
    /// Limits of the window.
    public struct Limits: Sendable, Hashable, Codable {
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

    /// One kind's alert.
    private struct Standing {
        var alert: PerformanceAlert
        /// Time since which the figures would give a lesser alert.
        var lesserSince: Duration?
        /// Whether the alert dates from before ``forget()`` and may be outdated.
        var isStale = false
    }

    /// Target of the model.
    public let target: ModelTarget
    /// Limits of the alerts.
    public let rules: AlertRules
    /// Limits of the window.
    public let limits: Limits
    /// Method of picking percentiles.
    public let percentileRule: PercentileMethod
    /// Inferences that count, in the order of their ends.
    private var inferences: [InferenceMetrics] = []
    /// Their latencies in ns, ascending.
    private var sorted: [Int64] = []
    private var sum: Int64 = 0
    private var standing: [Standing?] = PerformanceAlert.Kind.allCases.map { _ in nil }

    /// Creates a window without inferences.
    public init(
        target: ModelTarget,
        rules: AlertRules = AlertRules(),
        limits: Limits = Limits(),
        percentileRule: PercentileMethod = .nearestRank
    ) {
        (self.target, self.rules, self.limits, self.percentileRule) = (target, rules, limits, percentileRule)
    }

    /// Number of inferences that count.
    public var count: Int { inferences.count }

    /// Statistics of the inferences that count.
    public var statistics: PerformanceStatistics {
        PerformanceStatistics(
            sorted: sorted,
            sum: sum,
            memory: inferences.compactMap(\.memoryBytes),
            battery: inferences.compactMap(\.batteryPercentPer30Minutes),
            target: target,
            rule: percentileRule
        )
    }

    /// Current alerts, by the inferences since ``forget()``.
    public var alerts: [PerformanceAlert] { standing.compactMap { $0 }.filter { !$0.isStale }.map(\.alert) }

    /// Takes an inference in.
    ///
    /// - Parameter metrics: of this model; its time is not before the last one's.
    /// - Returns: alerts that began, changed or ended with it.
    public mutating func add(_ metrics: InferenceMetrics) -> [AlertChange] {
        expire(at: metrics.time)
        if inferences.count == limits.count { dropFirst() }
        let latency = metrics.latency.countedNanoseconds
        sorted.insert(latency, at: sorted.countUpTo(latency))
        sum += latency
        inferences.append(metrics)
        return update(at: metrics.time)
    }

    /// Removes outdated inferences; alerts wait for the next inference.
    public mutating func expire(at time: Duration) {
        while let first = inferences.first, time - first.time > limits.time { dropFirst() }
    }

    /// Removes all inferences, as after a change of quality, because they do not describe the new one.
    ///
    /// An alert stays open until enough new ones show whether it continues or is over.
    public mutating func forget() {
        inferences = []
        sorted = []
        sum = 0
        for index in standing.indices { standing[index]?.isStale = true }
    }

    private mutating func dropFirst() {
        let latency = inferences.removeFirst().latency.countedNanoseconds
        sorted.remove(at: sorted.countUpTo(latency) - 1)
        sum -= latency
    }

    private mutating func update(at time: Duration) -> [AlertChange] {
        let statistics = statistics
        let found = rules.alerts(for: statistics, target: target, at: time)
        var changes: [AlertChange] = []
        for (index, kind) in PerformanceAlert.Kind.allCases.enumerated() where rules.isKnown(kind, of: statistics) {
            let alert = found.first { $0.kind == kind }
            guard var known = standing[index] else {
                guard let alert else { continue }
                standing[index] = Standing(alert: alert)
                changes.append(.raised(alert))
                continue
            }
            if let alert, known.isStale || alert.severity > known.alert.severity {
                standing[index] = Standing(alert: alert)
                changes.append(.raised(alert))
            } else if alert?.severity == known.alert.severity {
                standing[index]?.lesserSince = nil
            } else {
                let since = known.lesserSince ?? time
                known.lesserSince = since
                standing[index] = known
                guard known.isStale || time - since >= limits.settling else { continue }
                standing[index] = alert.map { Standing(alert: $0) }
                changes.append(alert.map { .raised($0) } ?? .recovered(known.alert.ended(at: time)))
            }
        }
        return changes
    }
}

extension PerformanceAlert {
    fileprivate func ended(at time: Duration) -> PerformanceAlert {
        var alert = self
        alert.time = time
        return alert
    }
}
