import Testing

@testable import Evaluation

@Suite struct ProportionTests {
    @Test func theIntervalIsThatOfStatsmodels() throws {
        for row in try Expected.load().wilson {
            let interval = try #require(Proportion(successes: row.successes, trials: row.trials).interval)
            #expect(abs(interval.lowerBound - row.lower) < 1e-7, "\(row.successes) of \(row.trials)")
            #expect(abs(interval.upperBound - row.upper) < 1e-7, "\(row.successes) of \(row.trials)")
        }
    }

    @Test func noTrialsHaveNeitherRateNorInterval() {
        let none = Proportion(successes: 0, trials: 0)
        #expect(none.rate == .absent("no samples"))
        #expect(none.interval == nil)
    }

    // By hand: 0.85 / 0.15 · 1.959964² = 21.77; 0.5 / 0.5 · 3.8415 = 3.84; a target of 0 needs nothing.
    @Test(arguments: [(0.85, 22), (0.5, 4), (0, 0)])
    func minimumTrialsIsWhereAPerfectScoreShowsTheTarget(target: Double, expected: Int) throws {
        #expect(Proportion.minimumTrials(toShow: target) == expected)
        guard expected > 0 else { return }
        let enough = try #require(Proportion(successes: expected, trials: expected).interval)
        let tooFew = try #require(Proportion(successes: expected - 1, trials: expected - 1).interval)
        #expect(enough.lowerBound >= target)
        #expect(tooFew.lowerBound < target)
    }
}
