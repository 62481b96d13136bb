import Basics
import Foundation
import SpineDatasets

/// Worker's life from the harness's view; every call waits for its answer, and throws ``LostWorker`` without one.
final class WorkerSession {
    /// Readings that were answered, the uncounted ones included.
    private(set) var readings = 0
    /// Time from just before the process was started until the last reading was answered.
    private(set) var untilLastAnswerMilliseconds: Double?
    private(set) var modelLoadMilliseconds: Double?
    /// Time from just before the process was started until the variant was loaded.
    private(set) var readyMilliseconds: Double?
    /// Time that a reading in flight may continue after the run is stopped.
    let grace: Duration
    let clock: DeadlineClock

    private let measurement: Measurement
    private let configuration: RunConfiguration
    private let interruption: Interruption
    private let noise: (String) throws -> Void
    private let start: ContinuousClock.Instant
    private let worker: WorkerProcess

    /// Starts the worker; `noise` receives its stray output.
    init(
        measurement: Measurement,
        command: WorkerLaunch,
        configuration: RunConfiguration,
        interruption: Interruption,
        clock: DeadlineClock,
        noise: @escaping (String) throws -> Void
    ) throws {
        (self.measurement, self.configuration, self.interruption) = (measurement, configuration, interruption)
        (self.clock, self.noise) = (clock, noise)
        grace = .seconds(min(5, configuration.sampleTimeoutSeconds))
        start = .now
        do {
            let worker = try WorkerProcess(command, clock: clock)
            self.worker = worker
            interruption.onStop { worker.interrupt() }
        } catch {
            throw HarnessError.unavailable(
                variant: measurement.variant.name,
                reason: "cannot start \(command.executable): \(error.systemReason)"
            )
        }
    }

    var sinceStartMilliseconds: Double { start.duration(to: .now).milliseconds }

    func awaitReady() throws -> RunEvent {
        let seconds = max(configuration.startTimeoutSeconds, measurement.variant.limitSeconds ?? 0)
        return try answer(within: seconds) { message -> RunEvent? in
            if case .unavailable(let reason) = message {
                throw HarnessError.unavailable(variant: measurement.variant.name, reason: reason)
            }
            if case .unready(let reason) = message { throw LostWorker.unready(reason: reason) }
            guard case .ready(let description, let loading, let memory) = message else { return nil }
            (modelLoadMilliseconds, readyMilliseconds) = (loading, sinceStartMilliseconds)
            return RunEvent(
                kind: .ready,
                measurement: measurement.id,
                description: description,
                modelLoadMilliseconds: loading,
                sinceProcessStartMilliseconds: sinceStartMilliseconds,
                memory: memory
            )
        }
    }

    func begin() throws -> RunEvent {
        worker.send(.begin)
        return try answer(within: configuration.sampleTimeoutSeconds) { message -> RunEvent? in
            guard case .began(let memory, let peakWasReset) = message else { return nil }
            return RunEvent(kind: .began, measurement: measurement.id, memory: memory, peakWasReset: peakWasReset)
        }
    }

    /// Has a picture read, with a result or a failure; when the run is stopped, only a counted reading may end.
    func read(_ picture: SampleInput, isCounted: Bool) throws -> WorkerMessage {
        let sequence = readings
        let source = picture.source
        worker.send(.read(sequence: sequence, path: source.path, name: picture.name, part: source.part))
        let seconds = measurement.variant.limitSeconds ?? configuration.sampleTimeoutSeconds
        let reading = try answer(within: seconds, mayFinish: isCounted) { message -> WorkerMessage? in
            message.reading.map { $0.sequence == sequence } == true ? message : nil
        }
        readings += 1
        untilLastAnswerMilliseconds = sinceStartMilliseconds
        if case .result(_, _, let prediction, _, _) = reading {
            untilLastAnswerMilliseconds? -= prediction.concludedMilliseconds ?? 0
        }
        return reading
    }

    /// Loads the pictures of a stream in the worker, and returns their size in bytes.
    func openStream(lanes: Int, pictures samples: [Sample], picture: (Sample) -> SampleInput) throws -> Int {
        let pictures = samples.map { sample in
            let picture = picture(sample)
            return StreamPicture(path: picture.source.path, part: picture.source.part, name: picture.name)
        }
        worker.send(.stream(lanes: lanes, pictures: pictures))
        return try answer(within: configuration.startTimeoutSeconds) { message -> Int? in
            guard case .streaming(_, let bytes, let problem) = message else { return nil }
            if let problem { throw HarnessError.configuration("the worker cannot load the pictures: \(problem)") }
            return bytes
        }
    }

    func scanLive(
        _ samples: [Sample],
        framesPerSecond: Int,
        seed: UInt64,
        picture: (Sample) -> SampleInput
    ) throws -> LiveAnswer {
        let spines = samples.map { sample in
            let picture = picture(sample)
            return LiveRequest.Spine(
                path: picture.source.path,
                part: picture.source.part,
                name: picture.name,
                outline: sample.outline
            )
        }
        let request = LiveRequest(spines: spines, framesPerSecond: framesPerSecond, seed: seed)
        worker.send(.scanLive(request))
        // A spine is in view for some seconds, and drawing may take longer than that.
        let seconds =
            configuration.startTimeoutSeconds + Double(request.spines.count) * configuration.sampleTimeoutSeconds
        return try answer(within: seconds) { message -> LiveAnswer? in
            guard case .scannedLive(let answer, let problem) = message else { return nil }
            guard let answer else {
                throw HarnessError.configuration(
                    "the scenario live of \(measurement.variant.name): \(problem ?? "the worker did not answer")"
                )
            }
            return answer
        }
    }

    func send(_ request: WorkerRequest) { worker.send(request) }

    func output(until deadline: ContinuousClock.Instant) -> WorkerProcess.Output? { worker.next(until: deadline) }

    func finish() { worker.finish(grace: .seconds(5)) }

    /// Makes sure that nothing of it is left; does no harm after `finish`.
    func end() {
        interruption.onStop(nil)
        worker.kill()
    }

    /// Waits for the message that `expected` makes something of; anything else is noise.
    private func answer<Answer>(
        within seconds: Double,
        mayFinish: Bool = false,
        expected: (WorkerMessage) throws -> Answer?
    ) throws -> Answer {
        var deadline = clock.now() + .seconds(seconds)
        while let output = worker.next(until: deadline) {
            switch output {
            case .message(let message):
                if let answer = try expected(message) { return answer }
                try noise("an unexpected message")
            case .noise(let text): try noise(text)
            case .ended(let end): throw LostWorker.ended(end)
            case .interrupted:
                guard mayFinish else { throw interrupted }
                deadline = min(deadline, clock.now() + grace)
            }
        }
        // A worker that was cut short was not silent for too long.
        if interruption.signal != nil { throw interrupted }
        throw LostWorker.silent(seconds: seconds)
    }

    private var interrupted: HarnessError { .interrupted(signal: interruption.signal ?? SIGINT) }
}

/// A picture that a worker is shown, and where it is.
struct SampleInput {
    let name: String
    let source: PictureSource

    init(_ sample: Sample, in store: PictureStore) { (name, source) = (sample.image, store.source(of: sample.image)) }
}
