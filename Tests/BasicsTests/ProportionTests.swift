import Testing

@testable import Basics
@testable import Statistics

@Suite struct ProportionTests {
    @Test func intervalsAreThoseOfStatsmodels() throws {
        let usual = try Expected.load().wilson.map {
            ([Double($0.successes), Double($0.trials), 0.95, $0.lower, $0.upper], 1e-7)
        }
        for (row, tolerance) in try usual + StatisticsFixture.load().wilson.map({ ($0, 1e-12) }) {
            let share = Proportion(successes: Int(row[0]), trials: Int(row[1]))
            let interval = try #require(share.interval(confidence: row[2]))
            #expect(abs(interval.lowerBound - row[3]) < tolerance, "\(row)")
            #expect(abs(interval.upperBound - row[4]) < tolerance, "\(row)")
        }
    }

    @Test func noTrialsHaveNeitherRateNorInterval() {
        let none = Proportion(successes: 0, trials: 0)
        #expect(none.rate == .absent("no samples"))
        #expect(none.interval == nil)
    }

    // Computed by hand: 0.85 / 0.15 · 1.959964² = 21.77; 0.5 / 0.5 · 3.8415 = 3.84; a target of 0 needs nothing.
    @Test(arguments: [(0.85, 22), (0.5, 4), (0, 0)])
    func minimumTrialsIsWhereAPerfectScoreShowsTheTarget(target: Double, expected: Int) throws {
        #expect(Proportion.minimumTrials(toShow: target) == expected)
        guard expected > 0 else { return }
        let enough = try #require(Proportion(successes: expected, trials: expected).interval)
        let tooFew = try #require(Proportion(successes: expected - 1, trials: expected - 1).interval)
        #expect(enough.lowerBound >= target)
        #expect(tooFew.lowerBound < target)
    }

    /// One-sided 95 % against 85 %: whole numbers of spines that show the rate exactly, from a published-style table.
    ///
    /// The table rounds up to a number of trials at which the rate is a whole number of successes.
    @Test(arguments: [
        (19, 20, 40), (23, 25, 75), (9, 10, 140), (22, 25, 400), (87, 100, 900), (43, 50, 3450),
    ])
    func trialsToDecideLieJustBelowThoseOfTheTable(successes: Int, trials: Int, table: Int) throws {
        let share = Proportion(successes: successes, trials: trials)
        let needed = try #require(share.trialsToDecide(0.85, confidence: 0.9))
        #expect(needed <= table && Double(needed) > 0.87 * Double(table))
        let enough = Proportion(successes: successes * table / trials, trials: table)
        #expect(try #require(enough.interval(confidence: 0.9)).lowerBound > 0.85)
    }

    // Computed by hand: 1.95996² · 0.85 · 0.15 / 0.15² = 21.8; / 0.05² = 195.9; a rate at the target never decides.
    @Test func trialsToDecideAreWhereTheIntervalLeavesTheTarget() {
        #expect(Proportion(successes: 10, trials: 10).trialsToDecide(0.85) == 22)
        #expect(Proportion(successes: 80, trials: 100).trialsToDecide(0.85) == 196)
        #expect(Proportion(successes: 17, trials: 20).trialsToDecide(0.85) == nil)
        #expect(Proportion(successes: 0, trials: 0).trialsToDecide(0.85) == nil)
    }
}
