/// Controls the quality of a model, by its alerts and the state of the device (S3-27, S3-39, S3-40).
///
/// First an alert is logged; a warning makes the model work less often; a critical one lowers its quality by one
/// step; below the lowest it is unloaded. A memory warning and a critical temperature unload it at once. It recovers
/// one quality at a time, after a quiet time each. A value without a clock.
public struct DegradationLadder: Sendable, Equatable {
    /// Settings of a ladder.
    public struct Settings: Sendable, Equatable {
        /// Initial quality, and the highest one after recovery.
        public var best: ReadingQuality
        /// Whether the app requires the model.
        public var isCritical: Bool
        /// Whether alerts may unload the model below the lowest quality: an app whose purpose is reading should read
        /// slowly instead.
        public var unloadsOnAlerts: Bool
        /// Minimum time without a reason for less before the model recovers by one step; it doubles, to the eightfold
        /// at most, each time that a recovery did not last as long.
        public var quiet = Duration.seconds(30)

        /// Creates settings with the documents' values, except for the given ones.
        public init(best: ReadingQuality = .high, isCritical: Bool = true, unloadsOnAlerts: Bool = true) {
            (self.best, self.isCritical, self.unloadsOnAlerts) = (best, isCritical, unloadsOnAlerts)
        }
    }

    /// The reason for a lower quality.
    public enum Reason: String, Sendable, Codable, CaseIterable {
        case latency, memory, battery, compliance
        case memoryWarning = "memory-warning"
        case heat
        case lowPower = "low-power"
        /// The battery is nearly empty, and the app does not require the model.
        case lowBattery = "low-battery"
    }

    /// Action to be taken.
    public enum Action: Sendable, Equatable {
        /// Log the alert for a later analysis.
        case log(PerformanceAlert)
        /// Work so often, beside the best quality on a cool device.
        case setFrequency(share: Double)
        /// Continue with a lower quality.
        case switchTo(ReadingQuality, Reason)
        /// Unload the model, and free its memory.
        case unload(Reason)
        /// Continue with a higher quality, or load again.
        case recover(to: ReadingQuality)
    }

    /// Settings.
    public let settings: Settings
    /// Present quality; nil when the model is unloaded.
    public private(set) var quality: ReadingQuality?
    /// Frequency of its work, beside the best quality on a cool device.
    public private(set) var frequencyShare = 1.0
    private var logged: [PerformanceAlert] = []
    private var lastStep: Duration?
    /// Time of the last reason for less.
    private var lastUnrest: Duration?
    private var lastRecovery: Duration?
    private var quietFactor = 1

    /// - Parameter settings: fixed for the ladder's lifetime.
    public init(_ settings: Settings = Settings()) {
        self.settings = settings
        quality = settings.best
    }

    /// The shortest time between the beginnings of two inferences, which grows from ``ThermalPolicy/interval``'s
    /// shortest; nil at the best quality on a cool device.
    public var minimumInterval: Duration? { frequencyShare == 1 ? nil : .milliseconds(150) / frequencyShare }

    /// Returns the next actions; called after inferences, and often enough besides for the device's own conditions.
    ///
    /// - Parameters:
    ///   - alerts: current alerts; those raised before the last step, or with it, have no effect.
    ///   - conditions: of the device.
    ///   - time: on the alerts' clock; not before the last one.
    /// - Returns: the actions, in the order of their execution.
    public mutating func decide(
        alerts: [PerformanceAlert],
        conditions: DeviceConditions,
        at time: Duration
    ) -> [Action] {
        var actions = alerts.filter { !logged.contains($0) }.map(Action.log)
        logged = alerts
        let ceiling = conditions.ceiling(settings.best, isCritical: settings.isCritical)
        let fresh = alerts.filter { alert in lastStep.map { alert.time > $0 } ?? true }
        if fresh.contains(where: { $0.severity >= .warning }) || conditions.thermalState == .serious {
            lastUnrest = time
        }
        guard let ceiling, !conditions.hasMemoryWarning, conditions.thermalState != .critical else {
            lastUnrest = time
            guard quality != nil else { return actions }
            step(to: nil, at: time)
            let reason: Reason =
                conditions.hasMemoryWarning
                ? .memoryWarning : conditions.thermalState == .critical ? .heat : .lowBattery
            return actions + [.unload(reason)]
        }
        if let quality, quality > ceiling {
            step(to: ceiling, at: time)
            actions.append(.switchTo(ceiling, .lowPower))
        } else if let quality, let alert = fresh.first(where: { $0.severity == .critical }), isRested(at: time),
            quality.degrade() != nil || settings.unloadsOnAlerts
        {
            step(to: quality.degrade(), at: time)
            let reason = Reason(alert.kind)
            actions.append(quality.degrade().map { .switchTo($0, reason) } ?? .unload(reason))
        } else if isQuiet(at: time), let next = quality.map({ $0.upgrade() }) ?? .low, next <= ceiling {
            quality = next
            (lastStep, lastRecovery) = (time, time)
            // The next step up is as far away.
            lastUnrest = time
            actions.append(.recover(to: next))
            setShare(wantedShare(fresh, conditions), &actions)
        }
        let wanted = wantedShare(fresh, conditions)
        if wanted < frequencyShare { lastUnrest = time } else if !isQuiet(at: time) { return actions }
        setShare(wanted, &actions)
        return actions
    }

    private func wantedShare(_ alerts: [PerformanceAlert], _ conditions: DeviceConditions) -> Double {
        guard let quality else { return frequencyShare }
        let (own, best) = (ReadingLevel(quality).frequencyShare, ReadingLevel(settings.best).frequencyShare)
        let isWarned = alerts.contains { $0.severity == .warning }
        return own / best * conditions.thermalState.frequencyShare * (isWarned ? 0.75 : 1)
    }

    private mutating func setShare(_ share: Double, _ actions: inout [Action]) {
        guard share != frequencyShare else { return }
        frequencyShare = share
        actions.append(.setFrequency(share: share))
    }

    private mutating func step(to lower: ReadingQuality?, at time: Duration) {
        if let lastRecovery, time - lastRecovery < settings.quiet * quietFactor {
            quietFactor = min(2 * quietFactor, 8)
        } else {
            quietFactor = 1
        }
        quality = lower
        (lastStep, lastUnrest) = (time, time)
    }

    /// Two seconds pass between a change of quality and the next one caused by an alert.
    private func isRested(at time: Duration) -> Bool { lastStep.map { time - $0 >= .seconds(2) } ?? true }

    private func isQuiet(at time: Duration) -> Bool {
        lastUnrest.map { time - $0 >= settings.quiet * quietFactor } ?? true
    }
}

extension DegradationLadder.Reason {
    /// Creates the reason of an alert's kind; both types use the same names.
    init(_ kind: PerformanceAlert.Kind) { self = Self(rawValue: kind.rawValue) ?? .compliance }
}
