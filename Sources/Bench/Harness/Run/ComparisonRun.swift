import SpineDatasets

/// A live comparison: the sides' processes are resident together and read the same samples in turns.
package struct ComparisonRun: Sendable {
    package let configuration: ComparisonConfiguration
    package let setup: RunSetup
    private let worker: @Sendable (ComparisonPlan.Side, Variant) -> WorkerLaunch
    private var folder: RunFolder { setup.folder }

    /// `setup` has a new folder; its cache is filled for every side before anything is measured.
    package init(
        configuration: ComparisonConfiguration,
        setup: RunSetup,
        worker: @escaping @Sendable (ComparisonPlan.Side, Variant) -> WorkerLaunch
    ) {
        (self.configuration, self.setup, self.worker) = (configuration, setup, worker)
    }

    /// Reads everything, blocking its thread; when it throws, earlier readings are in the folder.
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
            let noise = StrayOutput(folder, measurement: nil)
            for stint in plan.stints {
                var runner = PairedBlockRunner(
                    configuration: configuration,
                    dataset: reference,
                    store: dataset.store,
                    setup: setup,
                    worker: worker,
                    warmUp: configuration.pictures(of: dataset).prefix(configuration.warmUpReadings),
                    noise: noise
                )
                try runner.run(stint) { record in
                    done += 1
                    var record = record
                    record.measurement = label
                    setup.progress(.readingDone(record: record, done: done, total: total))
                }
            }
            try noise.noteCount()
            setup.progress(.finished(measurement: label))
        }
        try folder.append(RunEvent(kind: .runFinished))
    }
}

/// Runner of one stint of a comparison: a fresh worker of each side, and a new one after each loss.
private struct PairedBlockRunner {
    let configuration: ComparisonConfiguration
    let dataset: DatasetReference
    let store: PictureStore
    let setup: RunSetup
    let worker: @Sendable (ComparisonPlan.Side, Variant) -> WorkerLaunch
    let warmUp: ArraySlice<Sample>
    let noise: StrayOutput

    private(set) var sessions: [ComparisonPlan.Side: WorkerSession] = [:]
    /// Workers of a side that were lost one after the other without a reading between them.
    private(set) var consecutiveFailures: [ComparisonPlan.Side: Int] = [:]
    private(set) var wasReady: Set<ComparisonPlan.Side> = []

    private static let mostConsecutiveFailures = 3

    mutating func run(_ steps: [ComparisonPlan.Step], done: (SampleRecord) -> Void) throws {
        defer { for session in sessions.values { session.end() } }
        for side in steps.first?.order ?? [] { try start(side) }
        for step in steps {
            for side in step.order {
                try setup.interruption.check()
                var record = try read(step, side)
                let variant = configuration.measurement(side, dataset).variant
                setup.judge.settle(&record, of: variant, step.sample)
                try setup.folder.append(record)
                done(record)
            }
        }
        for session in sessions.values { session.finish() }
    }

    private mutating func read(_ step: ComparisonPlan.Step, _ side: ComparisonPlan.Side) throws -> SampleRecord {
        let measurement = configuration.measurement(side, dataset)
        var record = SampleRecord(
            measurement: measurement.id,
            repetition: step.round,
            position: step.position,
            id: step.sample.id
        )
        do {
            guard let session = try sessions[side] ?? start(side) else {
                (record.outcome, record.problem) = (.notAttempted, "no worker started reading")
                return record
            }
            let picture = SampleInput(step.sample, in: store)
            record.fill(from: try session.read(picture, isCounted: true))
            consecutiveFailures[side] = 0
        } catch let lost as LostWorker {
            (record.outcome, record.problem) = (lost.outcome, lost.description)
            try lose(side, lost)
        }
        return record
    }

    /// Returns a warm worker; nil when too many were lost in a row.
    @discardableResult
    private mutating func start(_ side: ComparisonPlan.Side) throws -> WorkerSession? {
        let measurement = configuration.measurement(side, dataset)
        while consecutiveFailures[side, default: 0] < Self.mostConsecutiveFailures {
            do {
                let session = try WorkerSession(
                    measurement: measurement,
                    command: worker(side, measurement.variant),
                    configuration: configuration.asRun,
                    interruption: setup.interruption,
                    clock: setup.clock,
                    noise: noise.record
                )
                sessions[side] = session
                if let wait = RunProgress.waiting(for: measurement) { setup.progress(wait) }
                try setup.folder.append(session.awaitReady())
                wasReady.insert(side)
                for sample in warmUp {
                    _ = try session.read(SampleInput(sample, in: store), isCounted: false)
                }
                try setup.folder.append(session.begin())
                return session
            } catch let lost as LostWorker {
                try lose(side, lost)
                if case .unready(let reason) = lost {
                    guard wasReady.contains(side) else {
                        throw HarnessError.unavailable(variant: measurement.variant.name, reason: reason)
                    }
                    consecutiveFailures[side] = Self.mostConsecutiveFailures
                }
                if consecutiveFailures[side] == Self.mostConsecutiveFailures, !wasReady.contains(side) {
                    throw HarnessError.workerNeverReady(
                        variant: "\(side.rawValue), \(measurement.variant.name)",
                        starts: Self.mostConsecutiveFailures,
                        last: lost.description
                    )
                }
            }
        }
        return nil
    }

    private mutating func lose(_ side: ComparisonPlan.Side, _ lost: LostWorker) throws {
        let measurement = configuration.measurement(side, dataset).id
        sessions.removeValue(forKey: side)?.end()
        consecutiveFailures[side, default: 0] += 1
        try setup.folder.append(RunEvent(kind: .workerLost, measurement: measurement, message: lost.description))
        setup.progress(.workerLost(measurement: measurement, problem: lost.description))
    }
}
