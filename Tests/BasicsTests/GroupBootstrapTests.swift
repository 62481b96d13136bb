import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Statistics

@Suite struct GroupBootstrapTests {
    /// 20 groups of 12.
    private let groups = (0..<240).map { $0 / 12 }
    private let values: [Double] = {
        var random = SplitMix64(state: 9)
        return (0..<240).map { _ in 100 + 50 * random.nextDouble() }
    }()

    @Test func fewGroupsHaveNoInterval() {
        let nine = GroupBootstrap(groups: (0..<90).map { $0 % 9 })
        #expect(nine.mean(Array(0..<90).map(Double.init)) == .absent("needs ≥ 10 groups, there are 9"))
        #expect(nine.ofRate(Array(repeating: true, count: 90)) == .absent("needs ≥ 10 groups, there are 9"))
        #expect(GroupBootstrap(groups: []).ofQuantileRatio(95, [], []) == .absent("needs ≥ 10 groups, there are 0"))
        #expect(GroupBootstrap(groups: [0]).mean([1.5]) == .absent("needs ≥ 10 groups, there are 1"))
    }

    /// One photo of 1,000 spines beside eleven of one: (1011)² / (1000² + 11) = 1.02 groups.
    @Test func oneGroupThatOutweighsTheRestHasNoInterval() {
        let lopsided = GroupBootstrap(groups: Array(repeating: 0, count: 1000) + Array(1...11))
        let values = (0..<1011).map(Double.init)
        #expect(lopsided.mean(values) == .absent("most samples are in a few of 12 groups"))
    }

    @Test func theFastPathsGiveWhatWeightsOfSamplesGive() throws {
        let bootstrap = GroupBootstrap(groups: groups, resamples: 500)
        let total = { (weights: [Int]) in Double(weights.reduce(0, +)) }
        let values = values
        let mean = bootstrap.interval { weights in
            zip(weights, values).reduce(0) { $0 + Double($1.0) * $1.1 } / total(weights)
        }
        let fast = bootstrap.mean(values)
        #expect(isNear(fast.lower.value, try #require(mean.lower.value), within: 1e-9))
        #expect(isNear(fast.upper.value, try #require(mean.upper.value), within: 1e-9))
    }

    @Test func theSeedDecidesTheInterval() {
        let one = GroupBootstrap(groups: groups, resamples: 300, seed: 1).mean(values)
        #expect(one == GroupBootstrap(groups: groups, resamples: 300, seed: 1).mean(values))
        #expect(one != GroupBootstrap(groups: groups, resamples: 300, seed: 2).mean(values))
    }

    @Test func comparisonsArePaired() {
        let bootstrap = GroupBootstrap(groups: groups, resamples: 300)
        let later = values.map { $0 + 7 }
        let doubled = values.map { $0 * 2 }
        // The same resamples on both sides: a constant shift has an interval of no width.
        let shift = bootstrap.mean(zip(later, values).map(-))
        #expect(isNear(shift.lower.value, 7, within: 1e-9))
        #expect(isNear(shift.upper.value, 7, within: 1e-9))
        let ratio = bootstrap.ofQuantileRatio(95, values, doubled)
        #expect(isNear(ratio.lower.value, 2, within: 1e-9))
        #expect(isNear(ratio.upper.value, 2, within: 1e-9))
    }

    @Test func readingsThatTimedOutLeaveTheMedianAndTakeTheTail() {
        let bootstrap = GroupBootstrap(groups: groups, resamples: 300)
        // Two readings of every group of twelve.
        let timedOut = values.enumerated().map { $0.offset % 12 < 2 ? .infinity : $0.element }
        #expect(bootstrap.ofQuantileRatio(50, timedOut, values).value != nil)
        let reason = "readings that timed out decide it"
        #expect(bootstrap.ofQuantileRatio(95, timedOut, timedOut) == .absent(reason))
        #expect(bootstrap.ofQuantileRatio(95, values, timedOut) == .absent(reason))
    }

    @Test func aRatioWithoutDenominatorsIsAbsent() {
        let bootstrap = GroupBootstrap(groups: groups, resamples: 300)
        let none = [Double](repeating: 0, count: 240)
        #expect(bootstrap.ofRatio(none, none).reason != nil)
    }

    /// Groups of one sample each that are all read right: Wilson's interval with t of 239 degrees of freedom for z.
    @Test func aPerfectRateStillHasAnInterval() throws {
        let single = GroupBootstrap(groups: Array(0..<240))
        let interval = try #require(single.ofRate(Array(repeating: true, count: 240)).value)
        // Computed by hand: n / (n + t²) with t = 1.96994.
        #expect(isNear(interval.lowerBound, 240 / (240 + 3.880_7), within: 1e-4))
        #expect(interval.upperBound == 1)
    }

    /// Samples of a group that are all alike count as one: 20 groups of 12 as 20 samples.
    @Test func groupsOfEqualSamplesCountOnce() throws {
        let alike = groups.map { $0 % 4 != 0 }
        let grouped = try #require(GroupBootstrap(groups: groups).ofRate(alike).value)
        // Varying groups are worth 19 independent samples (n − 1), scaled by (z/t)² = (1.95996/2.09302)².
        let expected = Proportion.scoreInterval(rate: 0.75, trials: 19 * 0.876_89)
        #expect(isNear(grouped.lowerBound, expected.lowerBound, within: 1e-3))
        #expect(isNear(grouped.upperBound, expected.upperBound, within: 1e-3))
    }

    /// Every group has 9 of 12 right: more even than chance, but counted as twice the samples at most.
    @Test func groupsThatAreAllTheSameCountTwiceAtMost() throws {
        let even = (0..<240).map { $0 % 4 != 0 }
        let interval = try #require(GroupBootstrap(groups: groups).ofRate(even).value)
        let expected = Proportion.scoreInterval(rate: 0.75, trials: 480 * 0.876_89)
        #expect(isNear(interval.lowerBound, expected.lowerBound, within: 1e-3))
    }

    @Test func readersThatNeverDifferStillLeaveRoom() throws {
        let right = groups.map { $0 % 4 != 0 }
        let interval = try #require(GroupBootstrap(groups: groups).ofRateDifference(right, right).interval.value)
        #expect(interval.lowerBound < -0.01 && interval.lowerBound > -0.03)
        #expect(isNear(interval.upperBound, -interval.lowerBound, within: 1e-9))
    }
}

extension GroupBootstrap {
    /// Returns the interval of a rate from the counts of the groups of samples.
    func ofRate(_ successes: [Bool]) -> IntervalFigure {
        var counts = [GroupedCounts.Count](repeating: .init(), count: groupCount)
        for (group, isSuccess) in zip(groups, successes) { counts[group].add(isSuccess) }
        return Self.ofRate(groups: counts, singles: .init())
    }

    fileprivate func mean(_ values: [Double]) -> IntervalFigure { ofRatio(values, values.map { _ in 1 }) }
}
