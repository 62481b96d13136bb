import Foundation

/// Runs one tier in a worker process, and in a new one whenever that is lost.
///
/// One reading is in flight at most: the harness sends a request and waits, so that it does not compete with the worker
/// for processors, and knows what a worker was doing when it was lost.
final class TierRunner {
    private let tier: String
    private let command: WorkerLaunch
    private let configuration: RunConfiguration
    private let folder: RunFolder
    private let imagePath: (Sample) -> String
    private let interruption: Interruption
    private let progress: @Sendable (RunProgress) -> Void

    private var pending: ArraySlice<SamplePlan.Step>
    private let total: Int
    /// What the tier's first worker said it had loaded.
    private var description: [String: String]?
    private var noiseLeft = 10

    /// Workers that are lost one after the other without one reading between them: then the tier is given up.
    private static let fruitlessWorkers = 5

    /// - Parameters:
    ///   - tier: its name.
    ///   - command: how its workers are started.
    ///   - configuration: of the run.
    ///   - folder: where records and events go.
    ///   - steps: what is left to be read.
    ///   - total: how many readings the tier has when all is done.
    ///   - description: what the tier's workers of the run that is resumed had loaded; nil when there were none.
    ///   - imagePath: where a sample's picture lies.
    ///   - interruption: what may stop the run from elsewhere.
    ///   - progress: called on the thread that runs.
    init(
        tier: String,
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
        self.tier = tier
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
    /// - Throws: ``HarnessError`` when the tier is unavailable, the run was interrupted, or the folder cannot be written.
    func run(warmUp: [Sample]) throws {
        var (workers, fruitless) = (0, 0)
        while !pending.isEmpty {
            var readings = 0
            do {
                try work(warmUp: Self.rotated(warmUp, by: workers * configuration.warmUpReadings), readings: &readings)
            } catch let lost as LostWorker {
                try folder.append(event(.workerLost, message: lost.description))
                progress(.workerLost(tier: tier, problem: lost.description))
                fruitless = readings == 0 ? fruitless + 1 : 0
                if fruitless == Self.fruitlessWorkers { return try giveUp(after: lost) }
            }
            workers += 1
        }
    }

    /// Starts a worker and lets it read until nothing is pending or it is lost.
    private func work(warmUp: [Sample], readings: inout Int) throws {
        let start = ContinuousClock.now
        let worker: WorkerProcess
        do {
            worker = try WorkerProcess(command)
        } catch {
            throw HarnessError.unavailable(
                tier: tier,
                reason: "\(command.executable) cannot be started: \(error.localizedDescription)"
            )
        }
        interruption.onStop { worker.interrupt() }
        defer { interruption.onStop(nil) }
        do {
            try awaitReady(worker, start: start)
            try warm(worker, with: warmUp, start: start)
            try begin(worker)
            while let step = pending.first {
                let record = try read(step, with: worker)
                pending.removeFirst()
                try settle(record)
                readings += 1
            }
            worker.finish(grace: .seconds(5))
        } catch {
            worker.kill()
            throw error
        }
    }

    private func awaitReady(_ worker: WorkerProcess, start: ContinuousClock.Instant) throws {
        let ready = try answer(of: worker, within: configuration.startTimeoutSeconds) { message -> RunEvent? in
            if case .unavailable(let reason) = message { throw HarnessError.unavailable(tier: tier, reason: reason) }
            guard case .ready(let description, let loading, let memory) = message else { return nil }
            return event(
                .ready,
                description: description,
                modelLoadMilliseconds: loading,
                sinceProcessStartMilliseconds: start.duration(to: .now).milliseconds,
                memory: memory
            )
        }
        if let description, description != ready.description {
            throw HarnessError.resumeMismatch(
                path: folder.path,
                differences: ["tier \(tier) has loaded another engine or model than before"]
            )
        }
        description = ready.description
        try folder.append(ready)
        progress(.workerReady(tier: tier, milliseconds: ready.sinceProcessStartMilliseconds ?? 0))
    }

    private func warm(_ worker: WorkerProcess, with samples: [Sample], start: ContinuousClock.Instant) throws {
        for index in 0..<configuration.warmUpReadings where !samples.isEmpty {
            let sample = samples[index % samples.count]
            let sequence = -1 - index
            worker.send(.read(sequence: sequence, path: imagePath(sample), name: sample.image))
            _ = try reading(sequence, of: worker)
            if index == 0 { try noteFirstReading(start) }
        }
    }

    private func noteFirstReading(_ start: ContinuousClock.Instant) throws {
        let milliseconds = start.duration(to: .now).milliseconds
        try folder.append(event(.firstReading, sinceProcessStartMilliseconds: milliseconds))
    }

    private func begin(_ worker: WorkerProcess) throws {
        worker.send(.begin)
        let began = try answer(of: worker, within: configuration.sampleTimeoutSeconds) { message -> RunEvent? in
            guard case .began(let memory, let peakWasReset) = message else { return nil }
            return event(.began, memory: memory, peakWasReset: peakWasReset)
        }
        try folder.append(began)
    }

    /// The record of one reading.
    ///
    /// A worker that is lost in it costs this sample: its record is settled before the throw.
    private func read(_ step: SamplePlan.Step, with worker: WorkerProcess) throws -> SampleRecord {
        let sequence = total - pending.count
        worker.send(.read(sequence: sequence, path: imagePath(step.sample), name: step.sample.image))
        var record = SampleRecord(step, tier: tier, outcome: .read)
        do {
            switch try reading(sequence, of: worker) {
            case .success(let milliseconds, let prediction, let memory):
                (record.milliseconds, record.prediction, record.memory) = (milliseconds, prediction, memory)
            case .failure(let milliseconds, let reason, let memory):
                (record.outcome, record.problem) = (.failed, reason)
                (record.milliseconds, record.memory) = (milliseconds, memory)
            }
            return record
        } catch let lost as LostWorker {
            (record.outcome, record.problem) = (lost.outcome, lost.description)
            pending.removeFirst()
            try settle(record)
            throw lost
        }
    }

    private enum Reading {
        case success(Double, Prediction, MemoryReading?)
        case failure(Double, String, MemoryReading?)
    }

    private func reading(_ sequence: Int, of worker: WorkerProcess) throws -> Reading {
        try answer(of: worker, within: configuration.sampleTimeoutSeconds) { message -> Reading? in
            switch message {
            case .result(sequence, let milliseconds, let prediction, let memory):
                .success(milliseconds, prediction, memory)
            case .failure(sequence, let milliseconds, let reason, let memory):
                .failure(milliseconds, reason, memory)
            default: nil
            }
        }
    }

    /// Waits for the message that `expected` makes something of; anything else is noise.
    private func answer<Answer>(
        of worker: WorkerProcess,
        within seconds: Double,
        expected: (WorkerMessage) throws -> Answer?
    ) throws -> Answer {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while let output = worker.next(until: deadline) {
            switch output {
            case .message(let message):
                if let answer = try expected(message) { return answer }
                try noteNoise("a message out of turn")
            case .noise(let text): try noteNoise(text)
            case .ended(let end): throw LostWorker.ended(end)
            case .interrupted: throw HarnessError.interrupted(signal: interruption.signal ?? SIGINT)
            }
        }
        throw LostWorker.silent(seconds: seconds)
    }

    private func noteNoise(_ text: String) throws {
        guard noiseLeft > 0 else { return }
        noiseLeft -= 1
        try folder.append(event(.noise, message: text))
    }

    private func settle(_ record: SampleRecord) throws {
        try folder.append(record)
        progress(.readingDone(tier: tier, done: total - pending.count, total: total))
    }

    private func giveUp(after lost: LostWorker) throws {
        guard description != nil else {
            throw HarnessError.workerNeverReady(
                tier: tier,
                starts: Self.fruitlessWorkers,
                last: lost.description
            )
        }
        let reason = "given up after \(Self.fruitlessWorkers) workers in a row without a reading: \(lost)"
        progress(.tierAbandoned(tier: tier, unread: pending.count))
        try folder.append(event(.abandoned, message: reason))
        while let step = pending.popFirst() {
            try settle(SampleRecord(step, tier: tier, outcome: .notAttempted, problem: reason))
        }
    }

    private func event(
        _ kind: RunEvent.Kind,
        message: String? = nil,
        description: [String: String]? = nil,
        modelLoadMilliseconds: Double? = nil,
        sinceProcessStartMilliseconds: Double? = nil,
        memory: MemoryReading? = nil,
        peakWasReset: Bool? = nil
    ) -> RunEvent {
        RunEvent(
            kind,
            time: RunClock.now(),
            tier: tier,
            message: message,
            description: description,
            modelLoadMilliseconds: modelLoadMilliseconds,
            sinceProcessStartMilliseconds: sinceProcessStartMilliseconds,
            memory: memory,
            peakWasReset: peakWasReset
        )
    }

    private static func rotated(_ samples: [Sample], by count: Int) -> [Sample] {
        guard !samples.isEmpty else { return [] }
        let start = count % samples.count
        return Array(samples[start...] + samples[..<start])
    }
}

/// How a worker was lost.
private enum LostWorker: Error, CustomStringConvertible {
    case ended(WorkerEnd)
    /// It was killed for not answering.
    case silent(seconds: Double)

    var outcome: SampleRecord.Outcome {
        switch self {
        case .ended: .workerDied
        case .silent: .timedOut
        }
    }

    var description: String {
        switch self {
        case .ended(let end): "the worker \(end)"
        case .silent(let seconds): "no answer within \(NumberText.short(seconds)) s, so the worker was killed"
        }
    }
}
