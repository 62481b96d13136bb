/// Quality of a model by its cost: three levels, and off below them (S3-15).
public enum ReadingQuality: String, Sendable, Codable, CaseIterable, Comparable, CodingKeyRepresentable {
    case high, medium, low

    /// Returns the next lower quality; nil for the lowest, below which the model is off.
    public func degrade() -> ReadingQuality? { Self.allCases.first { $0 < self } }

    /// Returns the next higher quality; nil for the highest.
    public func upgrade() -> ReadingQuality? { Self.allCases.last { $0 > self } }

    /// Returns whether the left quality is lower.
    public static func < (left: ReadingQuality, right: ReadingQuality) -> Bool { left.rank < right.rank }

    private var rank: Int { self == .high ? 2 : self == .medium ? 1 : 0 }
}

/// Level of a reader of spines at a quality: accurate, then fast, then fast with a smaller picture and less often.
public struct ReadingLevel: Sendable, Hashable, Codable {
    /// Tier of the active reader: "accurate" or "fast".
    public var tier: String
    /// Scale at which the picture is searched, beside the tier's own size, 0…1.
    public var inputScale: Double
    /// Frequency of its work, beside the highest quality.
    ///
    /// The documents have no table for readers, so that their percentages of device tiers hold: 25 % and 50 % less
    /// (K-16).
    public var frequencyShare: Double

    /// - Parameter quality: the requested one.
    public init(_ quality: ReadingQuality) {
        switch quality {
        case .high: (tier, inputScale, frequencyShare) = ("accurate", 1, 1)
        case .medium: (tier, inputScale, frequencyShare) = ("fast", 1, 0.75)
        case .low: (tier, inputScale, frequencyShare) = ("fast", 0.75, 0.5)
        }
    }
}

/// Conditions of a device that the quality of a model depends on.
public struct DeviceConditions: Sendable, Hashable, Codable {
    /// Thermal state.
    public var thermalState: ThermalState
    /// Whether the system has asked for memory back, and has not got enough yet.
    public var hasMemoryWarning: Bool
    /// Battery level, 0…1; nil if unknown.
    public var batteryLevel: Double?
    /// Whether its owner has asked it to save power.
    public var isLowPower: Bool

    /// Creates the conditions of a cool device without problems by default.
    public init(
        thermalState: ThermalState = .nominal,
        hasMemoryWarning: Bool = false,
        batteryLevel: Double? = nil,
        isLowPower: Bool = false
    ) {
        (self.thermalState, self.hasMemoryWarning) = (thermalState, hasMemoryWarning)
        (self.batteryLevel, self.isLowPower) = (batteryLevel, isLowPower)
    }
}

/// Rules for heat and the battery (S3-39, S3-40).
public struct PowerRules: Sendable, Hashable, Codable {
    /// Share of the battery below which optional models are off.
    public var lowBattery = 0.2
    /// Frequency of a model's work when the device is fair, relative to nominal.
    ///
    /// The documents require "reduce inference frequency when hot"; the shares are those of their device tiers
    /// (K-16).
    public var fairShare = 0.75
    /// Frequency of a model's work when the device is serious, relative to nominal.
    public var seriousShare = 0.5

    /// Creates the documents' settings.
    public init() {}

    /// Returns the best quality that the battery allows.
    ///
    /// - Returns: one lower than `best` in low-power mode, where there is one; nil for a model that is to be off.
    public func ceiling(
        _ best: ReadingQuality,
        isCritical: Bool,
        under conditions: DeviceConditions
    ) -> ReadingQuality? {
        if !isCritical, let level = conditions.batteryLevel, level < lowBattery { return nil }
        return conditions.isLowPower ? best.degrade() ?? best : best
    }

    /// Returns the frequency of a model's work relative to nominal; 0 for off.
    public func frequencyShare(_ state: ThermalState) -> Double {
        switch state {
        case .nominal, .unknown: 1
        case .fair: fairShare
        case .serious: seriousShare
        case .critical: 0
        }
    }
}
