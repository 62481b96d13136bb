/// Monitors all inferences of a program's models, and reports when one exceeds its target (S3-20).
public actor PerformanceMonitor {
    /// Alerts that begin, change and end, for one reader.
    ///
    /// Buffers the newest 64: an unread stream loses the oldest, and the models never wait for it.
    public nonisolated let alerts: AsyncStream<AlertChange>

    private let continuation: AsyncStream<AlertChange>.Continuation
    private let now: @Sendable () -> Duration
    private let batteryPercentPer30Minutes: @Sendable (_ share: Double) -> Double?
    private var shares: [String: ReadingShare] = [:]
    private var windows: [String: PerformanceWindow]

    /// Starts monitoring models of different names; `batteryPercentPer30Minutes` is the battery use of half an hour
    /// at a model's share of time, nil if unknown.
    public init<C: Clock>(
        targets: [ModelTarget],
        clock: C = ContinuousClock(),
        batteryPercentPer30Minutes: @escaping @Sendable (_ share: Double) -> Double? = { _ in nil }
    ) where C.Duration == Duration {
        self.batteryPercentPer30Minutes = batteryPercentPer30Minutes
        let start = clock.now
        now = { start.duration(to: clock.now) }
        windows = targets.reduce(into: [:]) { $0[$1.name] = PerformanceWindow(target: $1) }
        (alerts, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    deinit { continuation.finish() }

    /// Takes an inference in that ended just now.
    ///
    /// - Returns: alerts that began, changed or ended with it; none for a model that is not watched.
    @discardableResult
    public func record(_ model: String, latency: Duration) -> [AlertChange] {
        let time = now()
        let share = shares[model, default: ReadingShare()].add(latency, endingAt: time)
        let metrics = InferenceMetrics(
            time: time,
            latency: latency,
            batteryPercentPer30Minutes: batteryPercentPer30Minutes(share)
        )
        guard let changes = windows[model]?.add(metrics) else { return [] }
        for change in changes { continuation.yield(change) }
        return changes
    }

    /// Returns the statistics of a model's last inferences; nil for an unmonitored one.
    public func statistics(of model: String) -> PerformanceStatistics? {
        windows[model]?.expire(at: now())
        return windows[model]?.statistics
    }

    /// Current alerts of all models, in the order of their names.
    public var activeAlerts: [PerformanceAlert] {
        windows.sorted { $0.key < $1.key }.flatMap(\.value.alerts)
    }
}

/// Share of time that a model works, from which its use of the battery follows (S3-05).
public struct ReadingShare: Sendable, Equatable {
    private var start: Duration?
    private var work = Duration.zero

    /// Creates empty statistics.
    public init() {}

    /// Adds an inference.
    ///
    /// - Returns: the share of time since the first one began, 0…1; as if of a minute, while it is shorter.
    public mutating func add(_ latency: Duration, endingAt time: Duration) -> Double {
        let start = start ?? time - latency
        self.start = start
        work += latency
        return min(1, work / max(time - start, .seconds(60)))
    }
}

/// One monitored model: its last inferences, their alerts, and the resulting actions.
///
/// A value without a clock or a model: its owner executes the actions.
public struct QualityControl: Sendable {
    /// The last inferences.
    public private(set) var window: PerformanceWindow
    /// Ladder that the alerts lead to.
    public private(set) var ladder: DegradationLadder
    /// Alerts that were raised and that ended with what was noted last.
    public private(set) var changes: [AlertChange] = []

    /// Creates a model in its initial state.
    public init(window: PerformanceWindow, ladder: DegradationLadder = DegradationLadder()) {
        (self.window, self.ladder) = (window, ladder)
    }

    /// Records the device's conditions, and the inference that ended.
    ///
    /// - Returns: the actions, in the order of their execution.
    public mutating func note(
        _ metrics: InferenceMetrics? = nil,
        under conditions: DeviceConditions,
        at time: Duration
    ) -> [DegradationLadder.Action] {
        changes = metrics.map { window.add($0) } ?? []
        let before = ladder.quality
        let actions = ladder.decide(alerts: window.alerts, conditions: conditions, at: time)
        if ladder.quality != before { window.forget() }
        return actions
    }
}
