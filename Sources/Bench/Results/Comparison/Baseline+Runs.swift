import Basics
import Evaluation
import Foundation
import Harness

extension Baseline.Part {
    /// Creates the part of one measurement of several runs.
    init(_ measurement: Harness.Measurement, runs: [RunContents]) throws {
        let (sought, path) = (measurement.variant, runs[0].path)
        let sets = try runs.map { run in
            func check(_ isAlike: Bool, _ problem: String) throws(HarnessError) {
                if !isAlike { throw .configuration("\(run.path) \(problem)") }
            }
            guard let own = run.comparable.first(where: { $0.id == measurement.id }) else {
                throw HarnessError.configuration("\(run.path) lacks the measurement \(measurement.id) of \(path)")
            }
            try check(
                own.dataset.digest == measurement.dataset.digest,
                "read \(own.dataset.digest), \(path) read \(measurement.dataset.digest) for \(measurement.id): a baseline covers "
                    + "one dataset"
            )
            try check(
                own.variant.settings == sought.settings && own.variant.models == sought.models,
                "ran \(measurement.id) with settings or models different from \(path)"
            )
            return run.readings(own, name: run.path)
        }
        let first = sets[0]
        id = measurement.id
        (dataset, datasetDigest) = (measurement.dataset.name, measurement.dataset.digest)
        (settings, models) = (sought.settings, sought.models)
        figures = Self.figures(runs[0].result, measurement.id)
        noise = NoiseFloor(runs: sets)
        let worker = first.workers.first
        (peakBytes, leftBytes) = (worker?.peakBytes, worker?.leftBytes)
        startMilliseconds = worker?.startMilliseconds.map(Self.rounded)
        let entries = Dictionary(grouping: sets.flatMap(\.entries), by: \.id)
        samples = first.entries.map { entry in
            var entry = entry
            entry.readings = entries[entry.id, default: []].flatMap(\.readings)
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

    /// Rounds to a microsecond: more digits are noise in every diff.
    private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 1_000).rounded() / 1_000 }

    private static func finite(_ milliseconds: Double?) -> Double? {
        milliseconds.flatMap { $0.isFinite ? rounded($0) : nil }
    }

    /// Returns the outcomes that do not follow from the others: nil when there are none.
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

    /// Returns the baseline as one side of a comparison.
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
                    readings: sample.ms.map { [.init(round: 1, milliseconds: $0, millisecondsToText: sample.textMs)] }
                        ?? []
                )
            },
            workers: [.init(peakBytes: peakBytes, leftBytes: leftBytes, startMilliseconds: startMilliseconds)]
        )
    }
}

extension Baseline.Sample {
    /// Outcomes of all metrics that count samples.
    fileprivate var allOutcomes: [Metric: Bool] {
        var all = outcomes ?? [:]
        (all[.titleRead], all[.authorRead]) = (title, author)
        all[.readInTime] = title.map { $0 && AccuracySummary.isInTime(textMs ?? ms) }
        return all
    }
}
