import SpineDatasets

/// Runs one measurement in a worker process, and in a new one whenever that is lost.
///
/// One reading is in flight at most: the harness sends a request and waits, so that it does not compete with the worker
/// for processors, and knows what a worker was doing when it was lost.
final class MeasurementRunner {
    private let measurement: Measurement
    private let command: WorkerLaunch
    private let configuration: RunConfiguration
    private let folder: RunFolder
    private let imagePath: (Sample) -> String
    private let interruption: Interruption
    private let progress: @Sendable (RunProgress) -> Void

    private var pending: ArraySlice<SamplePlan.Step>
    private let total: Int
    /// What the measurement's first worker said it had loaded.
    private var description: [String: String]?
    private var noiseLeft = 10

    /// Workers that are lost one after the other without one reading between them: then the measurement is given up.
    private static let fruitlessWorkers = 5

    /// - Parameters:
    ///   - measurement: what is run.
    ///   - command: how its workers are started.
    ///   - configuration: of the run.
    ///   - folder: where records and events go.
    ///   - steps: what is left to be read.
    ///   - total: how many readings there are when all is done.
    ///   - description: what the workers of the run that is resumed had loaded; nil when there were none.
    ///   - imagePath: where a sample's picture lies.
    ///   - interruption: what may stop the run from elsewhere.
    ///   - progress: called on the thread that runs.
    init(
        measurement: Measurement,
        command: WorkerLaunch,
        configuration: RunConfiguration,
        folder: RunFolder,
        steps: [SamplePlan.Step],
        total: Int,
        description: [String: String]?,
        imagePath: @escaping (Sample) -> String,
        interruption: Interruption,
        progress: @escaping @Sendable (RunProgress) -> Void
    ) {
        self.measurement = measurement
        self.command = command
        self.configuration = configuration
        self.folder = folder
        self.imagePath = imagePath
        self.interruption = interruption
        self.progress = progress
        self.pending = steps[...]
        self.total = total
        self.description = description
    }

    /// Reads everything that is pending.
    ///
    /// - Parameter warmUp: samples to warm workers up with; each new worker begins further on, in case one of them is
    ///   what ended the last worker.
    /// - Throws: ``HarnessError`` when the variant is unavailable, the run was interrupted, or the folder cannot be written.
    func run(warmUp: [Sample]) throws {
        var (workers, fruitless) = (0, 0)
        while !pending.isEmpty {
            var readings = 0
            do {
                let count = configuration.warmUpReadings
                try work(warmUp: Self.taken(count, of: warmUp, from: workers * count), readings: &readings)
            } catch let lost as LostWorker {
                try folder.append(event(.workerLost, message: lost.description))
                progress(.workerLost(measurement: measurement.id, problem: lost.description))
                fruitless = readings == 0 ? fruitless + 1 : 0
                if fruitless == Self.fruitlessWorkers { return try giveUp(after: lost) }
            }
            workers += 1
        }
    }

    /// Starts a worker and lets it read until nothing is pending or it is lost.
    private func work(warmUp: [Sample], readings: inout Int) throws {
        let session = try WorkerSession(
            measurement: measurement,
            command: command,
            configuration: configuration,
            interruption: interruption,
            noise: noteNoise
        )
        defer { session.end() }
        try note(session.awaitReady())
        for sample in warmUp {
            _ = try session.read(imagePath(sample), name: sample.image)
            try noteFirstReading(of: session)
        }
        try folder.append(session.begin())
        while let step = pending.first {
            var record = SampleRecord(step, measurement: measurement.id, outcome: .read)
            do {
                try session.read(imagePath(step.sample), name: step.sample.image).fill(&record)
                try noteFirstReading(of: session)
            } catch let lost as LostWorker {
                // It costs the sample in flight; the others are for the next worker.
                (record.outcome, record.problem) = (lost.outcome, lost.description)
                try settle(record)
                throw lost
            }
            try settle(record)
            readings += 1
        }
        session.finish()
    }

    /// Takes down what a worker has loaded, which has to be what the workers before it had.
    private func note(_ ready: RunEvent) throws {
        if let description, description != ready.description {
            throw HarnessError.resumeMismatch(
                path: folder.path,
                differences: ["\(measurement.id) has loaded another engine or model than before"]
            )
        }
        description = ready.description
        try folder.append(ready)
        progress(.workerReady(measurement: measurement.id, milliseconds: ready.sinceProcessStartMilliseconds ?? 0))
    }

    private func noteFirstReading(of session: WorkerSession) throws {
        if session.readings == 1 {
            try folder.append(
                event(.firstReading, sinceProcessStartMilliseconds: session.sinceStartMilliseconds)
            )
        }
    }

    private func noteNoise(_ text: String) throws {
        guard noiseLeft > 0 else { return }
        noiseLeft -= 1
        try folder.append(event(.noise, message: text))
    }

    /// Writes down what became of the first pending reading.
    private func settle(_ record: SampleRecord) throws {
        try folder.append(record)
        pending.removeFirst()
        progress(.readingDone(record: record, done: total - pending.count, total: total))
    }

    private func giveUp(after lost: LostWorker) throws {
        guard description != nil else {
            throw HarnessError.workerNeverReady(
                variant: measurement.variant.name,
                starts: Self.fruitlessWorkers,
                last: lost.description
            )
        }
        let reason = "given up after \(Self.fruitlessWorkers) workers in a row without a reading: \(lost)"
        progress(.abandoned(measurement: measurement.id, unread: pending.count))
        try folder.append(event(.abandoned, message: reason))
        while let step = pending.first {
            try settle(SampleRecord(step, measurement: measurement.id, outcome: .notAttempted, problem: reason))
        }
    }

    private func event(
        _ kind: RunEvent.Kind,
        message: String? = nil,
        sinceProcessStartMilliseconds: Double? = nil
    ) -> RunEvent {
        RunEvent(
            kind,
            time: RunClock.now(),
            measurement: measurement.id,
            message: message,
            sinceProcessStartMilliseconds: sinceProcessStartMilliseconds
        )
    }

    /// `count` samples, again and again the same ones if need be, beginning with the one at `start`.
    private static func taken(_ count: Int, of samples: [Sample], from start: Int) -> [Sample] {
        samples.isEmpty ? [] : (start..<(start + count)).map { samples[$0 % samples.count] }
    }
}
