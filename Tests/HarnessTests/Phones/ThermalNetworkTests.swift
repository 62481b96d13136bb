import Foundation
import Testing

@testable import Harness

@Suite struct ThermalNetworkTests {
    static let network = ThermalNetwork(
        chipCapacity: 1.5,
        chipResistance: 5,
        skinCapacity: 100,
        skinResistance: 5.6,
        ambient: 25
    )

    /// Network, a step, and its end by an independent computation.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var capacities: (chip: Double, skin: Double)
        var resistances: (chip: Double, skin: Double)
        var ambient: Double
        var start: (chip: Double, skin: Double)
        var power: (chip: Double, skin: Double)
        var seconds: Double
        var end: (chip: Double, skin: Double)
        /// Given to the air meanwhile, in J.
        var heat: Double

        var testDescription: String { name }
    }

    // Computed with mpmath 1.3.0 (expm of the equations, with the heat as a third one, at 60 digits) and with SciPy
    // 1.17.1 (solve_ivp, DOP853 or Radau, rtol 1e-12), which agree to 3e-12; the last one with SciPy alone.
    static let cases = [
        Case(
            name: "a phone in a game",
            capacities: (1.5, 96),
            resistances: (5, 5.6),
            ambient: 25,
            start: (25, 25),
            power: (5.5, 1),
            seconds: 600,
            end: (76.45613366208596, 49.127029282079876),
            heat: 1506.6209884272034
        ),
        Case(
            name: "cooling",
            capacities: (1.5, 96),
            resistances: (5, 5.6),
            ambient: 25,
            start: (80, 45),
            power: (0, 0),
            seconds: 60,
            end: (43.670494549666652, 43.403966318313747),
            heat: 207.71349161738034
        ),
        Case(
            name: "one frame",
            capacities: (1.5, 96),
            resistances: (5, 5.6),
            ambient: 25,
            start: (41.25, 38.5),
            power: (3, 1.9),
            seconds: 0.033,
            end: (41.3037816261026, 38.500015353604104),
            heat: 0.079553614852120903
        ),
        Case(
            name: "equal capacities and resistances",
            capacities: (40, 40),
            resistances: (5, 5),
            ambient: 20,
            start: (60, 20),
            power: (2, 1),
            seconds: 100,
            end: (51.356654383841925, 32.373517587998388),
            heat: 150.79312112638754
        ),
        Case(
            name: "a tiny chip",
            capacities: (0.01, 1000),
            resistances: (0.05, 50),
            ambient: -10,
            start: (90, -10),
            power: (15, 0),
            seconds: 0.001,
            end: (4.1826249121875859, -9.99912682626054),
            heat: 1.1418148222925821e-8
        ),
        Case(
            name: "a tiny chip that has settled",
            capacities: (0.01, 1),
            resistances: (50, 0.5),
            ambient: 25,
            start: (25, 25),
            power: (0.2, 0),
            seconds: 5,
            end: (35.099249892724463, 25.099942304081237),
            heat: 0.79906519699151642
        ),
        Case(
            name: "a heavy chip and a light skin",
            capacities: (100, 1),
            resistances: (50, 0.5),
            ambient: 40,
            start: (25, 60),
            power: (1, 6),
            seconds: 1000,
            end: (37.307162328285482, 42.943580725068857),
            heat: 5786.3401864463822
        ),
        Case(
            name: "a day in one step",
            capacities: (1.5, 96),
            resistances: (5, 5.6),
            ambient: 25,
            start: (25, 25),
            power: (2.2, 1.9),
            seconds: 86_400,
            end: (58.96, 47.96),
            heat: 351_984.9
        ),
    ]

    @Test(arguments: cases)
    func aStepEndsWhereIndependentSolversDo(test: Case) {
        let network = ThermalNetwork(
            chipCapacity: test.capacities.chip,
            chipResistance: test.resistances.chip,
            skinCapacity: test.capacities.skin,
            skinResistance: test.resistances.skin,
            ambient: test.ambient
        )
        let (end, heat) = network.advance(
            ThermalNetwork.State(chip: test.start.chip, skin: test.start.skin),
            under: ThermalNetwork.Power(chip: test.power.chip, skin: test.power.skin),
            seconds: test.seconds
        )
        #expect(abs(end.chip - test.end.chip) <= 1e-9)
        #expect(abs(end.skin - test.end.skin) <= 1e-9)
        #expect(abs(heat - test.heat) <= 1e-9 * max(1, test.heat))
    }

    @Test func energyIsConservedToABillionth() {
        var state = ThermalNetwork.State(chip: 25, skin: 25)
        let power = ThermalNetwork.Power(chip: 2.2, skin: 1.9)
        var (put, lost) = (0.0, 0.0)
        for step in [0.001, 0.033, 1, 17, 600, 3600] {
            let next = Self.network.advance(state, under: power, seconds: step)
            put += (power.chip + power.skin) * step
            lost += next.heatToAir
            state = next.state
        }
        #expect(abs(put - lost - Self.network.storedHeat(state)) <= 1e-9 * put)
    }

    @Test func oneLongStepIsManyShortOnes() {
        let power = ThermalNetwork.Power(chip: 3, skin: 1)
        let start = ThermalNetwork.State(chip: 60, skin: 20)
        let whole = Self.network.advance(start, under: power, seconds: 100).state
        var state = start
        for _ in 0..<10_000 { state = Self.network.advance(state, under: power, seconds: 0.01).state }
        #expect(abs(state.chip - whole.chip) < 1e-8 && abs(state.skin - whole.skin) < 1e-8)
    }

    @Test func noTimeChangesNothing() {
        let state = ThermalNetwork.State(chip: 61.3, skin: 33.7)
        let (end, heat) = Self.network.advance(state, under: .init(chip: 5, skin: 2), seconds: 0)
        #expect(end == state && heat == 0)
    }

    @Test func withoutPowerAtTheAirsTemperatureNothingHappens() {
        let (end, heat) = Self.network.advance(.init(chip: 25, skin: 25), under: .init(chip: 0, skin: 0), seconds: 777)
        #expect(end == .init(chip: 25, skin: 25) && heat == 0)
    }

    /// Networks anywhere in the ranges that profiles may have, by the digits of a low-discrepancy sequence.
    static var networks: [(network: ThermalNetwork, seconds: Double)] {
        (1...1_000).map { index in
            func draw(_ base: Int, _ range: ClosedRange<Double>) -> Double {
                // Halton's sequence, on a scale of logarithms.
                var (fraction, digit, rest) = (0.0, 1.0, index)
                while rest > 0 {
                    digit /= Double(base)
                    fraction += digit * Double(rest % base)
                    rest /= base
                }
                return range.lowerBound * pow(range.upperBound / range.lowerBound, fraction)
            }
            let network = ThermalNetwork(
                chipCapacity: draw(2, DeviceFigure.chipCapacity.meaning.range),
                chipResistance: draw(3, DeviceFigure.chipResistance.meaning.range),
                skinCapacity: draw(5, DeviceFigure.skinCapacity.meaning.range),
                skinResistance: draw(7, DeviceFigure.skinResistance.meaning.range),
                ambient: draw(11, 1...45)
            )
            return (network, draw(13, 1e-3...1e6))
        }
    }

    @Test func everyNetworkOfAProfileConservesEnergyAndIsFinite() {
        for (index, (network, seconds)) in Self.networks.enumerated() {
            let start = ThermalNetwork.State(chip: network.ambient + 20, skin: network.ambient + 5)
            let power = ThermalNetwork.Power(chip: 2.5, skin: 1.25)
            let (end, heat) = network.advance(start, under: power, seconds: seconds)
            let put = 3.75 * seconds + network.storedHeat(start)
            #expect(abs(put - heat - network.storedHeat(end)) <= 1e-9 * put, "network \(index)")
            #expect(end.chip.isFinite && end.skin.isFinite && heat > 0, "network \(index)")
        }
    }

    @Test func morePowerOrWarmerAirNeverCools() {
        for (index, (network, seconds)) in Self.networks.enumerated() {
            let start = ThermalNetwork.State(chip: 40, skin: 30)
            func end(_ chip: Double, _ skin: Double, warmer: Double = 0) -> ThermalNetwork.State {
                let network = ThermalNetwork(
                    chipCapacity: network.chipCapacity,
                    chipResistance: network.chipResistance,
                    skinCapacity: network.skinCapacity,
                    skinResistance: network.skinResistance,
                    ambient: network.ambient + warmer
                )
                return network.advance(start, under: .init(chip: chip, skin: skin), seconds: seconds).state
            }
            let before = end(2, 1)
            for after in [end(2.5, 1), end(2, 1.5), end(2, 1, warmer: 1)] {
                // A rounding error is allowed for.
                let slack = 1e-12 * abs(before.chip)
                #expect(after.chip >= before.chip - slack && after.skin >= before.skin - slack, "network \(index)")
            }
        }
    }

    @Test func theSteadyStateIsWhatALongTimeLeadsTo() {
        let power = ThermalNetwork.Power(chip: 4, skin: 1)
        // 25 + 5 W × 5.6 K/W = 53; 53 + 4 W × 5 K/W = 73.
        #expect(Self.network.steadyState(power) == .init(chip: 73, skin: 53))
        let end = Self.network.advance(.init(chip: 0, skin: 0), under: power, seconds: 1e7).state
        #expect(abs(end.chip - 73) < 1e-9 && abs(end.skin - 53) < 1e-9)
    }
}

extension ThermalNetwork {
    /// Returns the heat in chip and skin beside the air's temperature, in J.
    fileprivate func storedHeat(_ state: State) -> Double {
        chipCapacity * (state.chip - ambient) + skinCapacity * (state.skin - ambient)
    }
}
