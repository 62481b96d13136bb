import Testing

@testable import ScanningPolicies

@Suite struct PowerRulesTests {
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
        #expect(PowerRules().ceiling(.high, isCritical: isCritical, under: conditions) == expected)
    }

    @Test func theHotterTheRarer() {
        let shares = [ThermalState.nominal, .fair, .serious, .critical].map(PowerRules().frequencyShare)
        #expect(shares == [1, 0.75, 0.5, 0])
        #expect(PowerRules().frequencyShare(.unknown) == 1)
    }
}

@Suite struct ModelBudgetTests {
    private let loaded = [
        ModelBudget.Loaded(name: "reader", memoryBytes: 200_000_000, isCritical: true, lastUse: .seconds(1)),
        ModelBudget.Loaded(name: "pose", memoryBytes: 100_000_000, lastUse: .seconds(9)),
        ModelBudget.Loaded(name: "face", memoryBytes: 150_000_000, lastUse: .seconds(5)),
    ]

    /// 450 MB are held; all must stay below 500.
    @Test(
        "who goes for so many megabytes",
        arguments: [
            (49, []), (50, ["face"]), (199, ["face"]), (200, ["face", "pose"]), (300, ["face", "pose", "reader"]),
            (499, ["face", "pose", "reader"]), (500, nil),
        ] as [(Int, [String]?)]
    )
    func evictions(_ megabytes: Int, _ expected: [String]?) {
        #expect(ModelBudget().evictions(for: megabytes * 1_000_000, loaded: loaded) == expected)
    }

    @Test(
        "who goes as things are",
        arguments: [
            (DeviceConditions(), []), (DeviceConditions(hasMemoryWarning: true), ["face", "pose", "reader"]),
            (DeviceConditions(thermalState: .critical), ["face", "pose", "reader"]),
            (DeviceConditions(thermalState: .serious), []), (DeviceConditions(batteryLevel: 0.19), ["face", "pose"]),
            (DeviceConditions(isLowPower: true), []),
        ] as [(DeviceConditions, [String])]
    )
    func evictionsUnder(_ conditions: DeviceConditions, _ expected: [String]) {
        #expect(ModelBudget().evictions(of: loaded, under: conditions) == expected)
    }

    @Test func amongEquallyOldOnesTheNameDecides() {
        let two = ["b", "a"].map { ModelBudget.Loaded(name: $0, memoryBytes: 300_000_000) }
        #expect(ModelBudget().evictions(for: 1, loaded: two) == ["a"])
    }
}
