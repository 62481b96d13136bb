import Foundation
package import ScanningPolicies

/// The heat in a device: a chip that warms a skin, and a skin that warms the air.
///
/// Two heat capacities joined by two resistances, after the compact models of the field (Phone-nomenon 2.0; the zones
/// that hobby measurements find have time constants of some seconds for the chip and of about 540 s for the skin):
///
///     Cc · dTc/dt = Pc − (Tc − Ts) / Rc
///     Cs · dTs/dt = Ps + (Tc − Ts) / Rc − (Ts − Ta) / Rs
///
/// A step of any length under constant power is computed by the exact solution, not by integration.
package struct ThermalNetwork: Sendable, Equatable {
    /// Temperatures in °C.
    package struct State: Sendable, Equatable, Codable {
        package var chip: Double
        package var skin: Double
    }

    /// Electrical power that becomes heat, in W.
    package struct Power: Sendable, Equatable {
        /// Power in the chip: the compute units.
        package var chip: Double
        /// Elsewhere: camera, display, radio, and the rest.
        package var skin: Double
    }

    /// Heat capacities in J/K.
    let chipCapacity, skinCapacity: Double
    /// Thermal resistances in K/W.
    let chipResistance, skinResistance: Double
    /// Temperature in °C.
    let ambient: Double
    // Rates of the matrix A of the equations for (Tc, Ts), in 1/s.
    private let a11, a12, a21, a22: Double
    /// The eigenvalues of A in 1/s, both negative and different.
    private let slow, fast: Double

    init(chipCapacity: Double, chipResistance: Double, skinCapacity: Double, skinResistance: Double, ambient: Double) {
        precondition(
            chipCapacity > 0 && chipResistance > 0 && skinCapacity > 0 && skinResistance > 0,
            "capacities and resistances are positive"
        )
        (self.chipCapacity, self.chipResistance) = (chipCapacity, chipResistance)
        (self.skinCapacity, self.skinResistance) = (skinCapacity, skinResistance)
        self.ambient = ambient
        a11 = -1 / (chipCapacity * chipResistance)
        a12 = -a11
        a21 = 1 / (skinCapacity * chipResistance)
        a22 = -(1 / chipResistance + 1 / skinResistance) / skinCapacity
        let half = (a11 + a22) / 2
        // The determinant is 1 / (Cc·Cs·Rc·Rs); the root is real, as a12·a21 is positive.
        let root = ((a11 - a22) * (a11 - a22) / 4 + a12 * a21).squareRoot()
        fast = half - root
        // Not half + root, which loses digits when one eigenvalue is much smaller.
        slow = 1 / (chipCapacity * skinCapacity * chipResistance * skinResistance) / fast
    }

    /// Creates the network of a device in air of `ambient` °C.
    package init(_ values: DeviceValues, ambient: Double) {
        self.init(
            chipCapacity: values[.chipCapacity],
            chipResistance: values[.chipResistance],
            skinCapacity: values[.skinCapacity],
            skinResistance: values[.skinResistance],
            ambient: ambient
        )
    }

    /// Returns the limit of the temperatures under constant power.
    package func steadyState(_ power: Power) -> State {
        let skin = ambient + (power.chip + power.skin) * skinResistance
        return State(chip: skin + power.chip * chipResistance, skin: skin)
    }

    /// Returns the temperatures after a time, not negative, under constant power, and the heat in J that the air took
    /// meanwhile, from its own integral, so that the energy can be checked.
    package func advance(_ state: State, under power: Power, seconds: Double) -> (state: State, heatToAir: Double) {
        let steady = steadyState(power)
        let (chip, skin) = (state.chip - steady.chip, state.skin - steady.skin)
        // exp(A·t) = e^(λ₁t)·(A − λ₂)/(λ₁ − λ₂) + e^(λ₂t)·(A − λ₁)/(λ₂ − λ₁), applied to the distance from the steady
        // state.
        let gap = slow - fast
        let slowChip = ((a11 - fast) * chip + a12 * skin) / gap
        let slowSkin = (a21 * chip + (a22 - fast) * skin) / gap
        let (fastChip, fastSkin) = (chip - slowChip, skin - slowSkin)
        // expm1 keeps the digits of short steps.
        let (slowDecay, fastDecay) = (expm1(slow * seconds), expm1(fast * seconds))
        let end = State(
            chip: state.chip + slowChip * slowDecay + fastChip * fastDecay,
            skin: state.skin + slowSkin * slowDecay + fastSkin * fastDecay
        )
        let excess = slowSkin * slowDecay / slow + fastSkin * fastDecay / fast
        let heat = ((steady.skin - ambient) * seconds + excess) / skinResistance
        return (end, heat)
    }
}

/// Thermal states of a device, and their effect on its compute units.
///
/// A state begins at a temperature of the skin, and is left some kelvin below it, so that it does not flutter.
package struct ThermalStates: Sendable, Equatable {
    /// States in the order in which they begin; `unknown` is not included.
    package static let rising: [ThermalState] = [.nominal, .fair, .serious, .critical]

    // Index as in `rising`; nominal has no starting temperature.
    private let beginnings: [Double]
    private let speeds: [Double]
    private let hysteresis: Double
    private let powerExponent: Double

    /// Creates the states of a device, whose thresholds rise and whose speeds do not.
    package init(_ values: DeviceValues) {
        beginnings = [-.infinity, values[.fairAt], values[.seriousAt], values[.criticalAt]]
        speeds = [1, values[.fairSpeed], values[.seriousSpeed], values[.criticalSpeed]]
        hysteresis = values[.hysteresis]
        powerExponent = values[.throttlePowerExponent]
    }

    /// Returns the state that follows another at a temperature of the skin in °C: the highest one that has begun or is
    /// not left yet; never `unknown`.
    ///
    /// A step across several states gives the result of many small ones.
    package func next(after state: ThermalState, skin: Double) -> ThermalState {
        let before = place(state)
        let place = beginnings.indices.last { skin >= beginnings[$0] - ($0 <= before ? hysteresis : 0) }
        return Self.rising[place ?? 0]
    }

    /// Returns all speeds beside those at nominal; 1 for `unknown`.
    package func speed(_ state: ThermalState) -> Double { speeds[place(state)] }

    /// Returns the power of a compute unit that works, beside its power at nominal.
    package func power(_ state: ThermalState) -> Double { pow(speed(state), powerExponent) }

    private func place(_ state: ThermalState) -> Int { Self.rising.firstIndex(of: state) ?? 0 }
}
