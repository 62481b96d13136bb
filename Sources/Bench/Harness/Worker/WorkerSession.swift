import Basics
import Evaluation
import Foundation
import SpineDatasets

/// A running worker of a measurement, which can be killed at any time: every call waits for its answer, and throws
/// ``LostWorker`` without one.
final class WorkerSession {
    enum Output: Sendable, Equatable {
        case message(WorkerMessage)
        /// An invalid line on standard output.
        case noise(String)
        case ended(WorkerEnd)
        case interrupted
    }

    /// Readings that were answered, the uncounted ones included.
    private(set) var readings = 0
    /// Readings that count and were answered.
    var countedReadings = 0
    /// Time from just before the process was started until the last reading was answered.
    private(set) var untilLastAnswerMilliseconds: Double?
    /// Event of the loaded variant; nil before.
    private(set) var ready: RunEvent?
    /// Time that a reading in flight may continue after the run is stopped.
    let grace: Duration
    var clock: DeadlineClock { setup.clock }

    private let measurement: Measurement
    private let configuration: RunConfiguration
    private let setup: RunSetup
    private let noise: (String) throws -> Void
    private let start: ContinuousClock.Instant
    private let child: ChildProcess
    private let outputs: BlockingQueue<Output>

    /// Starts the worker; `noise` receives its stray output.
    init(
        _ measurement: Measurement,
        _ command: WorkerLaunch,
        _ configuration: RunConfiguration,
        _ setup: RunSetup,
        noise: @escaping (String) throws -> Void
    ) throws {
        (self.measurement, self.configuration, self.setup, self.noise) = (measurement, configuration, setup, noise)
        grace = .seconds(min(5, configuration.sampleTimeoutSeconds))
        let outputs = BlockingQueue<Output>(clock: setup.clock)
        self.outputs = outputs
        start = .now
        child = ChildProcess(command)
        do {
            try child.start { output in
                switch output {
                case .line(let line): outputs.push(Output(line))
                case .ended(let end): outputs.push(.ended(end))
                case .closed: break
                }
            }
        } catch {
            throw HarnessError.unavailable(
                variant: measurement.variant.name,
                reason: "cannot start \(command.executable): \(error.systemReason)"
            )
        }
        setup.interruption.onStop { outputs.push(.interrupted) }
    }

    var sinceStartMilliseconds: Double { start.duration(to: .now).milliseconds }

    func awaitReady() throws -> RunEvent {
        let seconds = max(configuration.startTimeoutSeconds, measurement.variant.limitSeconds ?? 0)
        return try answer(within: seconds) { message -> RunEvent? in
            if case .unavailable(let reason) = message {
                throw HarnessError.unavailable(variant: measurement.variant.name, reason: reason)
            }
            if case .unready(let reason, let owner) = message {
                throw LostWorker.unready(reason: reason, owner: owner)
            }
            guard case .ready(let description, let loading, let memory) = message else { return nil }
            let event = RunEvent(
                kind: .ready,
                measurement: measurement.id,
                description: description,
                modelLoadMilliseconds: loading,
                sinceProcessStartMilliseconds: sinceStartMilliseconds,
                memory: memory
            )
            ready = event
            return event
        }
    }

    func begin() throws -> RunEvent {
        send(.begin)
        return try answer(within: configuration.sampleTimeoutSeconds) { message -> RunEvent? in
            guard case .began(let memory, let peakWasReset) = message else { return nil }
            return RunEvent(kind: .began, measurement: measurement.id, memory: memory, peakWasReset: peakWasReset)
        }
    }

    /// Has a picture read, with a result or a failure; when the run is stopped, only a counted reading may end.
    func read(_ picture: WorkerPicture, isCounted: Bool) throws -> WorkerMessage {
        let sequence = readings
        send(.read(sequence: sequence, path: picture.path, name: picture.name, part: picture.part))
        let reading = try answer(within: readingSeconds, mayFinish: isCounted) { message -> WorkerMessage? in
            message.reading.map { $0.sequence == sequence } == true ? message : nil
        }
        readings += 1
        if isCounted { countedReadings += 1 }
        untilLastAnswerMilliseconds = sinceStartMilliseconds
        if case .result(_, _, let prediction, _, _) = reading {
            untilLastAnswerMilliseconds? -= prediction.concludedMilliseconds ?? 0
        }
        return reading
    }

