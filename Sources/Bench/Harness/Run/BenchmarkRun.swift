import Evaluation
import Foundation
import SpineDatasets

/// Run in which every variant reads every dataset in every scenario, each time in separate worker processes.
package struct BenchmarkRun: Sendable {
    package let configuration: RunConfiguration
    package let setup: RunSetup
    private let worker: @Sendable (Variant) -> WorkerLaunch
    private var folder: RunFolder { setup.folder }

    /// `setup` has a new folder, or that of a run with the same configuration, which then continues; `worker` starts a
    /// variant's worker, which speaks the lines of `WorkerRequest` and `WorkerMessage`.
    package init(
        configuration: RunConfiguration,
        setup: RunSetup,
        worker: @escaping @Sendable (Variant) -> WorkerLaunch
    ) {
        (self.configuration, self.setup, self.worker) = (configuration, setup, worker)
    }

    /// Completes the rest of the run, blocking its thread; when it throws, earlier readings are in the folder.
    package func run() throws {
        let earlier = folder.recordedEvents()
        let parts = parts(earlier)
        if earlier.contains(where: { $0.kind == .runFinished }) && parts.allSatisfy(\.isDone) { return }
        let kind: RunEvent.Kind = earlier.isEmpty ? .runStarted : .runResumed
        let planned = Dictionary(
            uniqueKeysWithValues: parts.compactMap { part in part.plan.total.map { (part.measurement.id, $0) } }
        )
        try folder.append(RunEvent(kind: kind, host: .current(), planned: planned))
        let launches = parts.filter { !$0.isDone && $0.plan.total != 0 }
            .map { ($0.measurement, worker($0.measurement.variant)) }
        try setup.cache.fill(launches, configuration, setup)
        for part in parts {
            let id = part.measurement.id
            setup.progress(.started(measurement: id, done: part.records.count, total: part.plan.total))
            if !part.isDone {
                try setup.interruption.check()
                try runner(part, description: earlier.last { $0.measurement == id && $0.kind == .ready }).run()
            }
            setup.progress(.finished(measurement: id))
        }
        try folder.append(RunEvent(kind: .runFinished))
    }

    private func runner(_ part: Part, description: RunEvent?) -> MeasurementRunner {
        let (measurement, store) = (part.measurement, part.dataset.store)
        let supervisor = Supervisor(
            measurement,
            worker(measurement.variant),
            configuration,
            RunRecorder(measurement.id, setup, done: part.records.count, total: part.plan.total),
            warmUp: measurement.pictures(of: part.dataset, limit: configuration.limit).map {
                WorkerPicture($0, in: store)
            }
        )
        supervisor.unreadSeconds = part.records.contains { $0.outcome == .read } ? nil : 0
        supervisor.description = description?.description
        supervisor.worker = part.records.compactMap(\.worker).max() ?? 0
        return MeasurementRunner(plan: part.plan, records: part.records, supervisor: supervisor, store: store)
    }

    /// Number of planned readings that were not made.
    package var unreadCount: Int {
        parts(folder.recordedEvents()).reduce(0) { $0 + max(0, $1.plan.least - $1.records.count) }
    }

    private struct Part {
        var measurement: Measurement
        var dataset: Dataset
        var plan: ScenarioPlan
        /// The readings that were attempted.
        var records: [SampleRecord]
        var isDone: Bool
    }

    private func parts(_ events: [RunEvent]) -> [Part] {
        // A reading that was never attempted is none: a resumed run tries again.
        let records = Dictionary(grouping: folder.records().filter { $0.outcome != .notAttempted }, by: \.measurement)
        let measured = Set(events.filter { $0.kind == .measured }.compactMap(\.measurement))
        let byName = Dictionary(
            zip(configuration.datasets.map(\.name), setup.datasets),
            uniquingKeysWith: { first, _ in first }
        )
        return configuration.measurements.compactMap { measurement in
            guard let dataset = byName[measurement.dataset.name] else { return nil }
            let plan = configuration.plan(measurement, dataset, part: setup.part)
            let own = records[measurement.id] ?? []
            let isDone = measured.contains(measurement.id) && own.count >= plan.least
            return Part(measurement: measurement, dataset: dataset, plan: plan, records: own, isDone: isDone)
        }
    }
}

package enum RunClock {
    /// Returns the current time in UTC: "2026-03-01T12:00:00Z".
    package static func now() -> String { Date().ISO8601Format() }

    /// Returns a folder's name for a run that starts now: "20260301T120000Z", which sorts by time.
    package static func folderName() -> String { now().filter { $0 != "-" && $0 != ":" } }
}
