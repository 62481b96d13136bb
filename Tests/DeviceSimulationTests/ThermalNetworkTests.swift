import Testing

@testable import DeviceSimulation

@Suite struct ThermalNetworkTests {
    static let network = ThermalNetwork(
        chipCapacity: 1.5,
        chipResistance: 5,
        skinCapacity: 100,
        skinResistance: 5.6,
        ambient: 25
    )

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
}
