import TestSupport
import Testing

@testable import Basics

@Suite struct PairedRatesTests {
    @Test func theIntervalIsThatOfTheLikelihoodMaximisedBySciPy() throws {
        for row in try StatisticsFixture.load().pairedRates {
            let found = PairedRates(gained: row[0], lost: row[1], pairs: row[2]).interval
            #expect(abs(found.lowerBound - row[3]) < 1e-6, "\(row)")
            #expect(abs(found.upperBound - row[4]) < 1e-6, "\(row)")
        }
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