    /// Time after which a reading is given up.
    var readingSeconds: Double { measurement.variant.limitSeconds ?? configuration.sampleTimeoutSeconds }

    /// Loads the pictures of a stream in the worker, and returns their size in bytes.
    func openStream(lanes: Int, pictures: [WorkerPicture]) throws -> Int {
        send(.stream(lanes: lanes, pictures: pictures))
        return try answer(within: configuration.startTimeoutSeconds) { message -> Int? in
            guard case .streaming(_, let bytes, let problem) = message else { return nil }
            if let problem { throw HarnessError.configuration("the worker cannot load the pictures: \(problem)") }
            return bytes
        }
    }

    func scanLive(_ request: LiveRequest) throws -> LiveAnswer {
        send(.scanLive(request))
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

    /// Sends a request; a finished worker does not receive it, which its end reports.
    func send(_ request: WorkerRequest) {
        guard let line = try? JSONLine.encode(request) else { return }
        try? child.input.write(contentsOf: line)
    }

    func output(until deadline: ContinuousClock.Instant) -> Output? { outputs.next(until: deadline) }

    /// Ends the input, and gives the worker 5 s to end by itself.
    func finish() {
        try? child.input.close()
        waitForEnd(seconds: 5, isInterruptible: true)
    }

    /// Makes sure that nothing of it is left; does no harm after `finish`.
    func end() {
        setup.interruption.onStop(nil)
        try? child.input.close()
        guard child.isRunning else { return }
        child.kill()
        // A process in the middle of a system call may take a moment to go; one that the kernel cannot end is left
        // behind.
        waitForEnd(seconds: 10, isInterruptible: false)
    }

    private func waitForEnd(seconds: Double, isInterruptible: Bool) {
        let deadline = clock.now() + .seconds(seconds)
        while let output = output(until: deadline) {
            if case .ended = output { return }
            if isInterruptible, output == .interrupted { return }
        }
    }

    /// Waits for the message that `expected` makes something of; anything else is noise.
    private func answer<Answer>(
        within seconds: Double,
        mayFinish: Bool = false,
        expected: (WorkerMessage) throws -> Answer?
    ) throws -> Answer {
        var deadline = clock.now() + .seconds(seconds)
        while let output = output(until: deadline) {
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
        if setup.interruption.signal != nil { throw interrupted }
        throw LostWorker.silent(seconds: seconds)
    }

    var interrupted: HarnessError { .interrupted(signal: setup.interruption.signal ?? SIGINT) }
}

extension WorkerSession.Output {
    /// Reads a line of a worker's standard output.
    fileprivate init(_ line: [UInt8]) {
        self =
            switch JSONLine.decode(WorkerMessage.self, from: line) {
            case .noise(let text)?: .noise(text)
            case let message?: .message(message)
            case nil: .noise(String(decoding: line.prefix(200), as: UTF8.self))
            }
    }
}

enum LostWorker: Error, CustomStringConvertible {
    case ended(WorkerEnd)
    /// Killed without an answer.
    case silent(seconds: Double)
    /// A reader of the user's did not start, or read nothing for as long as it may take to start: no other worker is
    /// tried.
    case unready(reason: String, owner: FaultOwner?)

    var outcome: SampleRecord.Outcome {
        switch self {
        case .ended: .workerDied
        case .silent: .timedOut
        case .unready: .failed
        }
    }

    var description: String {
        switch self {
        case .ended(let end): "the worker \(end)"
        case .silent(let seconds): "no answer within \(NumberText.short(seconds)) s, so the worker was killed"
        case .unready(let reason, _): reason
        }
    }

    /// Owner of the loss; a user's reader has processes of its own, and the worker is then the harness's.
    func owner(reading variant: Variant) -> FaultOwner? {
        let worker: FaultOwner? = variant.limitSeconds == nil ? nil : .harness
        return switch self {
        case .ended(let end): end.owner ?? worker
        case .silent: worker
        case .unready(_, let owner): owner
        }
    }
}
