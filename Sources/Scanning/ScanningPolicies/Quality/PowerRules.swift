/// Rules of what heat and the battery allow (S3-39, S3-40).
public struct PowerRules: Sendable, Hashable, Codable {
    /// Below this share of the battery, models that an app can do without are off.
    public var lowBattery = 0.2
    /// Frequency of a model's work when the device is fair, beside nominal.
    ///
    /// The documents say "reduce inference frequency when hot"; the shares are those of their device tiers (K-16).
    public var fairShare = 0.75
    /// Likewise at serious.
    public var seriousShare = 0.5

    /// As the documents have them.
    public init() {}

    /// The best quality that the battery allows.
    ///
    /// - Parameters:
    ///   - best: without any rule.
    ///   - isCritical: whether the app cannot do without the model.
    ///   - conditions: of the device.
    /// - Returns: one lower than `best` in low-power mode, where there is one; nil for a model that is to be off.
    public func ceiling(
        _ best: ReadingQuality,
        isCritical: Bool,
        under conditions: DeviceConditions
    ) -> ReadingQuality? {
        if !isCritical, let level = conditions.batteryLevel, level < lowBattery { return nil }
        return conditions.isLowPower ? best.degrade() ?? best : best
    }

    /// Frequency of a model's work beside nominal; 0 when it is to be off.
    public func frequencyShare(_ state: ThermalState) -> Double {
        switch state {
        case .nominal, .unknown: 1
        case .fair: fairShare
        case .serious: seriousShare
        case .critical: 0
        }
    }
}
