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
public struct ReadingLevel: Sendable, Hashable {
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
public struct DeviceConditions: Sendable, Hashable {
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

    /// Returns the best quality that the battery allows (S3-40).
    ///
    /// - Returns: one lower than `best` in low-power mode, where there is one; nil for a model that is to be off, as the
    ///   app can do without it and less than a fifth of the battery is left.
    func ceiling(_ best: ReadingQuality, isCritical: Bool) -> ReadingQuality? {
        if !isCritical, let batteryLevel, batteryLevel < 0.2 { return nil }
        return isLowPower ? best.degrade() ?? best : best
    }
}

extension ThermalState {
    /// Frequency of a model's work beside a cool device; 0 for off (S3-39).
    ///
    /// The documents require "reduce inference frequency when hot"; the shares are those of their device tiers (K-16).
    package var frequencyShare: Double {
        switch self {
        case .nominal, .unknown: 1
        case .fair: 0.75
        case .serious: 0.5
        case .critical: 0
        }
    }
}
