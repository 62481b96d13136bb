import Basics
import Foundation
import ScanningPolicies
import SpineDatasets

/// Runner of one measurement in a worker process, which is replaced after a loss.
struct MeasurementRunner {
    let command: WorkerLaunch
    let configuration: RunConfiguration
    let plan: ScenarioPlan
    let recorder: MeasurementRecorder
    let records: [SampleRecord]
    /// Fetches a picture that is in a store: always before a clock starts.
    let picture: (Sample) -> SampleInput
    let interruption: Interruption
    let clock: DeadlineClock

    /// Description by the measurement's first worker of its loaded components; nil before there was one.
    private(set) var description: [String: String]?
    private(set) var session: WorkerSession?
    private(set) var machine = MachineReading.now()
    private(set) var workers = 0
    /// Seconds of a user's reader without a text so far; nil when it has read one.
    private(set) var unreadSeconds: Double? = 0
    private var measurement: Measurement { recorder.measurement }

    /// Workers that are lost one after the other without one reading between them: then the measurement is given up.
    private static let mostConsecutiveFailures = 5

    /// Reads everything that is left; each new worker begins further on in `warmUp`, in case a sample ended the last
    /// one.
    mutating func run(warmUp: [Sample]) throws {
        // An error is already being thrown: the machine's conditions are still recorded, and that error is the one to
        // report.
        defer { try? endSession() }
        var consecutiveFailures = 0
        if records.contains(where: { $0.outcome == .read }) { unreadSeconds = nil }
        phases: for phase in plan.phases {
            var queue = StepQueue(phase, measurement: measurement.id, records: records)
            while let step = queue.next() {
                queue.requeue([step])
                var readings = 0
                do {
                    try read(phase, &queue, warmUp, &readings)
                } catch let lost as LostWorker {
                    queue.workerIsGone()
                    if case .unready = lost {
                        try failRest(&queue, phase, because: lost)
                        break phases
                    }
                    try recorder.note(.workerLost, message: lost.description)
                    recorder.progress(.workerLost(measurement: measurement.id, problem: lost.description))
                    try endSession()
                    consecutiveFailures = readings == 0 ? consecutiveFailures + 1 : 0
                    if consecutiveFailures == Self.mostConsecutiveFailures {
                        return try giveUp(&queue, phase, after: lost)
                    }
                }
            }
        }
        try endSession(gracefully: true)
        try recorder.noise.noteCount()
        try recorder.note(.measured)
    }

