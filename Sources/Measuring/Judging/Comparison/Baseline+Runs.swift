import Basics
import Evaluation
import Foundation
import Harness
import Statistics

extension Baseline.Part {
    /// One measurement of several runs.
    init(_ measurement: Harness.Measurement, runs: [StoredRun]) throws {
        let sets = try runs.map { run in
            guard let own = run.measurements.first(where: { $0.id == measurement.id }) else {
                throw HarnessError.configuration(
                    "\(run.path) has no measurement \(measurement.id), as \(runs[0].path) has"
                )
            }
            guard own.dataset.digest == measurement.dataset.digest else {
                throw HarnessError.configuration(
                    "\(run.path) read \(own.dataset.digest), \(runs[0].path) read \(measurement.dataset.digest) for "
                        + "\(measurement.id): a baseline is of one dataset"
                )
            }
            guard own.variant.settings == measurement.variant.settings, own.variant.models == measurement.variant.models
            else {
                throw HarnessError.configuration(
                    "\(run.path) ran \(measurement.id) with other settings or models than \(runs[0].path)"
                )
            }
            return run.readings(own, name: run.path)
        }
        let first = sets[0]
        id = measurement.id
        dataset = measurement.dataset.name
        datasetDigest = measurement.dataset.digest
        (settings, models) = (measurement.variant.settings, measurement.variant.models)
        figures = Self.figures(runs[0].result, measurement.id)
        noise = NoiseFloor(runs: sets)
        let worker = first.workers.first
        (peakBytes, leftBytes) = (worker?.peakBytes, worker?.leftBytes)
        startMilliseconds = worker?.startMilliseconds.map(Self.rounded)
        let readings = Dictionary(
            grouping: sets.flatMap { set in set.entries.flatMap { entry in entry.readings.map { (entry.id, $0) } } },
            by: \.0
        )
        samples = first.entries.map { entry in
            var entry = entry
            entry.readings = readings[entry.id, default: []].map(\.1)
            return Baseline.Sample(
                id: entry.id,
                category: entry.category,
                group: entry.group == entry.id ? nil : entry.group,
                title: entry.title,
                author: entry.outcomes[.authorRead],
                outcomes: Self.others(of: entry),
                errors: entry.characters.errors,
                length: entry.characters.referenceLength,
                ms: Self.finite(entry.milliseconds),
                textMs: entry.millisecondsToText == entry.milliseconds ? nil : Self.finite(entry.millisecondsToText)
            )
        }.sorted { $0.id < $1.id }
    }

    /// To a microsecond: more digits are noise in every diff.
    private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 1_000).rounded() / 1_000 }

    private static func finite(_ milliseconds: Double?) -> Double? {
        milliseconds.flatMap { $0.isFinite ? rounded($0) : nil }
    }

    /// Of what does not follow from the others: nil when there is none.
    private static func others(of entry: ReadingSet.Entry) -> [Metric: Bool]? {
        let others = entry.outcomes.filter { ![.titleRead, .authorRead, .readInTime].contains($0.key) }
        return others.isEmpty ? nil : others
    }

    private static func figures(_ result: RunResult, _ id: String) -> [Line] {
        result.measurements.filter { $0.id == id }.flatMap(ChartedFigure.of).map {
            Line(
                name: "\($0.measure) (\($0.unit))",
                value: rounded($0.value),
                lower: ($0.range?.lowerBound).map(rounded),
                upper: ($0.range?.upperBound).map(rounded)
            )
        }
    }

    /// As one side of a comparison.
    func readings(name: String) -> ReadingSet {
        ReadingSet(
            name: name,
            entries: samples.map { sample in
                ReadingSet.Entry(
                    id: sample.id,
                    group: sample.group ?? sample.id,
                    category: sample.category,
                    outcomes: sample.allOutcomes,
                    characters: EditCounts(substitutions: sample.errors, referenceLength: sample.length),
                    text: nil,
                    readings: sample.ms.map {
                        [.init(round: 1, milliseconds: $0, millisecondsToText: sample.textMs)]
                    } ?? [],
                    varies: false
                )
            },
            workers: [
                ReadingSet.Worker(peakBytes: peakBytes, leftBytes: leftBytes, startMilliseconds: startMilliseconds)
            ]
        )
    }
}

extension Baseline.Sample {
    /// Of each metric that counts samples.
    fileprivate var allOutcomes: [Metric: Bool] {
        var all = outcomes ?? [:]
        (all[.titleRead], all[.authorRead]) = (title, author)
        all[.readInTime] = title.map { $0 && AccuracySummary.isInTime(textMs ?? ms) }
        return all
    }
}

extension NoiseFloor {
    /// How far runs of the same system differ: what a new run may differ from them by chance.
    ///
    /// With K runs whose changes against the first one have the standard deviation s, a new run lies within
    /// t(0.975, K − 1) s √(1 + 1/K) of their mean with 95 % confidence. Two runs know little about s, and their floor is
    /// wide; five are better. Changes that are ratios are taken by their logarithms. Of titles, the floor is the share of samples on which the runs disagree.
    init(runs: [ReadingSet]) {
        self.init(unmeasured: runs[0])
        guard runs.count >= 2 else {
            origin = "one run, which cannot say how far runs differ"
            return
        }
        origin = "differences between \(runs.count) runs"
        let none = NoiseFloor(floors: [:], processSpread: 0, origin: "")
        let informing = ComparisonTolerances(changes: [:], leastBytes: 0)
        let changes = runs.dropFirst().map { run in
            Dictionary(
                uniqueKeysWithValues: ComparisonRows(a: runs[0], b: run, noise: none, tolerances: informing).overall.map
                {
                    ($0.metric, $0.change)
                }
            )
        }
        for metric in Metric.compared where metric.meaning.family != .accuracy {
            let known = changes.compactMap { $0[metric]?.value }
            guard known.count == changes.count else {
                floors[metric.rawValue] = changes.first?[metric] ?? .absent("not measured")
                continue
            }
            let isRelative = metric.meaning.unit.isRelative
            let reach = Self.reach(ofRuns: [0] + known.map { isRelative ? log1p($0) : $0 })
            // Beyond that no change could be told from noise.
            floors[metric.rawValue] =
                isRelative && reach > log(IntervalFigure.widestFactor)
                ? .absent("\(runs.count) runs differ too much to know the noise; more runs would tell")
                : .value(isRelative ? expm1(reach) : reach)
        }
        var disagreeing: Set<String> = []
        for run in runs {
            for pair in SamplePairs(runs[0], run).pairs
            where pair.a.title != pair.b.title || pair.b.varies || pair.a.varies {
                disagreeing.insert(pair.a.id)
            }
        }
        let scored = runs[0].entries.count { $0.title != nil }
        for metric in Metric.compared where metric.meaning.family == .accuracy {
            floors[metric.rawValue] = .ratio(disagreeing.count, scored, orAbsent: "no legible samples")
        }
        processSpread = self[.latency].value.map { log1p($0) }
    }

    /// How far a new value may lie from the mean of these, with 95 % confidence.
    static func reach(ofRuns values: [Double]) -> Double {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        return StudentT.quantile(0.975, degreesOfFreedom: count - 1) * (variance * (1 + 1 / count)).squareRoot()
    }
}
