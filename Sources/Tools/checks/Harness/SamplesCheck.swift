import ArgumentParser
import Basics
import Foundation

struct SamplesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "samples",
        abstract: "Simulate how many samples a stable gate on P95 latency needs.",
        discussion: """
            Two runs of the same system are simulated repeatedly, with log-normal latencies drawn for each run. For both \
            P95 formulas (nearest-rank: the value at rank ⌈0.95 n⌉; seed: element Int(0.95 n) counted from 0) and every \
            number of samples, the table contains

            – bias: distance of the mean P95 from the true one;
            – width: of the distribution-free 95 % interval of one run, as a share of the true P95 ("none" when most \
            runs have too few samples for an upper bound);
            – alarms of a plain gate, which fails when the second P95 is more than the margin above the first, or below it;
            – alarms of a gate that requires evidence: it fails when, in addition, the ratio of the two P95s is beyond the \
            margin with 95 % confidence (by Harrell and Davis, every sample a group of its own);
            – paired: the gate with evidence when both runs read the same samples, each reading with independent noise;
            – finds: how often the same gates detect a slowdown of twice the margin.

            The spread is the standard deviation of the logarithm of a latency; 0.3 is a steady reader of similar spines, \
            0.6 one of very different spines.
            """
    )

    @Option(help: "Number of pairs of runs per row.")
    var repetitions = 1_000

    @Option(help: "Standard deviation of the logarithm of a latency.")
    var spread = 0.5

    @Option(help: "Standard deviation of the logarithm of one reading of the same sample.")
    var noise = 0.05

    @Option(help: "Margin of the gate, in percent.")
    var margin = 10.0

    @Option(parsing: .upToNextOption, help: "Numbers of samples.")
    var counts = [20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

    @Option(help: "Seed of all draws.")
    var seed: UInt64 = 1

    func validate() throws {
        try require(
            repetitions >= 1 && spread > 0 && noise >= 0 && margin > 0 && counts.allSatisfy { $0 >= 1 },
            "Invalid option: expected --repetitions and --counts 1 or more, --spread and --margin above 0, and --noise 0 or more."
        )
    }

    func run() throws {
        print(
            """
            Log-normal latencies, spread \(spread), noise \(noise); gate of ±\(String(format: "%g", margin)) %; \
            \(repetitions) pairs of runs a row, seed \(seed).

            | samples | P95 formula | bias % | interval width % | plain gate: alarms % | finds % \
            | gate with evidence: alarms % | finds % | paired: alarms % | finds % |
            |--:|---|--:|--:|--:|--:|--:|--:|--:|--:|
            """
        )
        for count in counts {
            for (method, row) in simulate(count: count).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                print("| \(count) | \(method.rawValue) | " + row.cells(of: repetitions).joined(separator: " | ") + " |")
            }
        }
    }

    private func simulate(count: Int) -> [PercentileMethod: SampleTally] {
        var random = SplitMix64(state: seed)
        var tallies: [PercentileMethod: SampleTally] = [:]
        let truth = exp(spread * Normal.quantile(0.95))
        let independent = GroupBootstrap(groups: Array(0..<count))
        for _ in 0..<repetitions {
            let first = (0..<count).map { _ in exp(spread * random.nextNormal()) / truth }
            let second = (0..<count).map { _ in exp(spread * random.nextNormal()) / truth }
            let again = first.map { $0 * exp(noise * random.nextNormal()) }
            let readAgain = first.map { $0 * exp(noise * random.nextNormal()) }
            let apart = independent.ofQuantileRatio(95, first, second).value
            let paired = independent.ofQuantileRatio(95, again, readAgain).value
            let sorted = (first.sorted(), second.sorted(), again.sorted(), readAgain.sorted())
            for method in PercentileMethod.allCases {
                func p95(_ values: [Double]) -> Double { Percentile.value(95, of: values, method: method) }
                var tally = tallies[method] ?? SampleTally()
                tally.sum += p95(sorted.0)
                let estimate = PercentileEstimate(percent: 95, sorted: sorted.0, method: method)
                if let lower = estimate.lower.value, let upper = estimate.upper.value {
                    tally.width += upper - lower
                    tally.bounded += 1
                }
                let ratio = p95(sorted.1) / p95(sorted.0)
                tally.plain.count(ratio: ratio, evidence: ratio...ratio, margin: margin / 100)
                tally.firm.count(ratio: ratio, evidence: apart, margin: margin / 100)
                let pairedRatio = p95(sorted.3) / p95(sorted.2)
                tally.paired.count(ratio: pairedRatio, evidence: paired, margin: margin / 100)
                tallies[method] = tally
            }
        }
        return tallies
    }
}

/// Tally of one P95 formula for one number of samples, over many pairs of runs.
struct SampleTally {
    /// Failures of a gate.
    struct Gate {
        var alarms = 0
        var finds = 0

        /// Counts an alarm when the P95s of two equal systems differ by more than the margin, and the evidence
        /// agrees; and a detection when they do so with the second slowed down by twice the margin.
        mutating func count(ratio: Double, evidence: ClosedRange<Double>?, margin: Double) {
            guard let evidence else { return }
            let (limit, slowdown) = (1 + margin, 1 + 2 * margin)
            let isSlower = ratio > limit && evidence.lowerBound > limit
            let isFaster = ratio < 1 / limit && evidence.upperBound < 1 / limit
            if isSlower || isFaster { alarms += 1 }
            if ratio * slowdown > limit, evidence.lowerBound * slowdown > limit { finds += 1 }
        }
    }

    /// Sum of the first run's P95s, as shares of the true one.
    var sum = 0.0
    /// Sum of the widths of the first run's intervals, as shares of the true P95.
    var width = 0.0
    /// Number of first runs that had an interval.
    var bounded = 0
    var plain = Gate()
    var firm = Gate()
    var paired = Gate()

    /// Returns bias, width, and each gate's alarms and detections, in percent.
    func cells(of repetitions: Int) -> [String] {
        func percent(_ value: Double) -> String { String(format: "%.1f", value * 100) }
        let counts = [plain, firm, paired].flatMap { [$0.alarms, $0.finds] }
        return [
            percent(sum / Double(repetitions) - 1),
            bounded * 2 > repetitions ? percent(width / Double(bounded)) : "none",
        ] + counts.map { percent(Double($0) / Double(repetitions)) }
    }
}