    /// Has one worker read the phase to its end, or until it is lost.
    private mutating func read(
        _ phase: ScenarioPlan.Phase,
        _ queue: inout StepQueue,
        _ warmUp: [Sample],
        _ readings: inout Int
    ) throws {
        switch phase.mode {
        case .oneByOne:
            let session = try warmSession(warmUp)
            let start = clock.now()
            while let step = queue.next() {
                try interruption.check()
                let picture = picture(step.sample)
                var record = recorder.record(step, phase)
                record.atSeconds = start.duration(to: clock.now()).milliseconds / 1_000
                let lost = try attempt(&record, by: session, picture)
                try settle(record, lost)
                readings += 1
                queue.settle(atSeconds: start.duration(to: clock.now()).milliseconds / 1_000)
            }
        case .stream(let lanes):
            let session = try warmSession(warmUp)
            let bytes = try session.openStream(lanes: lanes, pictures: phase.pictures, picture: picture)
            let held = NumberText.count(phase.pictures.count, "picture")
            try recorder.note(.streaming, message: "\(held), \(NumberText.megabytes(Double(bytes))) in memory")
            var stream = StreamDriver(
                session: session,
                recorder: recorder,
                phase: phase,
                timeoutSeconds: measurement.variant.limitSeconds ?? configuration.sampleTimeoutSeconds,
                interruption: interruption
            )
            defer { readings = stream.readings }
            try stream.run(&queue)
        case .live(let rate, let seed):
            let session = try warmSession(warmUp)
            var steps: [SamplePlan.Step] = []
            while let step = queue.next() { steps.append(step) }
            let answer: LiveAnswer
            do {
                answer = try session.scanLive(
                    steps.map(\.sample),
                    framesPerSecond: rate,
                    seed: seed,
                    picture: picture
                )
            } catch {
                queue.requeue(steps)
                throw error
            }
            try recorder.note(RunEvent(kind: .live, measurement: measurement.id, live: answer.figures))
            for (step, reading) in zip(steps, answer.readings) {
                var record = recorder.record(step, phase)
                (record.milliseconds, record.prediction) = (reading.milliseconds, reading.prediction)
                record.memory = answer.memory
                if reading.prediction == nil {
                    (record.outcome, record.problem) = (.failed, "no frame produced a scan")
                }
                try recorder.settle(record)
                readings += 1
                queue.settle(atSeconds: answer.figures.seconds)
            }
        case .fresh:
            try interruption.check()
            guard let step = queue.next() else { return }
            let picture = picture(step.sample)
            let session: WorkerSession
            do { session = try startSession() } catch {
                queue.requeue([step])
                throw error
            }
            var record = recorder.record(step, phase)
            record.loadMilliseconds = session.modelLoadMilliseconds
            record.readyMilliseconds = session.readyMilliseconds
            let lost = try attempt(&record, by: session, picture)
            if lost == nil { record.milliseconds = session.untilLastAnswerMilliseconds }
            try settle(record, lost)
            readings += 1
            try endSession(gracefully: true)
        }
    }

    /// Has a picture read and records its outcome; returns the reason for the loss of the worker.
    private mutating func attempt(
        _ record: inout SampleRecord,
        by session: WorkerSession,
        _ picture: SampleInput
    ) throws -> LostWorker? {
        do {
            try read(picture, by: session, isCounted: true) { record.fill(from: $0) }
            return nil
        } catch let lost as LostWorker {
            // It costs the sample in flight; the others are for the next worker.
            if case .unready = lost, record.problem != nil { return lost }
            (record.outcome, record.problem) = (lost.outcome, lost.description)
            return lost
        }
    }

    /// Has a picture read; a reader of the user's that has read nothing for as long as it may take to start is not
    /// asked again.
    private mutating func read(
        _ picture: SampleInput,
        by session: WorkerSession,
        isCounted: Bool,
        answered: (WorkerMessage) -> Void
    ) throws {
        let start = clock.now()
        func wait(_ reason: String) throws {
            guard let limit = measurement.variant.startSeconds, let before = unreadSeconds else { return }
            let seconds = before + start.duration(to: clock.now()).milliseconds / 1_000
            unreadSeconds = seconds
            guard seconds >= limit else { return }
            throw LostWorker.unready(reason: "nothing was read within \(NumberText.short(limit)) s: \(reason)")
        }
        do {
            let answer = try session.read(picture, isCounted: isCounted)
            answered(answer)
            try noteFirstReading(of: session)
            if case .failure(_, _, let reason, _, _) = answer { return try wait(reason) }
            unreadSeconds = nil
        } catch let lost as LostWorker {
            if case .unready = lost { throw lost }
            try wait(lost.description)
            throw lost
        }
    }

    private func settle(_ record: SampleRecord, _ lost: LostWorker?) throws {
        try recorder.settle(record)
        if let lost { throw lost }
    }

    /// Returns the current worker, or a new warm one.
    private mutating func warmSession(_ samples: [Sample]) throws -> WorkerSession {
        if let session { return session }
        let count = configuration.warmUpReadings
        let start = workers * count
        let session = try startSession()
        for index in samples.isEmpty ? 0..<0 : start..<(start + count) {
            try read(picture(samples[index % samples.count]), by: session, isCounted: false) { _ in }
        }
        try recorder.note(session.begin())
        return session
    }

