import Basics
import Documents
package import Evaluation
package import Harness
package import SpineDatasets

/// Everything that a comparison found out: what its reports print.
package struct ComparisonReport: Sendable, Equatable, Codable {
    /// Version of this structure.
    package var format = 1
    package var tool: String
    /// How the readings were taken, in a sentence.
    package var method: String
    /// UTC, ISO 8601; nil for stored runs.
    package var startedAt: String?
    package var host: HostDescription?
    /// Of a live comparison.
    package var configuration: ComparisonConfiguration?
    package var tolerances: ComparisonTolerances
    /// One of each dataset or measurement.
    package var comparisons: [Comparison]
    /// What else a reader has to know.
    package var notes: [String]
    /// Whether readings are missing, because it was stopped.
    package var isPartial: Bool
    /// Nil when no row was asked to gate.
    package var verdict: Verdict?

    /// - Parameters:
    ///   - tool: Program and version.
    ///   - method: How the readings were taken, in a sentence.
    ///   - tolerances: What is accepted.
    ///   - comparisons: One of each dataset or measurement.
    ///   - notes: What else a reader has to know.
    package init(
        tool: String,
        method: String,
        tolerances: ComparisonTolerances,
        comparisons: [Comparison],
        notes: [String] = []
    ) {
        self.tool = tool
        self.method = method
        self.tolerances = tolerances
        self.comparisons = comparisons
        self.notes = notes
        isPartial = false
        verdict = Verdict.overall(comparisons.compactMap(\.verdict))
    }

    /// Of a live comparison.
    ///
    /// - Parameters:
    ///   - configuration: of the comparison.
    ///   - datasets: those that it names, in its order.
    ///   - records: of all sides, at most one of each reading.
    ///   - events: of all sides, in the order in which they happened.
    package init(
        configuration: ComparisonConfiguration,
        datasets: [Dataset],
        records: [SampleRecord],
        events: [RunEvent]
    ) {
        let recordsByMeasurement = Dictionary(grouping: records, by: \.measurement)
        let parts = zip(configuration.datasets, datasets).map { reference, dataset in
            LiveReadings(configuration, reference, dataset, recordsByMeasurement, events)
        }
        self.init(
            tool: configuration.tool,
            method: "Measured now: \(NumberText.count(configuration.rounds, "round")), readings interleaved sample by "
                + "sample, "
                + NumberText.count(parts.first?.stints ?? 0, "process", plural: "processes") + " of each side"
                + (configuration.measuresNoise ? ", and as many of A again for the noise." : "."),
            tolerances: configuration.tolerances,
            comparisons: parts.map { $0.comparison(configuration.tolerances) },
            notes: configuration.measuresNoise
                ? [] : ["Without an A/A run no noise floor is known, so that rows of speed and memory do not gate."]
        )
        self.configuration = configuration
        notes += CacheFillText(events.compactMap(\.cacheFill)).sentence.map { [$0] } ?? []
        startedAt = events.first?.time
        host = events.compactMap(\.host).first
        if parts.contains(where: \.isPartial) { stop() }
    }

    /// Takes back what was judged: it was stopped, and what is missing may be all that differs.
    mutating func stop() {
        isPartial = true
        for index in comparisons.indices { comparisons[index].takeBackVerdict() }
        verdict = verdict.map { _ in .inconclusive }
    }

    /// What a caller's process ends with: 0 no regression, 1 one, 3 not decided.
    package var exitCode: Int32 {
        switch verdict {
        case .pass: 0
        case .fail: 1
        case .inconclusive, nil: 3
        }
    }
}

extension ComparisonRun {
    /// The comparison of the readings so far, as a stopped one leaves them.
    package func report() -> ComparisonReport {
        ComparisonReport(
            configuration: configuration,
            datasets: setup.datasets,
            records: setup.folder.records(),
            events: setup.folder.recordedEvents()
        )
    }
}

/// The readings of a live comparison over one dataset.
private struct LiveReadings {
    private let dataset: String
    private let a: ReadingSet
    private let b: ReadingSet
    private let noise: NoiseFloor
    let stints: Int
    let isPartial: Bool

    init(
        _ configuration: ComparisonConfiguration,
        _ reference: DatasetReference,
        _ dataset: Dataset,
        _ records: [String: [SampleRecord]],
        _ events: [RunEvent]
    ) {
        let plan = configuration.plan(dataset)
        let stintOf = plan.stintOf()
        let samples = dataset.limited(to: configuration.limit)
        func set(_ side: ComparisonPlan.Side, _ name: String) -> ReadingSet {
            let id = configuration.measurement(side, reference).id
            let own = records[id] ?? []
            return ReadingSet(
                name: name,
                samples: samples,
                records: own,
                workers: Self.workers(own, events.filter { $0.measurement == id }, stintOf),
                lost: events.filter { $0.measurement == id && $0.kind == .workerLost }.compactMap(\.message)
            )
        }
        self.dataset = reference.name
        a = set(.a, configuration.nameA)
        b = set(.b, configuration.nameB)
        noise =
            configuration.measuresNoise
            ? NoiseFloor(a: a, control: set(.control, "A′"), stint: stintOf) : NoiseFloor(unmeasured: a)
        stints = plan.stints.count
        let planned = samples.count * configuration.rounds
        isPartial = configuration.sides.contains {
            (records[configuration.measurement($0, reference).id] ?? []).count < planned
        }
    }

    func comparison(_ tolerances: ComparisonTolerances) -> Comparison {
        Comparison(a: a, b: b, dataset: dataset, noise: noise, tolerances: tolerances)
    }

    /// The processes of one side: one a stint, in order, unless some were lost; a stint with a lost worker has no figures.
    private static func workers(
        _ records: [SampleRecord],
        _ events: [RunEvent],
        _ stintOf: (String, Int) -> Int?
    ) -> [ReadingSet.Worker] {
        guard !events.contains(where: { $0.kind == .workerLost }) else { return [] }
        let ready = events.filter { $0.kind == .ready }
        let began = events.filter { $0.kind == .began }
        let byStint = Dictionary(grouping: records) { stintOf($0.id, $0.repetition) ?? -1 }
        return zip(ready, began).enumerated().map { stint, process in
            let summary = MemorySummary(events: [process.0, process.1], records: byStint[stint] ?? [])
            return ReadingSet.Worker(
                stint: stint,
                peakBytes: summary.peak.value,
                leftBytes: summary.delta.value,
                startMilliseconds: process.0.sinceProcessStartMilliseconds
            )
        }
    }
}
