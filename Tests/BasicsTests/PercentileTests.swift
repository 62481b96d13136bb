import Testing

@testable import Basics
@testable import Statistics

@Suite struct PercentileTests {
    // Computed by hand: rank ⌈p/100 · n⌉ of 1…n; element Int(n · p) counted from 0, at most the last: the next larger value
    // where n · p is whole.
    @Test(
        arguments: [
            (50, 1, 1, 1), (99, 1, 1, 1), (50, 4, 2, 3), (50, 5, 3, 3), (95, 20, 19, 20), (95, 21, 20, 20),
            (95, 100, 95, 96), (99, 100, 99, 100), (99, 101, 100, 100), (100, 7, 7, 7), (1, 7, 1, 1),
        ] as [(Int, Int, Double, Double)]
    )
    func percentilesAreOneOfTheValues(percent: Int, count: Int, nearestRank: Double, seed: Double) {
        let values = (1...count).map(Double.init)
        #expect(Percentile.nearestRank(percent, of: values) == nearestRank)
        #expect(Percentile.value(percent, of: values, method: .seed) == seed)
    }

    // MLPerf's early stopping, 99 % confidence, for 0, 1, 2 and 5 queries over the limit. 459 for P99 and none over,
    // 64 for P90 and 662 for P99 with one over are also in LoadGen's own tests; the rest is the same binomial test
    // recomputed.
    @Test(arguments: [
        (50, [7, 11, 14, 22]), (90, [44, 64, 81, 127]), (95, [90, 130, 165, 259]), (99, [459, 662, 838, 1307]),
    ])
    func minimumCountIsThatOfEarlyStopping(percent: Int, expected: [Int]) {
        #expect(Percentile.minimumCount(for: percent) == expected[0])
        #expect([0, 1, 2, 5].map { Percentile.minimumCount(for: percent, over: $0) } == expected)
    }

    @Test func aPercentileOfTooFewValuesIsNotClaimed() {
        let values = (1...89).map(Double.init)
        #expect(PercentileEstimate(percent: 95, sorted: values).value == .absent("n too small (needs ≥ 90)"))
        #expect(PercentileEstimate(percent: 95, sorted: values + [90]).value == .value(86))
        #expect(PercentileEstimate(percent: 50, sorted: []).value == .absent("n too small (needs ≥ 7)"))
    }
}

@Suite struct EarlyStoppingTests {
    // A summary that LoadGen printed for P90: 7914 queries, "would discard 728 highest latency queries".
    @Test func discardsAsManyAsLoadGen() {
        let estimate = EarlyStopping(percent: 90, sorted: (1...7914).map(Double.init))
        #expect(estimate?.discarded == 728)
        #expect(estimate?.estimate == 7186)
    }

    // 64 for P90 and 662 for P99: the floors of LoadGen's single-stream scenario.
    @Test(arguments: [(90, 64), (95, 130), (99, 662)])
    func needsRoomForOneValueOver(percent: Int, least: Int) {
        #expect(EarlyStopping(percent: percent, sorted: (1..<least).map(Double.init)) == nil)
        let enough = EarlyStopping(percent: percent, sorted: (1...least).map(Double.init))
        #expect(enough?.discarded == 0)
        #expect(enough?.estimate == Double(least))
        #expect(EarlyStopping(percent: percent, sorted: []) == nil)
    }
}
