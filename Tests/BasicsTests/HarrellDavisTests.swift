import TestSupport
import Testing

@testable import Basics
@testable import Statistics

@Suite struct HarrellDavisTests {
    @Test func estimatesAreThoseOfSciPy() throws {
        for row in try StatisticsFixture.load().harrellDavis {
            let samples = RankedSamples(row.values, groups: Array(row.values.indices))
            let estimator = HarrellDavis(percent: row.percent, count: row.values.count)
            let found = estimator.estimate(samples, drawn: row.values.map { _ in 1 })
            #expect(abs(found - row.estimate) < 1e-4 * row.estimate, "P\(row.percent)")
        }
    }

    @Test func groupsThatOccurTwiceCountTwice() {
        let estimator = HarrellDavis(percent: 50, count: 6)
        let twice = RankedSamples([1, 5, 9], groups: [0, 1, 2])
        let listed = RankedSamples([1, 1, 5, 9, 9, 9], groups: [0, 1, 2, 3, 4, 5])
        let expected = estimator.estimate(listed, drawn: Array(repeating: 1, count: 6))
        #expect(isNear(estimator.estimate(twice, drawn: [2, 1, 3]), expected, within: 1e-12))
    }

    /// The largest of 240 values weighs nothing that matters in P95, but all that matters in P99.
    @Test func aReadingThatTimedOutCountsOnlyWhereItWeighs() {
        let samples = RankedSamples((1..<240).map(Double.init) + [.infinity], groups: Array(0..<240))
        let once = Array(repeating: 1, count: 240)
        #expect(HarrellDavis(percent: 95, count: 240).estimate(samples, drawn: once).isFinite)
        #expect(HarrellDavis(percent: 99, count: 240).estimate(samples, drawn: once) == .infinity)
    }
}
