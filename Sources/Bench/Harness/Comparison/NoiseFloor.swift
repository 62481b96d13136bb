package import Basics
package import Evaluation
import Foundation
import Statistics

/// Difference of a system from itself on this machine, which a comparison has to exceed.
package struct NoiseFloor: Sendable, Equatable, Codable {
    /// Largest change in either direction that still counts as no difference.
    package var floors: [Metric: Figure] = [:]
    /// Uncertainty of the logarithm of a latency ratio because processes of one program differ, with 95 % confidence;
    /// added in quadrature to intervals, which cover samples alone; nil when it could not be measured, so that no latency
    /// has an interval.
    package var processSpread: Double?
    package var origin: String

    package subscript(metric: Metric) -> Figure { floors[metric] ?? .absent("no noise floor") }

    static let onePair = "one pair of processes shows no spread; use --rounds 2 or more"

    private static let noneLegible = "no legible samples"
}

extension NoiseFloor {
    /// Creates the floor without an A/A run, from the rate at which readings of A disagree about a title.
    package init(unmeasured a: ReadingSet) {
        self.init(processSpread: 0, origin: "not measured")
        let scored = a.entries.filter { $0.title != nil }
        // A single reading cannot disagree with itself: this does not prove a noise of 0.
        let repeated = scored.filter { $0.readings.count > 1 }
        let reason = scored.isEmpty ? Self.noneLegible : "each sample was read once"
        setAccuracy(.ratio(repeated.count(where: \.varies), repeated.count, orAbsent: reason))
        let changing = a.entries.count(where: \.workVaries)
        for metric in Metric.works {
            let doubt = "work of \(NumberText.count(changing, "sample")) differs between readings of A"
            floors[metric] = changing == 0 ? .value(0) : .absent(doubt)
        }
    }

    private mutating func setAccuracy(_ disagreement: Figure) {
        for metric in Metric.compared where metric.family == .accuracy { floors[metric] = disagreement }
    }

    /// Creates the floor from an A/A run: `a` and `control` are the same system in interleaved processes of their own.
    ///
    /// Processes of one program differ by chance in speed, for example by the layout of their memory. Every stint has
    /// one process of each side, so the medians of the stints' log ratios δ₁…δₛ, whose true mean is 0, show how much: a
    /// mean of S stints is uncertain by t(0.975, S) √(Σδ²/S)/√S; one pair shows nothing. The floor of a latency or
    /// memory is the larger end of the interval of A′ against A, widened by that. The floor of accuracy is the share of
    /// samples on which readings of A itself disagree.
    package init(a: ReadingSet, control: ReadingSet, stint: (_ id: String, _ round: Int) -> Int?) {
        let pairs = SidePair(a, control).samples
        var ratios: [Int: [Double]] = [:]
        for pair in pairs {
            let others = Dictionary(pair.b.readings.map { ($0.round, $0.milliseconds) }) { $1 }
            for reading in pair.a.readings {
                guard let other = others[reading.round], let stint = stint(pair.a.id, reading.round) else { continue }
                let ratio = log(other) - log(reading.milliseconds)
                if ratio.isFinite { ratios[stint, default: []].append(ratio) }
            }
        }
        let shifts = ratios.sorted { $0.key < $1.key }.compactMap(\.value.middle)
        self.init(
            processSpread: shifts.count < 2 ? nil : Self.spread(ofZeroMean: shifts),
            origin: "A/A run of \(NumberText.count(shifts.count, "pair")) of processes"
        )
        for row in SidePair(a, control, noise: self).overall {
            let isUnknown = row.metric.family == .speed && shifts.count < 2
            floors[row.metric] =
                row.interval.value.map { .value(max(abs($0.lowerBound), abs($0.upperBound))) }
                ?? .absent(row.change.reason ?? row.interval.reason ?? "no noise floor")
            if isUnknown { floors[row.metric] = .absent(Self.onePair) }
        }
        // What neither does has no row.
        for metric in Metric.works where floors[metric] == nil { floors[metric] = .value(0) }
        let scored = pairs.count { $0.a.title != nil }
        setAccuracy(.ratio(Self.disagreeing(pairs).count, scored, orAbsent: Self.noneLegible))
    }

    /// Creates the floor from the difference of several runs of the same system.
    ///
    /// With K runs whose changes against the first one have the standard deviation s, a new run is within t(0.975, K −
    /// 1) s √(1 + 1/K) of their mean with 95 % confidence. Ratios are averaged by their logarithms. Of titles, the
    /// floor is the share of samples on which the runs disagree.
    init(runs: [ReadingSet]) {
        self.init(unmeasured: runs[0])
        guard runs.count >= 2 else {
            origin = "one run, which shows no spread between runs"
            return
        }
        origin = "differences between \(runs.count) runs"
        let changes = runs.dropFirst().map { run in
            Dictionary(first: SidePair(runs[0], run).overall.map { ($0.metric, $0.change) })
        }
        for metric in Metric.compared where metric.family != .accuracy {
            let known = changes.compactMap { $0[metric]?.value }
            if metric.family == .work {
                if let most = known.map(abs).max(), floors[metric]?.value != nil { floors[metric] = .value(most) }
                continue
            }
            guard known.count == changes.count else {
                floors[metric] = changes.first?[metric] ?? .absent("not measured")
                continue
            }
            let isRelative = metric.unit.isRelative
            let reach = Self.reach(ofRuns: [0] + known.map { isRelative ? log1p($0) : $0 })
            // Beyond that, a change could not be distinguished from noise.
            floors[metric] =
                isRelative && reach > log(IntervalFigure.widestFactor)
                ? .absent("\(runs.count) runs differ too much for a noise estimate; use more runs")
                : .value(isRelative ? expm1(reach) : reach)
        }
        let disagreeing = Set(runs.flatMap { Self.disagreeing(SidePair(runs[0], $0).samples) })
        let scored = runs[0].entries.count { $0.title != nil }
        setAccuracy(.ratio(disagreeing.count, scored, orAbsent: Self.noneLegible))
        processSpread = self[.latency].value.map { log1p($0) }
    }

    /// Returns samples whose title was read in some readings and not in others.
    private static func disagreeing(_ pairs: [SamplePair]) -> Set<String> {
        Set(pairs.filter { $0.a.varies || $0.b.varies || $0.a.title != $0.b.title }.map(\.a.id))
    }

    /// Returns the maximum distance of a new value from the mean of these, with 95 % confidence.
    static func reach(ofRuns values: [Double]) -> Double {
        let count = Double(values.count)
        return StudentT.quantile(0.975, degreesOfFreedom: count - 1)
            * (values.meanAndVariance.variance * (1 + 1 / count)).squareRoot()
    }

    /// Returns half the width of the 95 % interval of the mean of values whose true mean is 0.
    static func spread(ofZeroMean values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let count = Double(values.count)
        let variance = values.reduce(0) { $0 + $1 * $1 } / count
        return StudentT.quantile(0.975, degreesOfFreedom: count) * (variance / count).squareRoot()
    }
}
