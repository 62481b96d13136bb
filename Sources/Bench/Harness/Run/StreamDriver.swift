import Basics
import Evaluation
import SpineDatasets

/// Harness's side of a stream: sends the schedule, records the answers, and tracks readings in flight.
struct StreamDriver {
    let session: WorkerSession
    let recorder: MeasurementRecorder
    let phase: ScenarioPlan.Phase
    let interruption: Interruption

    /// Sent and not settled, by sequence number.
    private(set) var open: [Int: SamplePlan.Step] = [:]
    /// Readings in flight that have begun, with the time at which the harness was notified.
    private(set) var inFlight: [Int: ContinuousClock.Instant] = [:]
    private(set) var sent = 0
    /// The first one that has not begun: they begin in the order in which they were sent.
    private(set) var nextToBegin = 0
    /// Start of the stream: due times are relative to it.
    private(set) var zeroSeconds: Double?
    private(set) var start = ContinuousClock.now
    private(set) var lastNews = ContinuousClock.now
    /// Deadline of the readings in flight after the run was stopped.
    private(set) var graceEnd: ContinuousClock.Instant?
    private(set) var isStopped = false

    /// Number of readings that wait in the worker when time decides their number, so that no lane waits for the pipe.
    private static let ahead = 2_048
    private static let lineLength = 1_000

    /// Streams the queue's steps until all are done; throws ``LostWorker`` after requeueing what was not in flight.
    mutating func run(_ queue: inout StepQueue) throws {
        let places = Dictionary(
            phase.pictures.enumerated().map { ($1.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        send(&queue, places)
        start = session.clock.now()
        lastNews = start
        while !open.isEmpty {
            switch session.output(until: deadline) {
            case .message(let message):
                lastNews = session.clock.now()
                try take(message, &queue)
            case .noise(let text): try recorder.noise.record(text)
            case .ended(let end): try lose(.ended(end), &queue)
            case .interrupted:
                graceEnd = session.clock.now() + session.grace
                stop()
            case nil:
                if graceEnd != nil { throw interrupted }
                try lose(.silent(seconds: timeoutSeconds), &queue)
            }
            if graceEnd == nil { send(&queue, places) }
        }
        if graceEnd != nil { throw interrupted }
    }

    /// A reading is given up so long after its beginning.
    private var timeoutSeconds: Double { session.readingSeconds }

    private var interrupted: HarnessError { .interrupted(signal: interruption.signal ?? 2) }

    private mutating func send(_ queue: inout StepQueue, _ places: [String: Int]) {
        // Time is up: readings sent ahead are discarded.
        if queue.isEnough { stop() }
        guard !isStopped, !queue.isTimed || open.count <= Self.ahead / 2 else { return }
        var requests: [StreamRequest] = []
        while !queue.isTimed || open.count < Self.ahead, let step = queue.next() {
            let zero = zeroSeconds ?? (recorder.hasEarlierReadings ? step.dueSeconds ?? 0 : 0)
            zeroSeconds = zero
            requests.append(
                StreamRequest(
                    sequence: sent,
                    picture: places[step.sample.id] ?? 0,
                    dueSeconds: step.dueSeconds.map { $0 - zero }
                )
            )
            open[sent] = step
            sent += 1
            if requests.count == Self.lineLength {
                session.send(.enqueue(requests: requests))
                requests = []
            }
        }
        if !requests.isEmpty { session.send(.enqueue(requests: requests)) }
    }

    private mutating func stop() {
        guard !isStopped else { return }
        isStopped = true
        session.send(.stop)
    }

    private var deadline: ContinuousClock.Instant {
        if let graceEnd { return graceEnd }
        let timeout = Duration.seconds(timeoutSeconds)
        if let first = inFlight.values.min() { return first + timeout }
        let due = open[nextToBegin]?.dueSeconds.map { $0 - (zeroSeconds ?? 0) } ?? 0
        return max(lastNews, start + .seconds(due)) + timeout
    }

    private mutating func take(_ message: WorkerMessage, _ queue: inout StepQueue) throws {
        switch message {
        case .started(let sequence):
            inFlight[sequence] = session.clock.now()
            nextToBegin = sequence + 1
        case .stopped(let dropped):
            // The last ones that were sent are the ones that were dropped.
            let sequences = open.keys.sorted().suffix(dropped)
            for sequence in sequences { open[sequence] = nil }
        default:
            guard case (let sequence, let timing?)? = message.reading, let step = open.removeValue(forKey: sequence)
            else { return try recorder.noise.record("an unexpected message") }
            inFlight[sequence] = nil
            try settle(step, message, timing)
            queue.settle(atSeconds: timing.endSeconds)
        }
    }

    private mutating func settle(_ step: SamplePlan.Step, _ answer: WorkerMessage, _ timing: StreamTiming) throws {
        var record = recorder.record(step, phase, by: session.number)
        record.fill(from: answer)
        record.atSeconds = timing.startSeconds
        if let due = step.dueSeconds {
            let scheduled = due - (zeroSeconds ?? 0)
            record.serviceMilliseconds = record.milliseconds
            record.milliseconds = (timing.endSeconds - scheduled) * 1_000
            record.atSeconds = scheduled
        }
        try recorder.settle(record)
        session.countedReadings += 1
    }

    /// Records the loss of the worker and requeues the rest.
    private mutating func lose(_ lost: LostWorker, _ queue: inout StepQueue) throws {
        let now = session.clock.now()
        for (sequence, began) in inFlight.sorted(by: { $0.key < $1.key }) {
            // Readings in flight beside the one that hung are repeated.
            if case .silent = lost, began + .seconds(timeoutSeconds) > now { continue }
            guard let step = open.removeValue(forKey: sequence) else { continue }
            var record = recorder.record(step, phase, by: session.number)
            (record.outcome, record.problem) = (lost.outcome, lost.description)
            try recorder.settle(record)
        }
        queue.requeue(open.sorted { $0.key < $1.key }.map(\.value))
        throw lost
    }
}
