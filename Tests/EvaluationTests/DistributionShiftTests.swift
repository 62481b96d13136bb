import TestSupport
import Testing

@testable import Basics
@testable import Statistics

@Suite struct DistributionShiftTests {
    private let reference = ValueDistribution([1, 2, 3, 4, 5])

    // Medians by hand; a spread of 2.
    @Test(arguments: [
        ([3.0], 0.0, true), ([5, 5, 5], 1, true), ([5.1], 1.05, false), ([0.8], -1.1, false), ([1], -1, true),
    ])
    func medianIsShiftedBySpreads(candidate: [Double], expected: Double, isWithin: Bool) throws {
        let shift = DistributionShift(from: reference, to: ValueDistribution(candidate), spread: .value(2))
        #expect(isNear(shift.median.value, expected, within: 1e-12))
        #expect(shift.isWithin == isWithin)
    }

    @Test func distancesAreOfBothDistributions() {
        let shift = DistributionShift(from: reference, to: ValueDistribution([3]), spread: .value(2))
        // SciPy 1.17.1, as in ValueDistributionTests: 0.4, and 1.2 in units of 2.
        #expect(shift.kolmogorovSmirnov == .value(0.4))
        #expect(abs((shift.wasserstein.value ?? 0) - 0.6) < 1e-12)
    }

    @Test func withoutASpreadOnlyEqualMediansCanBeJudged() {
        let none = Figure.absent("the values do not spread")
        let same = DistributionShift(from: reference, to: ValueDistribution([3, 3]), spread: none)
        #expect(same.median == .value(0))
        #expect(same.isWithin == true)
        #expect(same.wasserstein == none)
        let other = DistributionShift(from: reference, to: ValueDistribution([4]), spread: none)
        #expect(other.median == none)
        #expect(other.isWithin == nil)
    }

    @Test func withoutValuesNothingIsWithin() {
        let shift = DistributionShift(from: reference, to: ValueDistribution([]), spread: .value(1))
        #expect(shift.median == .absent("no values"))
        #expect(shift.isWithin == nil)
    }
}
