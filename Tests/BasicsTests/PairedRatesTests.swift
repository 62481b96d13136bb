import TestSupport
import Testing

@testable import Basics
@testable import Statistics

@Suite struct PairedRatesTests {
    @Test func theIntervalIsThatOfTheLikelihoodMaximisedBySciPy() throws {
        for row in try StatisticsFixture.load().pairedRates {
            let found = PairedRates(gained: row[0], lost: row[1], pairs: row[2]).interval
            #expect(abs(found.lowerBound - row[3]) < 1e-6, "\(row)")
            #expect(abs(found.upperBound - row[4]) < 1e-6, "\(row)")
        }
    }

    /// SciPy: chi2.sf((gained − lost)² / (gained + lost), 1).
    @Test(arguments: [
        (0.0, 3.0, 0.08326451666355042), (0, 4, 0.04550026389635842), (2, 9, 0.0348084), (5, 5, 1), (0, 0, 1),
    ])
    func thePValueIsThatOfTheScoreTest(gained: Double, lost: Double, p: Double) {
        let rates = PairedRates(gained: gained, lost: lost, pairs: 240)
        #expect(isNear(rates.p, p, within: 1e-7))
        #expect((rates.p < 0.05) == !rates.interval.contains(0))
    }

    @Test func swappingTheSidesMirrorsTheInterval() {
        let one = PairedRates(gained: 3, lost: 9, pairs: 70).interval
        let other = PairedRates(gained: 9, lost: 3, pairs: 70).interval
        #expect(isNear(one.lowerBound, -other.upperBound, within: 1e-12))
        #expect(isNear(one.upperBound, -other.lowerBound, within: 1e-12))
    }

    @Test func theLargestDifferencesStayInRange() {
        let all = PairedRates(gained: 10, lost: 0, pairs: 10)
        #expect(all.difference == 1)
        #expect(all.interval.upperBound == 1)
        #expect(PairedRates(gained: 0, lost: 1, pairs: 1).interval.lowerBound == -1)
    }
}
