import Basics
import TestSupport
import Testing

@testable import Statistics

@Suite struct ValueDistributionTests {
    private static let sets: [String: [Double]] = [
        "five": [1, 2, 3, 4, 5], "tied": [2, 4, 4, 7, 9, 11, 13.5], "one": [3], "wide": [-2.5, 0, 0, 0, 1e6],
        "unsorted": [5, 1, 5, 1, 5], "squares": (0..<20).map { 0.1 * Double($0 * $0) },
        "falling": (0..<33).map { 10 - 0.3 * Double($0) },
    ]

    private func distribution(_ name: String) -> ValueDistribution { ValueDistribution(Self.sets[name] ?? []) }

    // SciPy 1.17.1: stats.ks_2samp(a, b).statistic and stats.wasserstein_distance(a, b).
    @Test(arguments: [
        ("five", "tied", 0.5714285714285714, 4.214285714285715), ("five", "one", 0.4, 1.2), ("five", "five", 0, 0),
        ("wide", "five", 0.8, 200_001.49999999994), ("unsorted", "tied", 0.5714285714285714, 3.8714285714285714),
        ("squares", "falling", 0.4696969696969697, 7.6451515151515155), ("falling", "wide", 0.8, 200_002.03818181815),
        ("one", "one", 0, 0),
    ])
    func distancesAreThoseOfSciPy(a: String, b: String, kolmogorovSmirnov: Double, wasserstein: Double) throws {
        for (a, b) in [(a, b), (b, a)] {
            let found = try #require(distribution(a).kolmogorovSmirnov(to: distribution(b)).value)
            #expect(abs(found - kolmogorovSmirnov) < 1e-12)
            let moved = try #require(distribution(a).wasserstein(to: distribution(b)).value)
            #expect(abs(moved - wasserstein) <= 1e-12 * max(1, wasserstein))
        }
    }

    // NumPy 2.4.6: quantile(a, q, method="inverted_cdf") for 10 %, 50 % and 90 %; spread from its quartiles.
    @Test(arguments: [
        ("five", 1.0, 3.0, 5.0, 1.4825796886582654), ("tied", 2, 7, 13.5, 5.189028910303929),
        ("unsorted", 1, 5, 5, 2.965159377316531), ("falling", 1.3, 5.2, 9.1, 3.558191252779836),
    ])
    func percentilesAndSpreadAreThoseOfNumPy(name: String, p10: Double, p50: Double, p90: Double, spread: Double) throws
    {
        for (percent, expected) in [(10, p10), (50, p50), (90, p90)] {
            #expect(isNear(distribution(name).percentile(percent).value, expected, within: 1e-12))
        }
        #expect(isNear(distribution(name).spread.value, spread, within: 1e-12))
    }

    @Test func whatDoesNotSpreadHasNoSpread() {
        #expect(distribution("one").spread == .absent("the values do not spread"))
        // More than half of the values are the same.
        #expect(distribution("wide").spread == .absent("the values do not spread"))
    }

    @Test func ofNoValuesNothingCanBeSaid() {
        let (none, some) = (ValueDistribution([]), distribution("five"))
        #expect(none.percentile(50) == .absent("no values"))
        #expect(none.spread == .absent("no values"))
        for (a, b) in [(none, some), (some, none), (none, none)] {
            #expect(a.kolmogorovSmirnov(to: b) == .absent("no values"))
            #expect(a.wasserstein(to: b) == .absent("no values"))
        }
    }
}
