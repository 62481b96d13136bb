import ScanningPolicies
import Testing

@testable import Harness

@Suite struct ThermalStatesTests {
    /// fair from 37 °C on, serious from 41, critical from 46, and left 2 K below; speeds .9, .7, .5; power as speed
    /// squared.
    static let states = ThermalStates(
        values([
            .fairAt: 37, .seriousAt: 41, .criticalAt: 46, .hysteresis: 2, .fairSpeed: 0.9, .seriousSpeed: 0.7,
            .criticalSpeed: 0.5, .throttlePowerExponent: 2,
        ])
    )

    static func values(_ figures: [DeviceFigure: Double]) -> DeviceValues {
        var numbers = Dictionary(uniqueKeysWithValues: DeviceFigure.ofProfiles.map { ($0, 1.0) })
        numbers.merge(figures) { $1 }
        return DeviceValues(numbers)
    }

    @Test(
        arguments: [
            (.nominal, 36.99, .nominal), (.nominal, 37, .fair), (.nominal, 41, .serious), (.nominal, 90, .critical),
            // Within the hysteresis a state stays, and below it falls.
            (.fair, 35, .fair), (.fair, 34.99, .nominal), (.serious, 39, .serious), (.serious, 38.99, .fair),
            (.critical, 44, .critical), (.critical, 43.99, .serious), (.critical, 38.99, .fair),
            // A long fall stops where a slow one does: above 35 °C fair is not left yet.
            (.critical, 35.5, .fair), (.critical, 20, .nominal),
            // Unknown states count as nominal.
            (.unknown, 36.9, .nominal), (.unknown, 37, .fair),
        ] as [(ThermalState, Double, ThermalState)]
    )
    func stateFollowsTheSkinWithHysteresis(before: ThermalState, skin: Double, after: ThermalState) {
        #expect(Self.states.next(after: before, skin: skin) == after)
    }

    @Test func aLongFallIsManyShortOnes() {
        for target in stride(from: 20.0, through: 50, by: 0.25) {
            var state = ThermalState.critical
            for skin in stride(from: 50.0, through: target, by: -0.125) {
                state = Self.states.next(after: state, skin: skin)
            }
            #expect(state == Self.states.next(after: .critical, skin: target), "\(target) °C")
        }
    }

    @Test func powerGoesWithSpeedToItsExponent() {
        #expect(Self.states.speed(.nominal) == 1 && Self.states.power(.nominal) == 1)
        #expect(Self.states.speed(.unknown) == 1)
        #expect(Self.states.speed(.serious) == 0.7)
        // 0.7² = 0.49.
        #expect(abs(Self.states.power(.serious) - 0.49) < 1e-15)
    }

    @Test func withoutHysteresisAStateEndsWhereItBegins() {
        let states = ThermalStates(Self.values([.fairAt: 37, .seriousAt: 41, .criticalAt: 46, .hysteresis: 0]))
        #expect(states.next(after: .fair, skin: 37) == .fair)
        #expect(states.next(after: .fair, skin: 36.999) == .nominal)
    }
}
