import Foundation
package import SpineDatasets

/// A run: every variant reads every dataset in every scenario, each time in worker processes of its own.
package struct BenchmarkRun: Sendable {
    private let configuration: RunConfiguration
    private let datasets: [Dataset]
    private let folder: RunFolder
    private let worker: @Sendable (Variant) -> WorkerLaunch
    private let interruption: Interruption
    private let progress: @Sendable (RunProgress) -> Void

    /// - Parameters:
    ///   - configuration: checked with ``RunConfiguration/validate()``.
    ///   - datasets: those that the configuration names, in its order.
    ///   - folder: new, or that of a run with the same configuration, which then goes on where it stopped.
    ///   - worker: how a variant's worker is started. It has to speak the lines of `WorkerRequest` and `WorkerMessage`.
    ///   - interruption: what may stop the run from elsewhere.
    ///   - progress: called on the thread that runs.
    package init(
        configuration: RunConfiguration,
        datasets: [Dataset],
        folder: RunFolder,
        worker: @escaping @Sendable (Variant) -> WorkerLaunch,
        interruption: Interruption = Interruption(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.datasets = datasets
        self.folder = folder
        self.worker = worker
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
        if earlier.contains(where: { $0.kind == .runFinished }) && left().allSatisfy(\.steps.isEmpty) {
            return try result()
        }
        let kind: RunEvent.Kind = earlier.isEmpty ? .runStarted : .runResumed
        try folder.append(RunEvent(kind, time: RunClock.now(), host: .current()))
        for part in left() {
            let id = part.measurement.id
            progress(.started(measurement: id, done: part.total - part.steps.count, total: part.total))
            if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
            let path = part.dataset.path
            let runner = MeasurementRunner(
                measurement: part.measurement,
                command: worker(part.measurement.variant),
                configuration: configuration,
                folder: folder,
                steps: part.steps,
                total: part.total,
                description: earlier.last { $0.measurement == id && $0.kind == .ready }?.description,
                imagePath: { path + "/" + $0.image },
                interruption: interruption,
                progress: progress
            )
            try runner.run(warmUp: part.dataset.limited(to: configuration.limit))
            progress(.finished(measurement: id))
        }
        try folder.append(RunEvent(.runFinished, time: RunClock.now()))
        return try result()
    }

    /// A measurement with what is still to be read.
    private struct Part {
        var measurement: Measurement
        var dataset: Dataset
        var steps: [SamplePlan.Step]
        var total: Int
    }

    /// Every measurement with the readings that are not recorded.
    private func left() -> [Part] {
        // A reading that was never attempted is none: a resumed run tries again.
        let done = Set(folder.records().filter { $0.outcome != .notAttempted }.map(\.key))
        let byName = Dictionary(uniqueKeysWithValues: zip(configuration.datasets.map(\.name), datasets))
        return configuration.measurements.compactMap { measurement in
            guard let dataset = byName[measurement.dataset.name] else { return nil }
            let plan = SamplePlan(
                samples: dataset.limited(to: configuration.limit),
                repetitions: configuration.repetitions,
                seeds: configuration.seeds
            )
            let steps = plan.steps.filter {
                !done.contains(
                    SampleRecord.Key(measurement: measurement.id, repetition: $0.repetition, id: $0.sample.id)
                )
            }
            return Part(measurement: measurement, dataset: dataset, steps: steps, total: plan.steps.count)
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
