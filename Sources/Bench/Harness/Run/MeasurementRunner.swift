import Basics
import Evaluation
import ScanningPolicies
import SpineDatasets

/// Runner of one measurement by its plan.
struct MeasurementRunner {
    let plan: ScenarioPlan
    /// The readings that were attempted before.
    let records: [SampleRecord]
    let supervisor: Supervisor
    let store: PictureStore

    private var id: String { supervisor.measurement.id }
    private var recorder: RunRecorder { supervisor.recorder }

    /// Reads everything that is left.
    func run() throws {
        // An error is already being thrown: the machine's conditions are still recorded, and that error is the one to
        // report.
        defer { try? supervisor.close() }
        var queue = StepQueue(plan, measurement: id, records: records)
        while supervisor.end == nil, let step = queue.next() {
            queue.requeue([step])
            do { try read(&queue) } catch let lost as LostWorker {
                queue.workerIsGone()
                try supervisor.lose(lost)
                if let end = supervisor.end, end.outcome == .notAttempted {
                    recorder.setup.progress(.abandoned(measurement: id, unread: recorder.left))
                    try recorder.note(RunEvent(kind: .abandoned, measurement: id, message: end.reason))
                }
            }
        }
        if let end = supervisor.end { try settleRest(&queue, end) }
        if supervisor.end?.outcome == .notAttempted { return }
        try supervisor.close(gracefully: true)
        try recorder.noteNoise()
        try recorder.note(RunEvent(kind: .measured, measurement: id))
    }

    /// Has one worker read the plan to its end, or until it is lost.
    private func read(_ queue: inout StepQueue) throws {
        if case .fresh = plan.mode { return try readFresh(&queue) }
        let session = try supervisor.warmSession()
        switch plan.mode {
        case .oneByOne, .fresh:
            let clock = recorder.setup.clock
            let start = clock.now()
            func seconds() -> Double { start.duration(to: clock.now()).milliseconds / 1_000 }
            while let step = queue.next() {
                try recorder.setup.interruption.check()
                var record = supervisor.record(step, by: supervisor.worker)
                record.atSeconds = seconds()
                let lost = try supervisor.read(WorkerPicture(step.sample, in: store), by: session, into: &record)
                try supervisor.settle(record, step)
                if let lost { throw lost }
                queue.settle(atSeconds: seconds())
            }
        case .stream(let lanes):
            let pictures = plan.pictures.map { WorkerPicture($0, in: store) }
            let bytes = try session.openStream(lanes: lanes, pictures: pictures)
            let held =
                "\(NumberText.count(pictures.count, "picture")), \(NumberText.megabytes(Double(bytes))) in memory"
            try recorder.note(RunEvent(kind: .streaming, measurement: id, message: held))
            var stream = StreamDriver(supervisor, session, plan)
            try stream.run(&queue)
        case .live(let rate, let seed):
            var steps: [SamplePlan.Step] = []
            while let step = queue.next() { steps.append(step) }
            let request = LiveRequest(
                spines: steps.map { WorkerPicture($0.sample, in: store) },
                framesPerSecond: rate,
                seed: seed
            )
            let answer: LiveAnswer
            do { answer = try session.scanLive(request) } catch {
                queue.requeue(steps)
                throw error
            }
            try recorder.note(RunEvent(kind: .live, measurement: id, live: answer.figures))
            for (step, reading) in zip(steps, answer.readings) {
                var record = supervisor.record(step, by: supervisor.worker)
                (record.milliseconds, record.prediction) = (reading.milliseconds, reading.prediction)
                record.memory = answer.memory
                if reading.prediction == nil {
                    (record.outcome, record.problem) = (.failed, "no frame produced a scan")
                }
                try supervisor.settle(record, step)
                queue.settle(atSeconds: answer.figures.seconds)
            }
        }
    }

    /// Has a new worker read one picture without a warm-up.
    private func readFresh(_ queue: inout StepQueue) throws {
        guard let step = queue.next() else { return }
        let session: WorkerSession
        do { session = try supervisor.start() } catch {
            queue.requeue([step])
            throw error
        }
        var record = supervisor.record(step, by: supervisor.worker)
        record.loadMilliseconds = session.ready?.modelLoadMilliseconds
        record.readyMilliseconds = session.ready?.sinceProcessStartMilliseconds
        let lost = try supervisor.read(WorkerPicture(step.sample, in: store), by: session, into: &record)
        if lost == nil { record.milliseconds = session.untilLastAnswerMilliseconds }
        try supervisor.settle(record, step)
        if let lost { throw lost }
        try supervisor.close(gracefully: true)
    }

    /// Records the readings that are left.
    private func settleRest(_ queue: inout StepQueue, _ end: Supervisor.End) throws {
        // Time would have decided how many there are of a timed plan: none of them is missing, and one shows a failure.
        var left = plan.isTimed ? end.outcome == .failed ? 1 : 0 : Int.max
        while left > 0, let step = queue.next() {
            left -= 1
            var record = supervisor.record(step, by: end.outcome == .notAttempted ? nil : supervisor.worker)
            (record.outcome, record.problem, record.owner) = (end.outcome, end.reason, end.owner)
            try supervisor.settle(record, step)
        }
    }
}
