import Testing

@testable import ScanningPolicies

@Suite struct DeviceConditionsTests {
    @Test(
        "the best that the battery allows, from high",
        arguments: [
            (true, nil, false, .high), (true, 0.1, false, .high), (true, 0.1, true, .medium), (true, 1, true, .medium),
            (false, nil, false, .high), (false, 0.2, false, .high), (false, 0.19, false, nil), (false, 0.19, true, nil),
            (false, 0.5, true, .medium),
        ] as [(Bool, Double?, Bool, ReadingQuality?)]
    )
    func ceiling(_ isCritical: Bool, _ level: Double?, _ isLowPower: Bool, _ expected: ReadingQuality?) {
        let conditions = DeviceConditions(batteryLevel: level, isLowPower: isLowPower)
        #expect(conditions.ceiling(.high, isCritical: isCritical) == expected)
    }

    @Test func theHotterTheRarer() {
        let shares = [ThermalState.nominal, .fair, .serious, .critical].map(\.frequencyShare)
        #expect(shares == [1, 0.75, 0.5, 0])
        #expect(ThermalState.unknown.frequencyShare == 1)
    }
}

@Suite struct ReadingQualityTests {
    @Test func itGoesDownToNothingAndUpToTheHighest() {
        #expect([.high, .medium, .low].map { ($0 as ReadingQuality).degrade() } == [.medium, .low, nil])
        #expect([.low, .medium, .high].map { ($0 as ReadingQuality).upgrade() } == [.medium, .high, nil])
        #expect(ReadingQuality.low < .medium && ReadingQuality.medium < .high)
    }

    @Test func readersGoFromAccurateOverFastToLess() {
        let levels = [.high, .medium, .low].map { ReadingLevel($0) }
        #expect(levels.map(\.tier) == ["accurate", "fast", "fast"])
        #expect(levels.map(\.inputScale) == [1, 1, 0.75] && levels.map(\.frequencyShare) == [1, 0.75, 0.5])
    }
}
