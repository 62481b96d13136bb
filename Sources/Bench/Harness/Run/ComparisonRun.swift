import SpineDatasets

/// A live comparison: the sides' processes are resident together and read the same samples in turns.
package struct ComparisonRun: Sendable {
    package let configuration: ComparisonConfiguration
    package let setup: RunSetup
    private let worker: @Sendable (ComparisonPlan.Side, Variant) -> WorkerLaunch
    private var folder: RunFolder { setup.folder }

    /// - Parameters:
    ///   - configuration: checked with ``ComparisonConfiguration/validate()``.
    ///   - setup: with a new folder; its cache is filled for every side before anything is measured.
    ///   - worker: how a side's worker is started.
    package init(
        configuration: ComparisonConfiguration,
        setup: RunSetup,
        worker: @escaping @Sendable (ComparisonPlan.Side, Variant) -> WorkerLaunch
    ) {
        self.configuration = configuration
        self.setup = setup
        self.worker = worker
    }

    /// Reads everything; blocks its thread until then.
    ///
    /// - Throws: ``HarnessError``; earlier readings are in the folder.
    package func run() throws {
        try folder.append(RunEvent(kind: .runStarted, host: .current()))
        if let first = configuration.datasets.first {
            try setup.cache.fill(
                configuration.sides.map { side in
                    (configuration.measurement(side, first), worker(side, configuration.variant(side)))
                },
                configuration: configuration.asRun,
                interruption: setup.interruption,
                clock: setup.clock
            ) { try folder.append(RunEvent(kind: .cacheFilled, cacheFill: $0)) }
        }
        for (reference, dataset) in zip(configuration.datasets, setup.datasets) {
            let plan = configuration.plan(dataset)
            let total = plan.stints.reduce(0) { $0 + $1.count } * configuration.sides.count
            let label = setup.datasets.count > 1 ? "compare@\(reference.name)" : "compare"
            setup.progress(.started(measurement: label, done: 0, total: total))
            var done = 0
            for stint in plan.stints {
                let runner = PairedBlockRunner(
                    configuration: configuration,
                    dataset: reference,
                    store: dataset.store,
                    setup: setup,
                    worker: worker,
                    noteLost: { setup.progress(.workerLost(measurement: $0, problem: $1)) }
                )
                try runner.run(stint, warmUp: configuration.pictures(of: dataset)) { record in
                    done += 1
                    var record = record
                    record.measurement = label
                    setup.progress(.readingDone(record: record, done: done, total: total))
                }
            }
            setup.progress(.finished(measurement: label))
        }
        try folder.append(RunEvent(kind: .runFinished))
    }
}
