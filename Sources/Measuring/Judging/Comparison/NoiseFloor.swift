package import Basics
import Documents
package import Evaluation
import Foundation
import Harness
import Statistics

/// How far a system differs from itself on this machine: what a comparison has to exceed.
package struct NoiseFloor: Sendable, Equatable, Codable {
    /// By metric's raw value: the largest change, to either side, that is still no difference.
    package var floors: [String: Figure]
    /// By how much the logarithm of a latency ratio is uncertain because processes of one program differ, with 95 %
    /// confidence; added in quadrature to intervals, which know of samples and readings alone.
    ///
    /// Nil when that was to be measured and could not be: then no latency has an interval.
    package var processSpread: Double?
    /// Where it comes from, in words.
    package var origin: String

    package init(floors: [String: Figure], processSpread: Double?, origin: String) {
        self.floors = floors
        self.processSpread = processSpread
        self.origin = origin
    }

    /// Without an A/A run: what the readings of A alone say, which is how often they disagree about a title.
    package init(unmeasured a: ReadingSet) {
        let share = Figure.ratio(
            a.entries.count { $0.title != nil && $0.varies },
            a.entries.count { $0.title != nil },
            orAbsent: "no legible samples"
        )
        let accuracy = Metric.compared.filter { $0.meaning.family == .accuracy }
        self.init(
            floors: Dictionary(uniqueKeysWithValues: accuracy.map { ($0.rawValue, share) }),
            processSpread: 0,
            origin: "not measured"
        )
    }

    package subscript(metric: Metric) -> Figure {
        floors[metric.rawValue] ?? .absent("no noise floor")
    }

    /// What the A/A run says: `a` and `control` are the same system in processes of their own, interleaved.
    ///
    /// Processes of one program differ by chance in speed, in where their memory lies among other things, and readings of
    /// one process share its luck. Every stint has one process of each side, so the medians of the stints' log ratios
    /// δ₁…δₛ, whose true mean is 0, show how much: a mean of S stints is uncertain by t(0.975, S) √(Σδ²/S)/√S. One pair shows
    /// nothing: that they are alike may be luck. The floor of
    /// a latency or memory is the larger end of the interval of A′ against A, widened by that. Accuracy has no such luck:
    /// there the floor is the share of samples on which readings of A itself disagree.
    ///
    /// - Parameters:
    ///   - a: The first side.
    ///   - control: The same system again.
    ///   - stint: The stint of a reading of a sample, by its id and its round.
    package init(a: ReadingSet, control: ReadingSet, stint: (_ id: String, _ round: Int) -> Int?) {
        let pairs = SamplePairs(a, control).pairs
        var ratios: [Int: [Double]] = [:]
        for pair in pairs {
            let others = Dictionary(pair.b.readings.map { ($0.round, $0.milliseconds) }, uniquingKeysWith: { $1 })
            for reading in pair.a.readings {
                guard let other = others[reading.round], let stint = stint(pair.a.id, reading.round) else { continue }
                let ratio = log(other) - log(reading.milliseconds)
                if ratio.isFinite { ratios[stint, default: []].append(ratio) }
            }
        }
        let shifts = ratios.sorted { $0.key < $1.key }.map { Self.median($0.value) }
        self.init(
            floors: [:],
            processSpread: shifts.count < 2 ? nil : Self.spread(ofZeroMean: shifts),
            origin: "A/A run of \(NumberText.count(shifts.count, "pair")) of processes"
        )
        let rows = ComparisonRows(
            a: a,
            b: control,
            noise: self,
            tolerances: ComparisonTolerances(changes: [:], leastBytes: 0)
        )
        let varying = Set(
            pairs.filter { $0.a.varies || $0.b.varies || $0.a.title != $0.b.title }.map(\.a.id)
        )
        let scored = pairs.count { $0.a.title != nil }
        for row in rows.overall {
            switch row.metric.meaning.family {
            case .accuracy:
                floors[row.metric.rawValue] = .ratio(varying.count, scored, orAbsent: "no legible samples")
            case .speed, .memory, .traffic:
                floors[row.metric.rawValue] =
                    row.interval.value.map { .value(max(abs($0.lowerBound), abs($0.upperBound))) }
                    ?? .absent(row.change.reason ?? row.interval.reason ?? "no noise floor")
            }
        }
        if shifts.count < 2 {
            for metric in Metric.compared where metric.meaning.family == .speed {
                floors[metric.rawValue] = .absent(Self.onePair)
            }
        }
    }

    /// Why there is no noise floor, and what would give one.
    static let onePair = "one pair of processes cannot show how much they differ; more --rounds would"

    /// Half the width of the 95 % interval of the mean of values whose true mean is 0.
    static func spread(ofZeroMean values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let count = Double(values.count)
        let variance = values.reduce(0) { $0 + $1 * $1 } / count
        return StudentT.quantile(0.975, degreesOfFreedom: count) * (variance / count).squareRoot()
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
