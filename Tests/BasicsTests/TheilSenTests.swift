import TestSupport
import Testing

@testable import Basics
@testable import Statistics

@Suite struct TheilSenTests {
    @Test func slopeAndIntervalAreThoseOfSciPy() throws {
        for row in try StatisticsFixture.load().theilSen {
            let found = TheilSen(x: row.x, y: row.y)
            #expect(isNear(found.slope.value, row.slope, within: 1e-12))
            #expect(isNear(found.interval.lower.value, row.interval[0], within: 1e-12))
            #expect(isNear(found.interval.upper.value, row.interval[1], within: 1e-12))
        }
    }

    @Test func pointsThatDoNotDifferInXHaveNoSlope() {
        let reason = "needs two points that differ in x"
        #expect(TheilSen(x: [], y: []).slope == .absent(reason))
        #expect(TheilSen(x: [1], y: [2]).slope == .absent(reason))
        #expect(TheilSen(x: [1, 1, 1], y: [2, 5, 9]).interval == .absent(reason))
    }

    @Test func twoPointsHaveASlopeAndNoInterval() {
        let found = TheilSen(x: [1, 3], y: [2, 8])
        #expect(isNear(found.slope.value, 3, within: 1e-15))
        #expect(found.interval == .absent("needs more points than 2"))
    }

    /// Ten readings at each second, in bytes: pairs at the same second have no slope, though all of them are far from
    /// 0.
    @Test func readingsAtTheSameTimeAreNoSlope() {
        var random = SplitMix64(state: 5)
        let x = (0..<200).map { Double($0 / 10) }
        let y = x.map { 1e9 + 4096 * $0 + random.nextDouble() * 1000 }
        let found = TheilSen(x: x, y: y)
        #expect(isNear(found.slope.value, 4096, within: 15))
    }

    // Computed by hand: (2, 1), (3, 1), (3, 2) and the equal pair.
    @Test func pairsThatDoNotRiseAreCounted() {
        #expect(PairSlopes.notRising([2, 3, 1, 2, 5]) == 4)
        #expect(PairSlopes.notRising([]) == 0)
        #expect(PairSlopes.notRising([1, 1, 1]) == 3)
    }
}
