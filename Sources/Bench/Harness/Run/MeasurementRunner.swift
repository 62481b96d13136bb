import Basics
import Evaluation
import ScanningPolicies
import SpineDatasets

/// Runner of one measurement through the phases of its plan.
struct MeasurementRunner {
    let plan: ScenarioPlan
    /// The readings that were attempted before.
    let records: [SampleRecord]
    let recorder: MeasurementRecorder
    let supervisor: Supervisor
    let setup: RunSetup
    let picture: (Sample) -> WorkerPicture

    private var measurement: Measurement { recorder.measurement }

    /// Workers that may be lost in a row without a reading.
    static let mostFailures = 5

    /// Reads everything that is left.
    func run() throws {
        // An error is already being thrown: the machine's conditions are still recorded, and that error is the one to
        // report.
        defer { try? supervisor.close() }
        for phase in plan.phases {
            var queue = StepQueue(phase, measurement: measurement.id, records: records)
            while supervisor.end == nil, let step = queue.next() {
                queue.requeue([step])
                do { try read(phase, &queue) } catch let lost as LostWorker {
                    queue.workerIsGone()
                    try supervisor.lose(lost)
                    if let end = supervisor.end, end.outcome == .notAttempted {
                        setup.progress(.abandoned(measurement: measurement.id, unread: recorder.left))
                        try recorder.note(.abandoned, message: end.reason)
                    }
                }
            }
            if let end = supervisor.end { try settleRest(&queue, phase, end) }
        }
        if supervisor.end?.outcome == .notAttempted { return }
        try supervisor.close(gracefully: true)
        try recorder.noise.noteCount()
        try recorder.note(.measured)
    }

    /// Has one worker read the phase to its end, or until it is lost.
    private func read(_ phase: ScenarioPlan.Phase, _ queue: inout StepQueue) throws {
        switch phase.mode {
        case .oneByOne:
            let session = try supervisor.warmSession()
            let start = setup.clock.now()
            func seconds() -> Double { start.duration(to: setup.clock.now()).milliseconds / 1_000 }
            while let step = queue.next() {
                try setup.interruption.check()
                let picture = picture(step.sample)
                var record = recorder.record(step, phase, by: session.number)
                record.atSeconds = seconds()
                let lost = try supervisor.read(picture, by: session, into: &record)
                try recorder.settle(record)
                if let lost { throw lost }
                queue.settle(atSeconds: seconds())
            }
        case .stream(let lanes):
            let session = try supervisor.warmSession()
            let bytes = try session.openStream(lanes: lanes, pictures: phase.pictures.map(picture))
            let held = NumberText.count(phase.pictures.count, "picture")
            try recorder.note(.streaming, message: "\(held), \(NumberText.megabytes(Double(bytes))) in memory")
            var stream = StreamDriver(
                session: session,
                recorder: recorder,
                phase: phase,
                interruption: setup.interruption
            )
            try stream.run(&queue)
        case .live(let rate, let seed):
            let session = try supervisor.warmSession()
            var steps: [SamplePlan.Step] = []
            while let step = queue.next() { steps.append(step) }
            let request = LiveRequest(
                spines: steps.map { picture($0.sample) },
                framesPerSecond: rate,
                seed: seed
            )
            let answer: LiveAnswer
            do { answer = try session.scanLive(request) } catch {
                queue.requeue(steps)
                throw error
            }
            try recorder.note(RunEvent(kind: .live, measurement: measurement.id, live: answer.figures))
            for (step, reading) in zip(steps, answer.readings) {
                var record = recorder.record(step, phase, by: session.number)
                (record.milliseconds, record.prediction) = (reading.milliseconds, reading.prediction)
                record.memory = answer.memory
                if reading.prediction == nil {
                    (record.outcome, record.problem) = (.failed, "no frame produced a scan")
                }
                try recorder.settle(record)
                queue.settle(atSeconds: answer.figures.seconds)
            }
        case .fresh:
            guard let step = queue.next() else { return }
            let picture = picture(step.sample)
            let session: WorkerSession
            do { session = try supervisor.start() } catch {
                queue.requeue([step])
                throw error
            }
            var record = recorder.record(step, phase, by: session.number)
            record.loadMilliseconds = session.modelLoadMilliseconds
            record.readyMilliseconds = session.readyMilliseconds
            let lost = try supervisor.read(picture, by: session, into: &record)
            if lost == nil { record.milliseconds = session.untilLastAnswerMilliseconds }
            try recorder.settle(record)
            if let lost { throw lost }
            try supervisor.close(gracefully: true)
        }
    }

    /// Records the readings that are left of a phase.
    private func settleRest(_ queue: inout StepQueue, _ phase: ScenarioPlan.Phase, _ end: Supervisor.End) throws {
        // Time would have decided how many there are of a timed phase: none of them is missing, and one shows a failure.
        var left = queue.isTimed ? end.outcome == .failed ? 1 : 0 : Int.max
        while left > 0, let step = queue.next() {
            left -= 1
            var record = recorder.record(step, phase, by: end.outcome == .notAttempted ? nil : supervisor.worker)
            (record.outcome, record.problem) = (end.outcome, end.reason)
            try recorder.settle(record)
        }
    }
}
