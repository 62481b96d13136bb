import Basics
import Evaluation
import SpineDatasets

/// Harness's side of a stream: sends the schedule, records the answers, and tracks readings in flight.
struct StreamDriver {
    private let supervisor: Supervisor
    private let session: WorkerSession
    /// Places of the pictures that the worker holds.
    private let places: [String: Int]
    /// Sent and not settled, by sequence number.
    private var open: [Int: SamplePlan.Step] = [:]
    /// Readings in flight that have begun, with the time at which the harness was notified.
    private var inFlight: [Int: ContinuousClock.Instant] = [:]
    private var sent = 0
    /// The first one that has not begun: they begin in the order in which they were sent.
    private var nextToBegin = 0
    /// Start of the stream: due times are relative to it.
    private var zeroSeconds: Double?
    private var start = ContinuousClock.now
    private var lastNews = ContinuousClock.now
    /// Deadline of the readings in flight after the run was stopped.
    private var graceEnd: ContinuousClock.Instant?
    private var isStopped = false

    /// Number of readings that wait in the worker when time decides their number, so that no lane waits for the pipe.
    private static let ahead = 2_048
    private static let lineLength = 1_000

    init(_ supervisor: Supervisor, _ session: WorkerSession, _ plan: ScenarioPlan) {
        (self.supervisor, self.session) = (supervisor, session)
        places = Dictionary(plan.pictures.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// Streams the queue's steps until all are done; throws ``LostWorker`` after requeueing what was not in flight.
    mutating func run(_ queue: inout StepQueue) throws {
        send(&queue)
        start = session.clock.now()
        lastNews = start
        while !open.isEmpty {
            switch session.output(until: deadline) {
            case .message(let message):
                lastNews = session.clock.now()
                try take(message, &queue)
            case .noise(let text): try supervisor.recorder.noise(text)
            case .ended(let end): try lose(.ended(end), &queue)
            case .interrupted:
                graceEnd = session.clock.now() + session.grace
                stop()
            case nil:
                if graceEnd != nil { throw session.interrupted }
                try lose(.silent(seconds: session.readingSeconds), &queue)
            }
            if graceEnd == nil { send(&queue) }
        }
        if graceEnd != nil { throw session.interrupted }
    }

    private mutating func send(_ queue: inout StepQueue) {
        // Time is up: readings sent ahead are discarded.
        if queue.isEnough { stop() }
        guard !isStopped, !queue.isTimed || open.count <= Self.ahead / 2 else { return }
        var requests: [StreamRequest] = []
        while !queue.isTimed || open.count < Self.ahead, let step = queue.next() {
            let zero = zeroSeconds ?? (supervisor.recorder.hasEarlierReadings ? step.dueSeconds ?? 0 : 0)
            zeroSeconds = zero
            let picture = places[step.sample.id] ?? 0
            requests.append(
                StreamRequest(sequence: sent, picture: picture, dueSeconds: step.dueSeconds.map { $0 - zero })
            )
            open[sent] = step
            sent += 1
        }
        for first in stride(from: 0, to: requests.count, by: Self.lineLength) {
            session.send(.enqueue(requests: Array(requests[first...].prefix(Self.lineLength))))
        }
    }

    private mutating func stop() {
        guard !isStopped else { return }
        isStopped = true
        session.send(.stop)
    }

    private var deadline: ContinuousClock.Instant {
        if let graceEnd { return graceEnd }
        let timeout = Duration.seconds(session.readingSeconds)
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
            for sequence in open.keys.sorted().suffix(dropped) { open[sequence] = nil }
        default:
            guard case (let sequence, let timing?)? = message.reading, let step = open.removeValue(forKey: sequence)
            else { return try supervisor.recorder.noise("an unexpected message") }
            inFlight[sequence] = nil
            var record = supervisor.record(step, by: supervisor.worker)
            record.fill(from: message)
            record.atSeconds = timing.startSeconds
            if let due = step.dueSeconds {
                let scheduled = due - (zeroSeconds ?? 0)
                record.serviceMilliseconds = record.milliseconds
                record.milliseconds = (timing.endSeconds - scheduled) * 1_000
                record.atSeconds = scheduled
            }
            try supervisor.settle(record, step)
            session.countedReadings += 1
            queue.settle(atSeconds: timing.endSeconds)
        }
    }

    /// Records the loss of the worker and requeues the rest.
    private mutating func lose(_ lost: LostWorker, _ queue: inout StepQueue) throws {
        let latest = session.clock.now() - .seconds(session.readingSeconds)
        for (sequence, began) in inFlight.sorted(by: { $0.key < $1.key }) {
            // Readings in flight beside the one that hung are repeated.
            if case .silent = lost, began > latest { continue }
            guard let step = open.removeValue(forKey: sequence) else { continue }
            var record = supervisor.record(step, by: supervisor.worker)
            record.fail(lost, reading: supervisor.measurement.variant)
            try supervisor.settle(record, step)
        }
        queue.requeue(open.sorted { $0.key < $1.key }.map(\.value))
        throw lost
    }
}
