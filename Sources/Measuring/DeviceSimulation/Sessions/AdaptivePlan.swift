package import ScanningPolicies

/// Plan by which the reader of a session gives way when it is too slow, or the device too warm (S3-27).
package struct AdaptivePlan: Sendable, Equatable, Codable {
    /// Cost of a reading at a lower quality, beside the best one.
    package struct Level: Sendable, Equatable, Codable {
        /// Of the time on the CPU and the unit.
        package var cost: Double
        /// Of what the app holds.
        package var memory: Double

        package init(cost: Double, memory: Double) {
            self.cost = cost
            self.memory = memory
        }
    }

    package var target: ModelTarget
    /// Assumed, where nobody has measured it.
    package var medium = Level(cost: 0.5, memory: 0.7)
    /// Likewise.
    package var low = Level(cost: 0.35, memory: 0.7)
    /// Of one thread, at full speed, when a reader is loaded.
    package var loadSeconds = 0.3

    /// Beside the best.
    package func level(_ quality: ReadingQuality?) -> Level {
        switch quality {
        case .high: Level(cost: 1, memory: 1)
        case .medium: medium
        case .low: low
        case nil: Level(cost: 0, memory: 0)
        }
    }
}

/// The reader's quality in a session, as `AdaptiveReader` keeps it.
struct AdaptiveRun {
    let plan: AdaptivePlan
    private var control: QualityControl
    private var loaded: ReadingQuality?
    private(set) var changes: [SessionOutcome.QualityChange] = []
    private(set) var alerts = 0

    init(_ plan: AdaptivePlan) {
        self.plan = plan
        let settings = DegradationLadder.Settings(isCritical: plan.target.isCritical)
        control = QualityControl(window: PerformanceWindow(target: plan.target), ladder: DegradationLadder(settings))
        loaded = control.ladder.quality
    }

    var quality: ReadingQuality? { control.ladder.quality }

    func minimumInterval(_ own: Duration?) -> Duration? { control.ladder.minimumInterval(own) }

    /// Looks at how the device is doing, before a frame is decided on.
    ///
    /// - Returns: whether a reader has to be loaded first.
    mutating func prepare(_ conditions: DeviceConditions, at time: Int) -> Bool {
        follow(control.note(conditions, at: .nanoseconds(time)), at: time)
        defer { loaded = quality }
        return quality != nil && quality != loaded
    }

    /// Notes a reading alone: its latency and the time of its end in nanoseconds, what the app holds at the best quality in
    /// MB, 0 when nobody knows, and what the units would take of the battery in half an hour.
    mutating func note(
        latency: Int,
        memory: Double,
        batteryPercent: Double,
        _ conditions: DeviceConditions,
        at time: Int
    ) {
        let metrics = InferenceMetrics(
            model: plan.target.name,
            time: .nanoseconds(time),
            latency: .nanoseconds(latency),
            memoryBytes: memory > 0 ? Int(memory * plan.level(quality).memory * 1e6) : nil,
            batteryPercentPer30Minutes: batteryPercent
        )
        follow(control.note(metrics, under: conditions), at: time)
    }

    private mutating func follow(_ actions: [DegradationLadder.Action], at time: Int) {
        for action in actions {
            let second = VirtualTime.seconds(time).rounded(toDigits: 6)
            switch action {
            case .log: alerts += 1
            case .setFrequency: break
            case .switchTo(let quality, let reason):
                changes.append(.init(second: second, quality: quality, reason: reason))
            case .unload(let reason): changes.append(.init(second: second, quality: nil, reason: reason))
            case .recover(let quality): changes.append(.init(second: second, quality: quality, reason: nil))
            }
        }
    }
}
