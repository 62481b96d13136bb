/// Decides how well a model works, by what is said of it and how the device is doing (S3-27, S3-39, S3-40).
///
/// First an alert is logged; a warning has the model work less often; a critical one takes it one quality lower; below
/// the lowest it is unloaded. A memory warning and a critical temperature unload it at once. It comes back one quality
/// at a time, after a quiet time each. A value without a clock: the live pipeline and the simulation of a session use
/// the same one.
public struct DegradationLadder: Sendable, Equatable {
    /// Settings of a ladder.
    public struct Settings: Sendable, Equatable {
        /// Where it begins, and what it comes back to.
        public var best: ReadingQuality
        /// Whether the app cannot do without the model.
        public var isCritical: Bool
        /// Whether alerts may unload it below the lowest quality: an app that is there to read had better read slowly.
        public var unloadsOnAlerts: Bool
        /// Rules of what heat and the battery allow.
        public var power = PowerRules()
        /// Frequency at each quality; beside the highest, or any other unit.
        public var frequencyShares = ReadingLevel.frequencyShares
        /// Frequency while a warning stands, beside its quality's share.
        public var warningShare = 0.75
        /// After a change of quality none of the alerts leads to the next one for so long.
        public var dwell = Duration.seconds(2)
        /// For so long nothing has spoken for less before the model comes back a step.
        public var quiet = Duration.seconds(30)
        /// So many times `quiet` at most, which doubles each time that coming back did not last as long.
        public var longestQuietFactor = 8

        /// As the documents have it, but for what is said.
        public init(best: ReadingQuality = .high, isCritical: Bool = true, unloadsOnAlerts: Bool = true) {
            self.best = best
            self.isCritical = isCritical
            self.unloadsOnAlerts = unloadsOnAlerts
        }
    }

    /// Why a model gets less.
    public enum Reason: String, Sendable, Codable, CaseIterable {
        case latency, memory, battery, compliance
        case memoryWarning = "memory-warning"
        case heat
        case lowPower = "low-power"
        /// The battery is nearly empty, and the app can do without the model.
        case lowBattery = "low-battery"
    }

    /// Action to be taken.
    public enum Action: Sendable, Equatable {
        /// Note it; somebody may look into it.
        case log(PerformanceAlert)
        /// Work so often, beside the best quality on a cool device.
        case setFrequency(share: Double)
        /// Go on with a lower quality.
        case switchTo(ReadingQuality, Reason)
        /// Do without, and give its memory back.
        case unload(Reason)
        /// Go on with a higher quality, or load again.
        case recover(to: ReadingQuality)
    }

    /// Settings.
    public let settings: Settings
    /// nil when the model is unloaded.
    public private(set) var quality: ReadingQuality?
    /// Frequency of its work, beside the best quality on a cool device.
    public private(set) var frequencyShare = 1.0
    private var logged: [PerformanceAlert] = []
    private var lastStep: Duration?
    /// When something spoke for less the last time.
    private var lastUnrest: Duration?
    private var lastRecovery: Duration?
    private var quietFactor = 1

    /// - Parameter settings: what it is told once.
    public init(_ settings: Settings = Settings()) {
        self.settings = settings
        quality = settings.best
    }

    /// The shortest time between the beginnings of two inferences.
    ///
    /// - Parameter own: at the best quality on a cool device; nil for none.
    /// - Returns: at the present one; where there was none, one grows from ``ThermalPolicy/interval``'s shortest.
    public func minimumInterval(_ own: Duration?) -> Duration? {
        frequencyShare == 1 ? own : (own ?? .milliseconds(150)) / frequencyShare
    }

    /// Decides; called after inferences, and often enough besides for the device's own conditions.
    ///
    /// - Parameters:
    ///   - alerts: what holds now; those that were raised before the last step, or with it, lead to none.
    ///   - conditions: of the device.
    ///   - time: on the alerts' clock; not before the last one.
    /// - Returns: what is to be done, in this order.
    public mutating func decide(
        alerts: [PerformanceAlert],
        conditions: DeviceConditions,
        at time: Duration
    ) -> [Action] {
        var actions = alerts.filter { !logged.contains($0) }.map(Action.log)
        logged = alerts
        let ceiling = settings.power.ceiling(settings.best, isCritical: settings.isCritical, under: conditions)
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
        } else if let quality, let alert = fresh.first(where: { $0.severity == .critical }), isDwellOver(at: time),
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
        if quality != nil, wanted < frequencyShare {
            lastUnrest = time
            setShare(wanted, &actions)
        } else if quality != nil, isQuiet(at: time) {
            setShare(wanted, &actions)
        }
        return actions
    }

    private func wantedShare(_ alerts: [PerformanceAlert], _ conditions: DeviceConditions) -> Double {
        let shares = settings.frequencyShares
        guard let quality, let own = shares[quality], let best = shares[settings.best], best > 0 else {
            return frequencyShare
        }
        let isWarned = alerts.contains { $0.severity == .warning }
        let heat = settings.power.frequencyShare(conditions.thermalState)
        return own / best * heat * (isWarned ? settings.warningShare : 1)
    }

    private mutating func setShare(_ share: Double, _ actions: inout [Action]) {
        guard share != frequencyShare else { return }
        frequencyShare = share
        actions.append(.setFrequency(share: share))
    }

    private mutating func step(to lower: ReadingQuality?, at time: Duration) {
        if let lastRecovery, time - lastRecovery < settings.quiet * quietFactor {
            quietFactor = min(2 * quietFactor, settings.longestQuietFactor)
        } else {
            quietFactor = 1
        }
        quality = lower
        (lastStep, lastUnrest) = (time, time)
    }

    private func isDwellOver(at time: Duration) -> Bool { lastStep.map { time - $0 >= settings.dwell } ?? true }

    private func isQuiet(at time: Duration) -> Bool {
        lastUnrest.map { time - $0 >= settings.quiet * quietFactor } ?? true
    }
}

extension DegradationLadder.Reason {
    /// Both have the same names for the kinds.
    init(_ kind: PerformanceAlert.Kind) { self = Self(rawValue: kind.rawValue) ?? .compliance }
}

extension ReadingLevel {
    /// Frequencies of a reader's work at each quality, beside the highest.
    public static let frequencyShares = ReadingQuality.allCases.reduce(into: [ReadingQuality: Double]()) {
        $0[$1] = ReadingLevel($1).frequencyShare
    }
}
