import Foundation
package import SpineDatasets

/// A run: every variant reads every dataset in every scenario, each time in worker processes of its own.
package struct BenchmarkRun: Sendable {
    private let configuration: RunConfiguration
    private let datasets: [Dataset]
    private let folder: RunFolder
    private let worker: @Sendable (Variant) -> WorkerLaunch
    private let cache: CompileCache
    private let judge: BookJudge
    private let interruption: Interruption
    private let progress: @Sendable (RunProgress) -> Void

    /// - Parameters:
    ///   - configuration: checked with ``RunConfiguration/validate()``.
    ///   - datasets: those that the configuration names, in its order.
    ///   - folder: new, or that of a run with the same configuration, which then goes on where it stopped.
    ///   - worker: how a variant's worker is started. It has to speak the lines of `WorkerRequest` and `WorkerMessage`.
    ///   - cache: is filled before anything is measured.
    ///   - judge: says whether the right book was named.
    ///   - interruption: what may stop the run from elsewhere.
    ///   - progress: called on the thread that runs.
    package init(
        configuration: RunConfiguration,
        datasets: [Dataset],
        folder: RunFolder,
        worker: @escaping @Sendable (Variant) -> WorkerLaunch,
        cache: CompileCache = .none,
        judge: BookJudge = .none,
        interruption: Interruption = Interruption(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.datasets = datasets
        self.folder = folder
        self.worker = worker
        self.cache = cache
        self.judge = judge
        self.interruption = interruption
        self.progress = progress
    }

    /// Does what is left of the run.
    ///
    /// Blocks its thread until then.
    ///
    /// - Returns: the result of all readings, those of an earlier start included.
    /// - Throws: ``HarnessError``; what was read until then is in the folder.
    package func run() throws -> RunResult {
        let earlier = folder.recordedEvents()
        let parts = parts(earlier)
        if earlier.contains(where: { $0.kind == .runFinished }) && parts.allSatisfy(\.isDone) { return try result() }
        let kind: RunEvent.Kind = earlier.isEmpty ? .runStarted : .runResumed
        let planned = Dictionary(
            uniqueKeysWithValues: parts.compactMap { part in part.plan.total.map { (part.measurement.id, $0) } }
        )
        try folder.append(RunEvent(kind, time: RunClock.now(), host: .current(), planned: planned))
        try cache.fill(
            parts.filter { !$0.isDone }.map { ($0.measurement, worker($0.measurement.variant)) },
            configuration: configuration,
            interruption: interruption
        ) { try folder.append(RunEvent(.cacheFilled, time: RunClock.now(), cacheFill: $0)) }
        for part in parts {
            let id = part.measurement.id
            progress(.started(measurement: id, done: part.records.count, total: part.plan.total))
            if !part.isDone { try run(part, description: earlier.last { $0.measurement == id && $0.kind == .ready }) }
            progress(.finished(measurement: id))
        }
        try folder.append(RunEvent(.runFinished, time: RunClock.now()))
        return try result()
    }

    private func run(_ part: Part, description: RunEvent?) throws {
        if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
        let path = part.dataset.path
        let samples = Dictionary(part.dataset.samples.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let (judge, variant) = (judge, part.measurement.variant)
        let recorder = MeasurementRecorder(
            part.measurement,
            in: folder,
            records: part.records,
            total: part.plan.total,
            judge: { record in samples[record.id].flatMap { judge.judge(variant, $0, record.prediction) } },
            progress: progress
        )
        let runner = MeasurementRunner(
            recorder: recorder,
            command: worker(part.measurement.variant),
            configuration: configuration,
            plan: part.plan,
            records: part.records,
            description: description?.description,
            imagePath: { path + "/" + $0.image },
            interruption: interruption
        )
        try runner.run(warmUp: part.dataset.limited(to: configuration.limit))
    }

    /// A measurement with what is recorded of it.
    private struct Part {
        var measurement: Measurement
        var dataset: Dataset
        var plan: ScenarioPlan
        /// The readings that were attempted.
        var records: [SampleRecord]
        var isDone: Bool
    }

    /// Every measurement with what is recorded of it.
    private func parts(_ events: [RunEvent]) -> [Part] {
        // A reading that was never attempted is none: a resumed run tries again.
        let records = Dictionary(
            grouping: folder.records().filter { $0.outcome != .notAttempted },
            by: \.measurement
        )
        let measured = Set(events.filter { $0.kind == .measured }.compactMap(\.measurement))
        let byName = Dictionary(
            zip(configuration.datasets.map(\.name), datasets),
            uniquingKeysWith: { first, _ in first }
        )
        return configuration.measurements.compactMap { measurement in
            guard let dataset = byName[measurement.dataset.name] else { return nil }
            let plan = configuration.plan(measurement, dataset)
            let own = records[measurement.id] ?? []
            let isDone = measured.contains(measurement.id) && own.count >= plan.least
            return Part(measurement: measurement, dataset: dataset, plan: plan, records: own, isDone: isDone)
        }
    }

    /// The result of the readings so far, as a stopped run leaves them.
    ///
    /// - Throws: when the configuration cannot be encoded.
    package func result() throws -> RunResult {
        try RunResult(
            configuration: configuration,
            datasets: datasets,
            records: folder.records(),
            events: folder.recordedEvents()
        )
    }
}

/// Times of day for records.
package enum RunClock {
    /// Now in UTC: "2026-03-01T12:00:00Z".
    package static func now() -> String { Date().ISO8601Format() }

    /// A folder's name for a run that starts now: "20260301T120000Z", which sorts by time.
    package static func folderName() -> String {
        now().filter { $0 != "-" && $0 != ":" }
    }
}
