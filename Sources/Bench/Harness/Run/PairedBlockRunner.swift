import SpineDatasets

/// Runner of one stint of a comparison: a fresh worker of each side, and a new one after each loss.
final class PairedBlockRunner {
    private let configuration: ComparisonConfiguration
    private let dataset: DatasetReference
    private let store: PictureStore
    private let setup: RunSetup
    private let worker: @Sendable (ComparisonPlan.Side, Variant) -> WorkerLaunch
    private let noteLost: (_ measurement: String, _ problem: String) -> Void

    private var sessions: [ComparisonPlan.Side: WorkerSession] = [:]
    /// Workers of a side that were lost one after the other without a reading between them.
    private var consecutiveFailures: [ComparisonPlan.Side: Int] = [:]
    private var warmUp: [Sample] = []
    private var noiseLeft = 10
    private var wasReady: Set<ComparisonPlan.Side> = []

    private static let mostConsecutiveFailures = 3

    init(
        configuration: ComparisonConfiguration,
        dataset: DatasetReference,
        store: PictureStore,
        setup: RunSetup,
        worker: @escaping @Sendable (ComparisonPlan.Side, Variant) -> WorkerLaunch,
        noteLost: @escaping (_ measurement: String, _ problem: String) -> Void
    ) {
        self.configuration = configuration
        self.dataset = dataset
        self.store = store
        self.setup = setup
        self.worker = worker
        self.noteLost = noteLost
    }

    func run(_ steps: [ComparisonPlan.Step], warmUp: [Sample], done: (SampleRecord) -> Void) throws {
        self.warmUp = Array(warmUp.prefix(configuration.warmUpReadings))
        defer { for session in sessions.values { session.end() } }
        if let order = steps.first?.order {
            for side in order { try start(side) }
        }
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

    private func read(_ step: ComparisonPlan.Step, _ side: ComparisonPlan.Side) throws -> SampleRecord {
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
            let picture = try SampleInput(step.sample, in: store, setup.interruption)
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
    private func start(_ side: ComparisonPlan.Side) throws -> WorkerSession? {
        let measurement = configuration.measurement(side, dataset)
        while consecutiveFailures[side, default: 0] < Self.mostConsecutiveFailures {
            do {
                let session = try WorkerSession(
                    measurement: measurement,
                    command: worker(side, measurement.variant),
                    configuration: configuration.asRun,
                    interruption: setup.interruption,
                    clock: setup.clock,
                    noise: recordStrayOutput
                )
                sessions[side] = session
                try setup.folder.append(session.awaitReady())
                wasReady.insert(side)
                for sample in warmUp {
                    _ = try session.read(SampleInput(sample, in: store, setup.interruption), isCounted: false)
                }
                try setup.folder.append(session.begin())
                return session
            } catch let lost as LostWorker {
                try lose(side, lost)
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

    private func lose(_ side: ComparisonPlan.Side, _ lost: LostWorker) throws {
        let measurement = configuration.measurement(side, dataset).id
        sessions.removeValue(forKey: side)?.end()
        consecutiveFailures[side, default: 0] += 1
        try setup.folder.append(
            RunEvent(kind: .workerLost, measurement: measurement, message: lost.description)
        )
        noteLost(measurement, lost.description)
    }

    private func recordStrayOutput(_ text: String) throws {
        guard noiseLeft > 0 else { return }
        noiseLeft -= 1
        try setup.folder.append(RunEvent(kind: .noise, message: text))
    }
}
