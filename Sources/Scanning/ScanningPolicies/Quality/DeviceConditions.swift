/// Conditions of a device that the quality of a model depends on.
public struct DeviceConditions: Sendable, Hashable, Codable {
    /// Thermal state.
    public var thermalState: ThermalState
    /// Whether the system has asked for memory back, and has not got enough yet.
    public var hasMemoryWarning: Bool
    /// 0…1; nil when nobody knows.
    public var batteryLevel: Double?
    /// Whether its owner has asked it to save power.
    public var isLowPower: Bool

    /// - Parameters:
    ///   - thermalState: how warm it is.
    ///   - hasMemoryWarning: whether the system has asked for memory back.
    ///   - batteryLevel: 0…1; nil when nobody knows.
    ///   - isLowPower: whether its owner has asked it to save power.
    public init(
        thermalState: ThermalState = .nominal,
        hasMemoryWarning: Bool = false,
        batteryLevel: Double? = nil,
        isLowPower: Bool = false
    ) {
        self.thermalState = thermalState
        self.hasMemoryWarning = hasMemoryWarning
        self.batteryLevel = batteryLevel
        self.isLowPower = isLowPower
    }
}
