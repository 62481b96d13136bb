import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Statistics

@Suite struct PercentileEstimateTests {
    private func values(_ count: Int, timeouts: Int = 0) -> [Double] {
        (0..<count - timeouts).map { Double($0 + 1) } + Array(repeating: .infinity, count: timeouts)
    }

    @Test func ranksOfTheBoundsAreThoseOfSciPysBinomial() throws {
        for row in try StatisticsFixture.load().percentileBounds {
            let bounds = PercentileBounds(percent: row.percent, count: row.count)
            #expect(bounds.lowerRank == row.lower, "P\(row.percent) of \(row.count)")
            #expect(bounds.upperRank == row.upper, "P\(row.percent) of \(row.count)")
            #expect(isNear(bounds.confidence, row.confidence, within: 1e-9), "P\(row.percent) of \(row.count)")
        }
    }

    // ln 0.025 / ln p, rounded up: 5.3, 71.9, 367.04.
    @Test(arguments: [(50, 6), (95, 72), (99, 368)])
    func fewestValuesForAnUpperBound(percent: Int, expected: Int) {
        #expect(PercentileBounds.minimumCountForUpper(percent: percent) == expected)
    }

    @Test func boundsThatTooFewReadingsCannotGiveAreAbsent() {
        let few = PercentileEstimate(percent: 95, sorted: values(71))
        #expect(few.point == .value(68))
        #expect(few.value == .absent("n too small (needs ≥ 90)"))
        #expect(few.upper == .absent("needs ≥ 72 readings"))
        #expect(few.lower.value != nil)
        let one = PercentileEstimate(percent: 95, sorted: [3])
        #expect(one.point == .value(3))
        #expect(one.lower == .absent("needs ≥ 2 readings"))
        let none = PercentileEstimate(percent: 95, sorted: [])
        #expect(none.point == .absent("no readings"))
        #expect(none.count == 0)
    }

    @Test func theSeedFormulaChangesThePointOnly() {
        let rank = PercentileEstimate(percent: 95, sorted: values(200))
        let seed = PercentileEstimate(percent: 95, sorted: values(200), method: .seed)
        #expect(rank.value == .value(190))
        #expect(seed.value == .value(191))
        #expect(rank.lower == seed.lower)
        #expect(rank.upper == seed.upper)
    }

    @Test func allEqualValuesAreTheirOwnBounds() {
        let equal = PercentileEstimate(percent: 95, sorted: Array(repeating: 7, count: 100))
        #expect([equal.value, equal.lower, equal.upper] == [.value(7), .value(7), .value(7)])
    }

    // P95 of 100 readings is the 95th: 5 timeouts leave it finite, 6 do not. The upper bound is rank 99.
    @Test func aFigureThatTimedOutIsAbsentAndNeverEncoded() throws {
        let some = PercentileEstimate(percent: 95, sorted: values(100, timeouts: 5))
        #expect(some.value == .value(95))
        #expect(some.upper == .absent("5 of 100 readings timed out"))
        let many = PercentileEstimate(percent: 95, sorted: values(100, timeouts: 6))
        #expect(many.value == .absent("more than 5 % of the readings timed out"))
        let seed = PercentileEstimate(percent: 95, sorted: values(100, timeouts: 5), method: .seed)
        #expect(seed.value == .absent("5 % or more of the readings timed out"))
        let all = PercentileEstimate(percent: 95, sorted: values(100, timeouts: 100))
        #expect(all.lower == .absent("100 of 100 readings timed out"))
        let decoded = try JSONDecoder().decode(PercentileEstimate.self, from: JSONEncoder().encode(all))
        #expect(decoded == all)
    }

    // 72 readings below the limit are the least that bound P95 (0.95⁷² = 0.0249).
    @Test func withNoneOverTheLimitTheFewestReadingsDecide() {
        let sorted = values(20)
        let estimate = PercentileEstimate(percent: 95, sorted: sorted)
        #expect(estimate.countToDecide(over: over(500, sorted)) == 72)
    }

    @Test func whatIsDecidedNeedsNoMoreReadings() {
        let sorted = values(400)
        let estimate = PercentileEstimate(percent: 95, sorted: sorted)
        #expect(estimate.countToDecide(over: over(500, sorted)) == 400)
        #expect(estimate.countToDecide(over: over(100, sorted)) == 400)
    }

    @Test func aShareRightAtThePercentileNeverDecides() {
        let sorted = values(100)
        let estimate = PercentileEstimate(percent: 95, sorted: sorted)
        #expect(estimate.countToDecide(over: over(95, sorted)) == nil)
        #expect(PercentileEstimate(percent: 95, sorted: []).countToDecide(over: over(1, [])) == nil)
    }

    /// Bounds exclude the limit with the stated number of readings, if the same share is over the limit.
    @Test(arguments: [(96.0, 1), (97, 1), (94, -1), (90, -1), (99, 1)])
    func theCountThatDecidesDoesDecide(limit: Double, side: Int) throws {
        let sorted = values(100)
        let count = try #require(
            PercentileEstimate(percent: 95, sorted: sorted).countToDecide(over: over(limit, sorted))
        )
        let over = Double(100 - Int(limit)) / 100 * Double(count)
        let more =
            values(count - Int(over.rounded(side > 0 ? .up : .down)))
            .map { $0 / Double(count) } + Array(repeating: 1000, count: Int(over.rounded(side > 0 ? .up : .down)))
        let decided = PercentileEstimate(percent: 95, sorted: more)
        if side > 0 {
            #expect(try #require(decided.upper.value) <= limit)
        } else {
            #expect(try #require(decided.lower.value) > limit)
        }
    }
}

/// Returns the number of values above a limit.
private func over(_ limit: Double, _ sorted: [Double]) -> Int { sorted.count { $0 > limit } }
