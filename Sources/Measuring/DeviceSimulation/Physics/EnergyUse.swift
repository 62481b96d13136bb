/// Where a session's energy went, in J: the sum over components of power × time (after Android's `power_profile.xml`).
package struct EnergyUse: Sendable, Equatable, Codable {
    /// The system with its screen on, whatever an app does.
    package var base = 0.0
    package var display = 0.0
    package var camera = 0.0
    package var cpu = 0.0
    package var gpu = 0.0
    package var neuralEngine = 0.0
    /// Sending, receiving, and the time until the radio sleeps.
    package var radio = 0.0

    /// None.
    package init() {}

    /// In J.
    package var total: Double { base + display + camera + cpu + gpu + neuralEngine + radio }

    /// Of a battery.
    ///
    /// - Parameter values: of the device.
    /// - Returns: percent of what its battery holds.
    package func percent(of values: DeviceValues) -> Double {
        100 * total / (values[.batteryCapacity] * values[.batteryHealth] * 3600)
    }

    /// Adds the energy of a unit's work.
    ///
    /// - Parameters:
    ///   - joules: not negative.
    ///   - unit: what worked.
    package mutating func add(_ joules: Double, of unit: ComputeUnit) {
        switch unit {
        case .cpu: cpu += joules
        case .gpu: gpu += joules
        case .neuralEngine: neuralEngine += joules
        }
    }
}
