import Foundation
package import ScanningPolicies

/// Thermal states of a device, and what they do to its compute units.
///
/// A state begins at a temperature of the skin, and is left some kelvin below it, so that it does not flutter.
package struct ThermalStates: Sendable, Equatable {
    /// In the order in which they begin; `unknown` is none of them.
    package static let rising: [ThermalState] = [.nominal, .fair, .serious, .critical]

    // By place in `rising`; nominal begins at no temperature.
    private let beginnings: [Double]
    private let speeds: [Double]
    private let hysteresis: Double
    private let powerExponent: Double

    /// The states of a device.
    ///
    /// - Parameter values: of the device, with thresholds that rise and speeds that do not.
    package init(_ values: DeviceValues) {
        beginnings = [-.infinity, values[.fairAt], values[.seriousAt], values[.criticalAt]]
        speeds = [1, values[.fairSpeed], values[.seriousSpeed], values[.criticalSpeed]]
        hysteresis = values[.hysteresis]
        powerExponent = values[.throttlePowerExponent]
    }

    /// The state that follows another.
    ///
    /// A step that falls past several states gives what many small ones give.
    ///
    /// - Parameters:
    ///   - state: until now.
    ///   - skin: its temperature now, in °C.
    /// - Returns: the highest state that has begun or is not left yet; never `unknown`.
    package func next(after state: ThermalState, skin: Double) -> ThermalState {
        let before = place(state)
        let place = beginnings.indices.last { skin >= beginnings[$0] - ($0 <= before ? hysteresis : 0) }
        return Self.rising[place ?? 0]
    }

    /// All speeds beside those at nominal; 1 for `unknown`.
    package func speed(_ state: ThermalState) -> Double { speeds[place(state)] }

    /// The power of a compute unit that works, beside its power at nominal.
    package func power(_ state: ThermalState) -> Double { pow(speed(state), powerExponent) }

    private func place(_ state: ThermalState) -> Int { Self.rising.firstIndex(of: state) ?? 0 }
}
