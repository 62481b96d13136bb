import Evaluation
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
                try run(stint, reference, dataset, noise) { record in
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

    /// Workers of a side that may be lost in a row without a reading.
    private static let mostFailures = 3

    /// Has a fresh worker of each side read a stint in turns, and a new one after each loss.
    private func run(
        _ stint: [ComparisonPlan.Step],
        _ reference: DatasetReference,
        _ dataset: Dataset,
        _ noise: StrayOutput,
        done: (SampleRecord) -> Void
    ) throws {
        let warmUp = configuration.pictures(of: dataset).prefix(configuration.warmUpReadings)
            .map { WorkerPicture($0, in: dataset.store) }
        var supervisors: [ComparisonPlan.Side: Supervisor] = [:]
        defer { for supervisor in supervisors.values { try? supervisor.close() } }
        for side in stint.first?.order ?? [] {
            let measurement = configuration.measurement(side, reference)
            let supervisor = Supervisor(
                measurement,
                command: worker(side, measurement.variant),
                configuration: configuration.asRun,
                setup: setup,
                warmUp: warmUp,
                mostFailures: Self.mostFailures,
                noise: noise
            ) { event in
                // The others are of a process that works alone; a reader that is not ready is a lost worker, too.
                var event = event
                if event.kind == .abandoned { event.kind = .workerLost }
                if [.ready, .began, .workerLost].contains(event.kind) { try folder.append(event) }
            }
            supervisors[side] = supervisor
            _ = try session(of: supervisor, side)
        }
        for step in stint {
            for side in step.order {
                guard let supervisor = supervisors[side] else { continue }
                try setup.interruption.check()
                var record = SampleRecord(
                    measurement: supervisor.measurement.id,
                    repetition: step.round,
                    position: step.position,
                    id: step.sample.id
                )
                if let session = try session(of: supervisor, side) {
                    let picture = WorkerPicture(step.sample, in: dataset.store)
                    if let lost = try supervisor.read(picture, by: session, into: &record) { try supervisor.lose(lost) }
                } else {
                    (record.outcome, record.problem) = (.notAttempted, "no worker started reading")
                }
                setup.judge.settle(&record, of: supervisor.measurement.variant, step.sample)
                try folder.append(record)
                done(record)
            }
        }
        for supervisor in supervisors.values { try supervisor.close(gracefully: true) }
    }

    /// Returns a side's warm worker; nil when too many were lost in a row.
    private func session(of supervisor: Supervisor, _ side: ComparisonPlan.Side) throws -> WorkerSession? {
        while supervisor.end == nil {
            do { return try supervisor.warmSession() } catch let lost as LostWorker {
                do { try supervisor.lose(lost) } catch HarnessError.workerNeverReady(let variant, let starts, let last)
                {
                    let name = "\(side.rawValue), \(variant)"
                    throw HarnessError.workerNeverReady(variant: name, starts: starts, last: last)
                }
                if case .unready(let reason) = lost, supervisor.description == nil {
                    throw HarnessError.unavailable(variant: supervisor.measurement.variant.name, reason: reason)
                }
            }
        }
        return nil
    }
}
