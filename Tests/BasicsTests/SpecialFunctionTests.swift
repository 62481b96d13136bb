import TestSupport
import Testing

@testable import Basics
@testable import Statistics

/// Values of SciPy, from Fixtures/statistics.json.
@Suite struct SpecialFunctionTests {
    private func agree(_ found: Double, _ expected: Double, within relative: Double = 1e-12) -> Bool {
        abs(found - expected) <= relative * abs(expected) + 1e-300
    }

    @Test func theNormalDistributionIsThatOfSciPy() throws {
        let fixture = try StatisticsFixture.load()
        for row in fixture.normalQuantile {
            #expect(abs(Normal.quantile(row[0]) - row[1]) < 1e-14 * max(1, abs(row[1])), "\(row)")
        }
        for row in fixture.normalCumulative { #expect(agree(Normal.cumulative(row[0]), row[1]), "\(row)") }
        #expect(isNear(Normal.twoSided(0.95), 1.959_963_984_540_054, within: 1e-15))
    }

    @Test func theIncompleteBetaFunctionIsThatOfSciPy() throws {
        for row in try StatisticsFixture.load().beta {
            #expect(agree(BetaFunction.regularised(row[0], row[1], row[2]), row[3], within: 1e-9), "\(row)")
        }
    }

    @Test func theBinomialDistributionIsThatOfSciPy() throws {
        for row in try StatisticsFixture.load().binomial {
            let distribution = Binomial(n: Int(row[0]), p: row[1])
            #expect(agree(distribution.cumulative(Int(row[2])), row[3], within: 1e-9), "\(row)")
            #expect(agree(distribution.upperTail(Int(row[2])), row[4], within: 1e-9), "\(row)")
        }
    }

    @Test func studentsQuantilesAreThoseOfSciPy() throws {
        for row in try StatisticsFixture.load().studentQuantile {
            let found = StudentT.quantile(row[0], degreesOfFreedom: row[1])
            #expect(abs(found - row[2]) < 1e-9 * max(1, abs(row[2])), "\(row)")
        }
    }
}
