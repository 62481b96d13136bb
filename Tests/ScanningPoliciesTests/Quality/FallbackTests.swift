import Testing

@testable import ScanningPolicies

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
