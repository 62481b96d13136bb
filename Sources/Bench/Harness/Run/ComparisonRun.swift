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
            let launches = configuration.sides.map { side in
                (configuration.measurement(side, first), worker(side, configuration.variant(side)))
            }
            try setup.cache.fill(launches, configuration.asRun, setup)
        }
        for (reference, dataset) in zip(configuration.datasets, setup.datasets) {
            let plan = configuration.plan(dataset)
            let total = plan.stints.reduce(0) { $0 + $1.count } * configuration.sides.count
            let label = setup.datasets.count > 1 ? "compare@\(reference.name)" : "compare"
            let recorder = RunRecorder(label, setup, total: total, isComparison: true)
            setup.progress(.started(measurement: label, done: 0, total: total))
            for stint in plan.stints { try run(stint, reference, dataset, recorder) }
            try recorder.noteNoise()
            setup.progress(.finished(measurement: label))
        }
        try folder.append(RunEvent(kind: .runFinished))
    }

    /// Has a fresh worker of each side read a stint in turns, and a new one after each loss.
    private func run(
        _ stint: [ComparisonPlan.Step],
        _ reference: DatasetReference,
        _ dataset: Dataset,
        _ recorder: RunRecorder
    ) throws {
        let warmUp = configuration.pictures(of: dataset).prefix(configuration.warmUpReadings)
            .map { WorkerPicture($0, in: dataset.store) }
        var supervisors: [ComparisonPlan.Side: Supervisor] = [:]
        defer { for supervisor in supervisors.values { try? supervisor.close() } }
        for side in stint.first?.order ?? [] {
            let supervisor = Supervisor(
                configuration.measurement(side, reference),
                worker(side, configuration.variant(side)),
                configuration.asRun,
                recorder,
                warmUp: warmUp
            )
            supervisors[side] = supervisor
            _ = try session(of: supervisor)
        }
        for turn in stint {
            let step = SamplePlan.Step(repetition: turn.round, position: turn.position, sample: turn.sample)
            for side in turn.order {
                guard let supervisor = supervisors[side] else { continue }
                try setup.interruption.check()
                var record = supervisor.record(step, by: nil)
                if let session = try session(of: supervisor) {
                    let picture = WorkerPicture(step.sample, in: dataset.store)
                    if let lost = try supervisor.read(picture, by: session, into: &record) { try supervisor.lose(lost) }
                } else {
                    (record.outcome, record.problem) = (.notAttempted, "no worker started reading")
                    record.owner = supervisor.end?.owner
                }
                try supervisor.settle(record, step)
            }
        }
        for supervisor in supervisors.values { try supervisor.close(gracefully: true) }
    }

    /// Returns a side's warm worker; nil when too many were lost in a row.
    private func session(of supervisor: Supervisor) throws -> WorkerSession? {
        while supervisor.end == nil {
            do { return try supervisor.warmSession() } catch let lost as LostWorker { try supervisor.lose(lost) }
        }
        return nil
    }
}
