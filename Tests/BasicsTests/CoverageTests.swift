import Basics
import Foundation
import TestSupport
import Testing

/// Rate at which each kind of interval contains the true value, over seeded draws from distributions whose true value
/// is known: 95 % should.
///
/// Bounds of percentiles are two of the sorted values. Ranks are whole numbers, so these bounds hold more often than
/// 95 %, and are checked against the exact coverage of their ranks. Three kinds err on the safe side: percentiles compared (a
/// jackknife of values near their middle overstates a little) and rates of fewer than 20 groups (counts near 0 are whole) may
/// hold 1.5 points more often, differences of rates (the wider of two intervals) 2.5. Where a reader loses whole photos, a few
/// photos decide, and intervals of 20 hold up to 4 points less often, as plain resampling would.
///
/// `SPINEBENCH_COVERAGE=4000` in the environment draws as often, with a tolerance of 1.5 points; the usual 200 draws
/// find a wrong formula and not a wrong point.
@Suite(.tags(.slow)) struct CoverageTests {
    private static let draws = ProcessInfo.processInfo.environment["SPINEBENCH_COVERAGE"].flatMap { Int($0) } ?? 200

    @Test(arguments: trials) func intervalsHold(trial: CoverageTrial) {
        let excess = 100 * (trial.coverage(draws: Self.draws, seed: 1) - trial.nominal)
        // Four standard errors of a share of 95 %.
        let tolerance = max(1.5, 400 * (0.95 * 0.05 / Double(Self.draws)).squareRoot())
        #expect(excess >= -tolerance - trial.lack && excess <= tolerance + trial.excess)
    }

    @Test func groupedSamplesTakenForIndependentHaveTooNarrowIntervals() {
        let threshold = Normal.quantile(0.8)
        let trial = CoverageTrial(
            name: "Wilson over groups",
            interval: { random in
                let drawn = DrawnSamples(groupCount: 15, sizes: 6...6, &random).values(correlation: 0.5)
                return Proportion(successes: drawn.count { $0 < threshold }, trials: drawn.count).interval
            },
            truth: 0.8
        )
        #expect(trial.coverage(draws: 300, seed: 11) < 0.85)
    }

    private static let trials: [CoverageTrial] = {
        let resamples = draws > 1_000 ? 1_000 : 200
        let few = CoverageTrial.Grouping(count: 10, correlation: 0.1)
        let some = CoverageTrial.Grouping(count: 20, correlation: 0.1)
        let alike = CoverageTrial.Grouping(count: 20, correlation: 0.3)
        let many = CoverageTrial.Grouping(count: 60, correlation: 0.2)
        let large = CoverageTrial.Grouping(count: 20, sizes: 12...12, correlation: 0.2)
        return [20, 40, 100, 240, 1000].map { .wilson(count: $0) }
            + [(50, 6), (50, 20), (50, 240), (95, 72), (95, 100), (95, 240), (95, 1000), (99, 368), (99, 1000)]
            .map { .percentile($0, count: $1) }
            + [few, some, alike, many].flatMap { grouping in
                [0.85, 0.95].map { .rate($0, grouping, resamples: resamples) }
            }
            + [few, some, alike, many].map { .rateDifference(0.9, 0.87, $0, resamples: resamples) }
            + [(20, 4.0), (60, 2.0)].map { .photosLost(0.2, $0.0, sizes: 1...12, lack: $0.1) }
            + [few, some, alike, many].map { .mean($0, resamples: resamples) }
            + [some, large, many].flatMap { grouping in
                [50, 95].map { .quantileRatio($0, grouping, resamples: resamples) }
            }
            + [10, 30, 60, 240].map { .shift(count: $0) }
            + [12, 30, 120].map { .slope(count: $0) }
    }()
}
