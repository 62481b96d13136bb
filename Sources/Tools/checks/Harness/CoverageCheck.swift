import ArgumentParser
import Foundation

struct CoverageCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage",
        abstract: "Simulate how often each kind of interval contains the truth.",
        discussion: """
            Data are drawn repeatedly from distributions whose true figure is known, and the interval that the \
            harness computes from each draw contains the figure or not. 95 % should.

            Bounds of percentiles are two of the sorted values. Ranks are whole numbers, so these bounds hold more \
            often than 95 %; the exact coverage is in the column "nominal", against which they are checked. \
            All others are checked against 95 %. Two kinds err on the safe side and may hold 1.5 points more often: \
            percentiles compared (a jackknife of values near their middle overstates a little), and rates of fewer than \
            20 groups (counts near 0 are whole).

            Prints a Markdown table: coverage, its standard error, how often the interval was too low and too high, how \
            often there was none, and its mean width. The exit code is 1 when a coverage is further from its nominal value than \
            the tolerance.
            """
    )

    @Option(help: "Number of draws per interval.")
    var repetitions = 4_000

    @Option(help: "Resamples of each bootstrap.")
    var resamples = 1_000

    @Option(help: "Maximum distance of a coverage from its nominal value, in percentage points.")
    var tolerance = 1.5

    @Option(help: "Seed of all draws.")
    var seed: UInt64 = 1

    @Option(help: "Only the rows whose name contains this.")
    var only: String?

    func validate() throws {
        guard repetitions >= 1, resamples >= 100, tolerance >= 0 else {
            throw ValidationError("Invalid --repetitions, --resamples or --tolerance: expected at least 1, 100 and 0.")
        }
    }

    func run() throws {
        print("| interval | nominal % | coverage % | ± | too low % | too high % | absent % | mean width | |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|---|")
        var missed = 0
        for trial in trials() where only.map(trial.name.contains) ?? true {
            let outcome = trial.run(repetitions: repetitions, seed: seed)
            let excess = (outcome.coverage - trial.nominal) * 100
            let isHeld = excess >= -tolerance && excess <= tolerance + trial.excess
            if !isHeld { missed += 1 }
            let made = Double(max(1, outcome.made))
            let error = (outcome.coverage * (1 - outcome.coverage) / made).squareRoot()
            let cells = [
                trial.name, percent(trial.nominal), percent(outcome.coverage), percent(error),
                percent(Double(outcome.tooLow) / made), percent(Double(outcome.tooHigh) / made),
                percent(Double(outcome.absent) / Double(repetitions)), String(format: "%.4g", outcome.width / made),
                !isHeld ? "MISSED" : excess > tolerance ? "holds, safe side" : "holds",
            ]
            print("| " + cells.joined(separator: " | ") + " |")
        }
        if missed > 0 {
            print("\n\(missed) further than \(tolerance) points from nominal")
            throw ExitCode(1)
        }
    }

    private func percent(_ share: Double) -> String { String(format: "%.2f", share * 100) }

    private func trials() -> [CoverageTrial] {
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
            + [few, some, alike, many].map { .mean($0, resamples: resamples) }
            + [some, large, many].flatMap { grouping in
                [50, 95].map { .quantileRatio($0, grouping, resamples: resamples) }
            }
            + [10, 30, 60, 240].map { .shift(count: $0) }
            + [12, 30, 120].map { .slope(count: $0) }
    }
}