    private mutating func startSession() throws -> WorkerSession {
        try interruption.check()
        machine = .now()
        workers += 1
        recorder.nextWorker()
        let session = try WorkerSession(
            measurement: measurement,
            command: command,
            configuration: configuration,
            interruption: interruption,
            clock: clock,
            noise: recorder.noise.record
        )
        self.session = session
        if let wait = RunProgress.waiting(for: measurement) { recorder.progress(wait) }
        try note(session.awaitReady())
        return session
    }

    private mutating func endSession(gracefully: Bool = false) throws {
        guard let session else { return }
        self.session = nil
        if gracefully { session.finish() }
        session.end()
        let conditions = Conditions(from: machine, to: .now(), cores: ProcessInfo.processInfo.activeProcessorCount)
        try recorder.note(RunEvent(kind: .conditions, measurement: measurement.id, conditions: conditions))
    }

    /// Records a worker's loaded components, which must equal those of the workers before it.
    private mutating func note(_ ready: RunEvent) throws {
        // A system that could not start its own process does not know all of its description.
        let differs = description?.contains { key, value in (ready.description?[key] ?? value) != value } ?? false
        if differs {
            throw HarnessError.resumeMismatch(
                path: recorder.folder.path,
                differences: ["\(measurement.id) loaded a different engine or model than before"]
            )
        }
        description = (description ?? [:]).merging(ready.description ?? [:]) { first, _ in first }
        try recorder.note(ready)
        recorder.progress(
            .workerReady(measurement: measurement.id, milliseconds: ready.sinceProcessStartMilliseconds ?? 0)
        )
    }

    private func noteFirstReading(of session: WorkerSession) throws {
        guard session.readings == 1 else { return }
        var event = RunEvent(kind: .firstReading, measurement: measurement.id)
        event.sinceProcessStartMilliseconds = session.untilLastAnswerMilliseconds
        try recorder.note(event)
    }

    private func giveUp(_ queue: inout StepQueue, _ phase: ScenarioPlan.Phase, after lost: LostWorker) throws {
        guard description != nil else {
            throw HarnessError.workerNeverReady(
                variant: measurement.variant.name,
                starts: Self.mostConsecutiveFailures,
                last: lost.description
            )
        }
        let reason = "stopped after \(Self.mostConsecutiveFailures) workers in a row without a reading: \(lost)"
        recorder.progress(.abandoned(measurement: measurement.id, unread: recorder.left))
        try recorder.note(.abandoned, message: reason)
        try settleRest(&queue, phase, .notAttempted, because: reason)
    }

    /// Fails the readings that are left of a user's reader which does not start, or reads nothing.
    private mutating func failRest(
        _ queue: inout StepQueue,
        _ phase: ScenarioPlan.Phase,
        because lost: LostWorker
    ) throws {
        recorder.progress(.workerLost(measurement: measurement.id, problem: lost.description))
        try recorder.note(.abandoned, message: lost.description)
        try endSession()
        try settleRest(&queue, phase, lost.outcome, because: lost.description)
    }

    private func settleRest(
        _ queue: inout StepQueue,
        _ phase: ScenarioPlan.Phase,
        _ outcome: SampleRecord.Outcome,
        because reason: String
    ) throws {
        let later = plan.phases.drop { $0.name != phase.name }.dropFirst()
        var queues = [(phase, queue)]
        queues += later.map { ($0, StepQueue($0, measurement: measurement.id, records: records)) }
        // Time would have decided how many there are of a timed phase: none of them is missing, and one shows a failure.
        for (phase, var queue) in queues {
            var left = queue.isTimed ? outcome == .failed ? 1 : 0 : Int.max
            while left > 0, let step = queue.next() {
                left -= 1
                var record = recorder.record(step, phase)
                (record.outcome, record.problem) = (outcome, reason)
                try recorder.settle(record)
            }
        }
    }
}
