import Foundation
package import SpineDatasets

/// A run: every tier reads every sample as often as the configuration says, each in worker processes of its own.
package struct BenchmarkRun: Sendable {
    private let configuration: RunConfiguration
    private let dataset: Dataset
    private let folder: RunFolder
    private let worker: @Sendable (_ tier: String) -> WorkerLaunch
    private let interruption: Interruption
    private let progress: @Sendable (RunProgress) -> Void

    /// - Parameters:
    ///   - configuration: checked with ``RunConfiguration/validate()``.
    ///   - dataset: the one that the configuration was made for.
    ///   - folder: new, or that of a run with the same configuration, which then goes on where it stopped.
    ///   - worker: how a tier's worker is started. It has to speak the lines of `WorkerRequest` and `WorkerMessage`.
    ///   - interruption: what may stop the run from elsewhere.
    ///   - progress: called on the thread that runs.
    package init(
        configuration: RunConfiguration,
        dataset: Dataset,
        folder: RunFolder,
        worker: @escaping @Sendable (_ tier: String) -> WorkerLaunch,
        interruption: Interruption = Interruption(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.dataset = dataset
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
        let samples = dataset.limited(to: configuration.limit)
        let plan = SamplePlan(samples: samples, repetitions: configuration.repetitions, seed: configuration.seed)
        let earlier = folder.recordedEvents()
        // A reading that was never attempted is none: a resumed run tries again.
        let done = Set(folder.records().filter { $0.outcome != .notAttempted }.map(\.key))
        if !earlier.isEmpty && done.count == plan.steps.count * configuration.tiers.count { return try result() }
        let kind: RunEvent.Kind = earlier.isEmpty ? .runStarted : .runResumed
        try folder.append(RunEvent(kind, time: RunClock.now(), host: .current()))
        for tier in configuration.tiers {
            let steps = plan.steps.filter {
                !done.contains(SampleRecord.Key(tier: tier, repetition: $0.repetition, id: $0.sample.id))
            }
            progress(.tierStarted(tier: tier, done: plan.steps.count - steps.count, total: plan.steps.count))
            if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
            let runner = TierRunner(
                tier: tier,
                command: worker(tier),
                configuration: configuration,
                folder: folder,
                steps: steps,
                total: plan.steps.count,
                description: earlier.last { $0.tier == tier && $0.kind == .ready }?.description,
                imagePath: { dataset.path + "/" + $0.image },
                interruption: interruption,
                progress: progress
            )
            try runner.run(warmUp: samples)
            progress(.tierFinished(tier: tier))
        }
        try folder.append(RunEvent(.runFinished, time: RunClock.now()))
        return try result()
    }

    private func result() throws -> RunResult {
        try RunResult(
            configuration: configuration,
            dataset: dataset,
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
