import Basics
import Evaluation
package import Harness
package import SpineDatasets

/// A run that was done earlier, with the datasets that it read.
package struct StoredRun: Sendable {
    package let path: String
    package let datasets: [Dataset]
    package let result: RunResult
    package let records: [SampleRecord]
    private let events: [RunEvent]

    /// - Parameters:
    ///   - path: The run's folder.
    ///   - folders: Folders of its datasets, in its order; those that it names itself when there are none.
    /// - Throws: When there is no run, or a dataset is missing or not the one that was read.
    package init(_ path: String, datasets folders: [String] = []) throws {
        let contents = try RunFolder.contents(path)
        let references = contents.configuration.datasets
        guard folders.isEmpty || folders.count == references.count else {
            throw HarnessError.configuration(
                "\(path) read \(references.count) datasets (\(references.map(\.name).joined(separator: ", "))), and "
                    + "--dataset names \(folders.count)"
            )
        }
        let loaded = try (folders.isEmpty ? references.map(\.path) : folders).map { try DatasetLoader().load($0) }
        for (reference, dataset) in zip(references, loaded) where reference.digest != dataset.digest {
            throw HarnessError.configuration(
                "\(dataset.path) has the digest \(dataset.digest), and \(path) read \(reference.name) with "
                    + "\(reference.digest): name the folder of that one with --dataset, or run again over this one"
            )
        }
        self.path = path
        self.datasets = loaded
        (records, events) = (contents.records, contents.events)
        result = try RunResult(
            configuration: contents.configuration,
            datasets: loaded,
            records: records,
            events: events
        )
    }

    /// The measurements in which one reading followed the other: those that can be compared sample by sample.
    package var measurements: [Measurement] {
        result.configuration.measurements.filter { $0.scenario.kind == .single }
    }

    /// The readings of a measurement.
    ///
    /// - Parameters:
    ///   - measurement: One of ``measurements``.
    ///   - name: What reports call it.
    /// - Returns: One side of a comparison.
    package func readings(_ measurement: Measurement, name: String) -> ReadingSet {
        let own = records.filter { $0.measurement == measurement.id }
        let ownEvents = events.filter { $0.measurement == measurement.id }
        let memory = MemorySummary(events: ownEvents, records: own)
        let dataset = datasets.first { $0.manifest.name == measurement.dataset.name }
        return ReadingSet(
            name: name,
            samples: dataset?.limited(to: result.configuration.limit) ?? [],
            records: own,
            workers: [
                ReadingSet.Worker(
                    peakBytes: memory.peak.value,
                    leftBytes: memory.delta.value,
                    startMilliseconds: ColdStart(events: ownEvents).untilReady.value
                )
            ],
            lost: ownEvents.filter { $0.kind == .workerLost }.compactMap(\.message)
        )
    }
}

/// Two stored runs, measurement by measurement.
package struct StoredComparison: Sendable {
    private let pairs: [(a: Measurement, b: Measurement)]
    private let (runA, runB): (StoredRun, StoredRun)
    private let tool: String
    private let tolerances: ComparisonTolerances

    /// - Parameters:
    ///   - a: Before.
    ///   - b: After.
    ///   - measurement: The only one to compare; nil for all that both have, or the only one of each.
    ///   - tool: Program and version.
    ///   - tolerances: What is accepted; those of speed and memory are not used.
    /// - Throws: ``HarnessError/configuration(_:)`` when they have no measurement in common or read other datasets.
    package init(
        _ a: StoredRun,
        _ b: StoredRun,
        measurement: String? = nil,
        tool: String,
        tolerances: ComparisonTolerances
    ) throws {
        let (first, second) = (a.measurements, b.measurements)
        var pairs = first.compactMap { one in second.first { $0.id == one.id }.map { (a: one, b: $0) } }
        if let measurement { pairs = pairs.filter { $0.a.id == measurement } }
        if pairs.isEmpty, measurement == nil, first.count == 1, second.count == 1 { pairs = [(first[0], second[0])] }
        guard !pairs.isEmpty else {
            throw HarnessError.configuration(
                "\(a.path) has \(first.map(\.id).joined(separator: ", ")), \(b.path) has "
                    + "\(second.map(\.id).joined(separator: ", "))"
                    + (measurement.map { ": there is no \($0) in both" } ?? ": none is in both")
            )
        }
        for pair in pairs where pair.a.dataset.digest != pair.b.dataset.digest {
            throw HarnessError.configuration(
                "\(a.path) read \(pair.a.dataset.name) \(pair.a.dataset.digest), \(b.path) read \(pair.b.dataset.name) "
                    + "\(pair.b.dataset.digest): other samples cannot be compared; run one of them again"
            )
        }
        self.pairs = pairs
        (runA, runB) = (a, b)
        self.tool = tool
        self.tolerances = tolerances.accuracyOnly
    }

    /// The comparison.
    package func report() -> ComparisonReport {
        let isAlone = pairs.count == 1
        var report = ComparisonReport(
            tool: tool,
            method: "Two stored runs: A of \(runA.result.startedAt), B of \(runB.result.startedAt).",
            tolerances: tolerances,
            comparisons: pairs.map { pair in
                let a = runA.readings(pair.a, name: isAlone ? "\(pair.a.id) of \(runA.path)" : runA.path)
                return Comparison(
                    a: a,
                    b: runB.readings(pair.b, name: isAlone ? "\(pair.b.id) of \(runB.path)" : runB.path),
                    label: pair.a.id,
                    dataset: pair.a.dataset.name,
                    noise: NoiseFloor(unmeasured: a),
                    tolerances: tolerances
                )
            },
            notes: [
                "The runs were taken at different times, so that latency and memory are shown and do not gate; to gate on "
                    + "them, measure both now (compare two variants, or --against-binary)."
            ]
        )
        if runA.result.isPartial || runB.result.isPartial { report.stop() }
        report.host = runB.result.host
        return report
    }
}
