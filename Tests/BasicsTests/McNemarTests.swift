import TestSupport
import Testing

@testable import Basics
@testable import Statistics

@Suite struct McNemarTests {
    @Test func pValuesAreThoseOfStatsmodelsAndSciPy() throws {
        for row in try StatisticsFixture.load().mcnemar {
            #expect(isNear(McNemar.exactP(b: row.b, c: row.c), row.exact, within: 1e-12), "\(row)")
        }
    }

    @Test func withoutADifferenceNothingIsShown() {
        #expect(McNemar.exactP(b: 0, c: 0) == 1)
    }
}
