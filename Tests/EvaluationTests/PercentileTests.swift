import Testing

@testable import Evaluation

@Suite struct PercentileTests {
    // By hand, rank ⌈p/100 · n⌉ of 1…n.
    @Test(arguments: [
        (50, 1, 1.0), (99, 1, 1), (50, 4, 2), (50, 5, 3), (95, 20, 19), (95, 21, 20), (95, 100, 95), (99, 100, 99),
        (99, 101, 100), (100, 7, 7), (1, 7, 1),
    ])
    func nearestRankIsOneOfTheValues(percent: Int, count: Int, expected: Double) {
        #expect(Percentile.nearestRank(percent, of: (1...count).map(Double.init)) == expected)
    }

    // ln 0.01 / ln p, rounded up: 6.6, 43.7, 89.8, 458.2.
    @Test(arguments: [(50, 7), (90, 44), (95, 90), (99, 459)])
    func minimumCountIsTheBinomialBound(percent: Int, expected: Int) {
        #expect(Percentile.minimumCount(for: percent) == expected)
    }

    @Test func aPercentileOfTooFewValuesIsNotClaimed() {
        let values = (1...89).map(Double.init)
        #expect(Percentile.claimed(95, of: values) == .absent("n too small (needs ≥ 90)"))
        #expect(Percentile.claimed(95, of: values + [90]) == .value(86))
        #expect(Percentile.claimed(50, of: []) == .absent("n too small (needs ≥ 7)"))
    }
}
