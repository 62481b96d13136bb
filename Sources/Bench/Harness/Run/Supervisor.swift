import Basics
import Evaluation
import Foundation
import SpineDatasets

/// Supervisor of the worker of one measurement, or of one side of a comparison: it starts a worker and warms it up, and
/// starts another one when it is lost.
final class Supervisor {
    /// Reason for which no other worker is started, and the outcome of the readings that are left.
    struct End {
        var outcome: SampleRecord.Outcome
        var reason: String
        var owner: FaultOwner?
    }

    let measurement: Measurement
    let recorder: RunRecorder
    /// Number of the last worker, from 1; that of an earlier one in a run that is resumed.
    var worker = 0
    private(set) var session: WorkerSession?
    /// Nil as long as another worker may be started.
    private(set) var end: End?
    /// Description by the first worker of its loaded components; nil before there was one.
    var description: [String: String]?
    /// Seconds of a user's reader without a text so far; nil when it has read one, or nobody asks.
    var unreadSeconds: Double?

    private let command: WorkerLaunch
    private let configuration: RunConfiguration
    private let warmUp: [WorkerPicture]
    /// Workers that are lost one after the other without one reading between them: then no other one is started.
    private var mostFailures: Int { recorder.isComparison ? 3 : 5 }
    private var setup: RunSetup { recorder.setup }
    private var starts = 0
    private var failures = 0
    private var machine = MachineReading.now()

    init(
        _ measurement: Measurement,
        _ command: WorkerLaunch,
        _ configuration: RunConfiguration,
        _ recorder: RunRecorder,
        warmUp: [WorkerPicture]
    ) {
        (self.measurement, self.command, self.configuration) = (measurement, command, configuration)
        (self.recorder, self.warmUp) = (recorder, warmUp)
    }

    /// Starts a worker in place of none, and returns it when it has loaded its variant.
    func start() throws -> WorkerSession {
        try setup.interruption.check()
        machine = .now()
        starts += 1
        worker += 1
        let session = try WorkerSession(measurement, command, configuration, setup, noise: recorder.noise)
        self.session = session
        if let wait = RunProgress.waiting(for: measurement) { setup.progress(wait) }
        let ready = try session.awaitReady()
        // A system that could not start its own process does not know all of its description.
        if description?.contains(where: { (ready.description?[$0] ?? $1) != $1 }) == true {
            throw HarnessError.resumeMismatch(
                path: setup.folder.path,
                differences: ["\(measurement.id) loaded a different engine or model than before"]
            )
        }
        description = (description ?? [:]).merging(ready.description ?? [:]) { first, _ in first }
        try recorder.note(ready)
        return session
    }

    /// Returns the worker, or a new warm one; each begins further on in the pictures of the warm-up, in case one of them
    /// ended the last one.
    func warmSession() throws -> WorkerSession {
        if let session { return session }
        let count = configuration.warmUpReadings
        let first = starts * count
        let session = try start()
        for index in warmUp.isEmpty ? 0..<0 : first..<(first + count) {
            if let unready = try answer(warmUp[index % warmUp.count], by: session, isCounted: false).unready {
                throw unready
            }
        }
        try recorder.note(session.begin())
        return session
    }

    /// Returns the record of a step before it is read.
    func record(_ step: SamplePlan.Step, by worker: Int?) -> SampleRecord {
        SampleRecord(
            measurement: measurement.id,
            repetition: step.repetition,
            position: step.position,
            id: step.sample.id,
            worker: worker
        )
    }

    func settle(_ record: SampleRecord, _ step: SamplePlan.Step) throws {
        try recorder.settle(record, of: measurement.variant, step.sample)
    }

    /// Has a picture read and fills its record; returns the loss of the worker, which costs this reading alone.
    func read(
        _ picture: WorkerPicture,
        by session: WorkerSession,
        into record: inout SampleRecord
    ) throws -> LostWorker? {
        do {
            let (message, unready) = try answer(picture, by: session, isCounted: true)
            record.fill(from: message)
            return unready
        } catch let lost as LostWorker {
            record.fail(lost, reading: measurement.variant)
            return lost
        }
    }

    /// Has a picture read; a reader of the user's that has read nothing for as long as it may take to start is unready,
    /// and not asked again.
    private func answer(
        _ picture: WorkerPicture,
        by session: WorkerSession,
        isCounted: Bool
    ) throws -> (message: WorkerMessage, unready: LostWorker?) {
        let start = setup.clock.now()
        func unready(_ reason: String, _ owner: FaultOwner?) -> LostWorker? {
            guard let limit = measurement.variant.startSeconds, let before = unreadSeconds else { return nil }
            let seconds = before + start.duration(to: setup.clock.now()).milliseconds / 1_000
            unreadSeconds = seconds
            guard seconds >= limit else { return nil }
            let all = "nothing was read within \(NumberText.short(limit)) s: \(reason)"
            return .unready(reason: all, owner: owner)
        }
        let message: WorkerMessage
        do { message = try session.read(picture, isCounted: isCounted) } catch let lost as LostWorker {
            throw unready(lost.description, lost.owner(reading: measurement.variant)) ?? lost
        }
        if session.readings == 1 {
            var event = RunEvent(kind: .firstReading, measurement: measurement.id)
            event.sinceProcessStartMilliseconds = session.untilLastAnswerMilliseconds
            try recorder.note(event)
        }
        if isCounted { failures = 0 }
        if case .failure(_, _, let reason, _, _, let owner) = message { return (message, unready(reason, owner)) }
        unreadSeconds = nil
        return (message, nil)
    }

    /// Records the loss of the worker.
    ///
    /// - Throws: `HarnessError` when none was ever ready and no other one is started, or one of a comparison cannot be.
    func lose(_ lost: LostWorker) throws {
        let variant = measurement.variant.name
        var unready: String?
        if case .unready(let reason, _) = lost { unready = reason }
        let owner = lost.owner(reading: measurement.variant)
        failures = session?.countedReadings ?? 0 == 0 ? failures + 1 : 0
        let kind: RunEvent.Kind = unready == nil ? .workerLost : .abandoned
        try recorder.note(RunEvent(kind: kind, measurement: measurement.id, message: lost.description))
        setup.progress(.workerLost(measurement: measurement.id, problem: lost.description))
        try close()
        if let unready {
            if recorder.isComparison, description == nil {
                throw HarnessError.unavailable(variant: variant, reason: unready)
            }
            end = End(outcome: .failed, reason: unready, owner: owner)
        } else if failures == mostFailures {
            guard description != nil else {
                let name = recorder.isComparison ? "\(measurement.id), \(variant)" : variant
                throw HarnessError.workerNeverReady(variant: name, starts: mostFailures, last: lost.description)
            }
            let reason = "stopped after \(mostFailures) workers in a row without a reading: \(lost)"
            end = End(outcome: .notAttempted, reason: reason, owner: owner)
        }
    }

    /// Ends the worker, if there is one; a graceful one ends by itself.
    func close(gracefully: Bool = false) throws {
        guard let session else { return }
        self.session = nil
        // While the worker and its readers are there: a process that outlives its parent is nobody's.
        let conditions = Conditions(from: machine, to: .now(), cores: ProcessInfo.processInfo.activeProcessorCount)
        if gracefully { session.finish() }
        session.end()
        try recorder.note(RunEvent(kind: .conditions, measurement: measurement.id, conditions: conditions))
    }
}
