package import SpineDatasets

/// A live comparison: the sides' processes are resident together and read the same samples in turns.
package struct ComparisonRun: Sendable {
    private let configuration: ComparisonConfiguration
    private let datasets: [Dataset]
    private let folder: RunFolder
    private let worker: @Sendable (ComparisonPlan.Side, Variant) -> WorkerLaunch
    private let cache: CompileCache
    private let judge: BookJudge
    private let interruption: Interruption
    private let progress: @Sendable (RunProgress) -> Void

    /// - Parameters:
    ///   - configuration: checked with ``ComparisonConfiguration/validate()``.
    ///   - datasets: those that the configuration names, in its order.
    ///   - folder: takes records and events as they come.
    ///   - worker: how a side's worker is started.
    ///   - cache: is filled for every side before anything is measured.
    ///   - judge: says whether the right book was named.
    ///   - interruption: what may stop it from elsewhere.
    ///   - progress: called on the thread that runs.
    package init(
        configuration: ComparisonConfiguration,
        datasets: [Dataset],
        folder: RunFolder,
        worker: @escaping @Sendable (ComparisonPlan.Side, Variant) -> WorkerLaunch,
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

    /// Reads everything; blocks its thread until then.
    ///
    /// - Returns: The comparison of all readings.
    /// - Throws: ``HarnessError``; what was read until then is in the folder.
    package func run() throws -> ComparisonReport {
        try folder.append(RunEvent(.runStarted, time: RunClock.now(), host: .current()))
        if let first = configuration.datasets.first {
            try cache.fill(
                configuration.sides.map { side in
                    (configuration.measurement(side, first), worker(side, configuration.variant(side)))
                },
                configuration: configuration.asRun,
                interruption: interruption
            ) { try folder.append(RunEvent(.cacheFilled, time: RunClock.now(), cacheFill: $0)) }
        }
        for (reference, dataset) in zip(configuration.datasets, datasets) {
            let plan = configuration.plan(dataset)
            let total = plan.stints.reduce(0) { $0 + $1.count } * configuration.sides.count
            let label = datasets.count > 1 ? "compare@\(reference.name)" : "compare"
            progress(.started(measurement: label, done: 0, total: total))
            var done = 0
            for stint in plan.stints {
                let runner = StintRunner(
                    configuration: configuration,
                    dataset: reference,
                    folder: folder,
                    worker: worker,
                    judge: judge,
                    interruption: interruption,
                    noteLost: { progress(.workerLost(measurement: $0, problem: $1)) }
                )
                try runner.run(stint, warmUp: dataset.limited(to: configuration.limit)) { record in
                    done += 1
                    var record = record
                    record.measurement = label
                    progress(.readingDone(record: record, done: done, total: total))
                }
            }
            progress(.finished(measurement: label))
        }
        try folder.append(RunEvent(.runFinished, time: RunClock.now()))
        return report()
    }

    /// The comparison of the readings so far, as a stopped one leaves them.
    package func report() -> ComparisonReport {
        ComparisonReport(
            configuration: configuration,
            datasets: datasets,
            records: folder.records(),
            events: folder.recordedEvents()
        )
    }
}
