import TestSupport
import Testing

@testable import Basics
@testable import Statistics

@Suite struct HodgesLehmannTests {
    @Test func estimateAndIntervalAreThoseOfAllPairsInNumPy() throws {
        for row in try StatisticsFixture.load().hodgesLehmann {
            let found = HodgesLehmann(differences: row.differences)
            #expect(isNear(found.estimate.value, row.estimate, within: 1e-12))
            if let interval = row.interval {
                #expect(isNear(found.interval.lower.value, interval[0], within: 1e-12))
                #expect(isNear(found.interval.upper.value, interval[1], within: 1e-12))
            } else {
                #expect(found.interval == .absent("needs ≥ 6 differences"))
            }
        }
    }

    @Test func withoutDifferencesThereIsNothing() {
        #expect(HodgesLehmann(differences: []).estimate == .absent("no differences"))
        #expect(HodgesLehmann(differences: []).interval == .absent("no differences"))
    }

    // Tables of the signed-rank test, two-sided 5 %: critical values 0, 2, 8, 52, 89 and 434 for these n; the rank is
    // one more.
    @Test(arguments: [(5, 0), (6, 1), (7, 3), (10, 9), (20, 53), (25, 90), (50, 435)])
    func criticalRanksAreThoseOfPrintedTables(count: Int, rank: Int) {
        #expect(SignedRank.criticalRank(count: count, tail: 0.025) == rank)
    }

    @Test func tenThousandDifferencesAreNotListedInPairs() {
        var random = SplitMix64(state: 3)
        let found = HodgesLehmann(differences: (0..<10_000).map { _ in 5 + random.nextDouble() })
        #expect(isNear(found.estimate.value, 5.5, within: 0.01))
        #expect(isNear(found.interval.lower.value, 5.494, within: 0.006))
    }
}
