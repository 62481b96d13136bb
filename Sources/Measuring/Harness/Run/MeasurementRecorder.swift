import Evaluation
import ScanningPolicies

/// Writes down what a measurement does, and tells whoever watches.
final class MeasurementRecorder {
    let measurement: Measurement
    /// Of the worker that reads now, counted from 1.
    private(set) var worker: Int
    private let folder: RunFolder
    private let judge: (SampleRecord) -> BookOutcome?
    private let progress: @Sendable (RunProgress) -> Void
    private let total: Int?
    private var done: Int
    private var noiseLeft = 10

    /// - Parameters:
    ///   - measurement: what is run.
    ///   - folder: where records and events go.
    ///   - records: what there is of it already.
    ///   - total: how many there will be; nil when time decides.
    ///   - judge: whether a reading named the right book.
    ///   - progress: called on the thread that runs.
    init(
        _ measurement: Measurement,
        in folder: RunFolder,
        records: [SampleRecord],
        total: Int?,
        judge: @escaping (SampleRecord) -> BookOutcome? = { _ in nil },
        progress: @escaping @Sendable (RunProgress) -> Void
    ) {
        self.measurement = measurement
        self.folder = folder
        self.total = total
        self.judge = judge
        self.progress = progress
        done = records.count
        worker = records.compactMap(\.worker).max() ?? 0
    }

    /// The run's folder.
    var path: String { folder.path }

    /// Says that a new worker begins.
    func nextWorker() { worker += 1 }

    /// Writes down what became of a reading.
    func settle(_ record: SampleRecord) throws {
        var record = record
        if record.outcome != .notAttempted {
            record.worker = worker
            record.book = judge(record)
        }
        try folder.append(record)
        done += 1
        progress(.readingDone(record: record, done: done, total: total))
    }

    /// The record of a step, with nothing in it yet.
    func record(_ step: SamplePlan.Step, _ phase: ScenarioPlan.Phase) -> SampleRecord {
        var record = SampleRecord(step, measurement: measurement.id, outcome: .read)
        record.phase = phase.name
        return record
    }

    /// Writes down an event.
    func note(_ event: RunEvent) throws { try folder.append(event) }

    /// Writes down that something happened.
    func note(
        _ kind: RunEvent.Kind,
        message: String? = nil,
        sinceProcessStartMilliseconds: Double? = nil,
        conditions: Conditions? = nil,
        live: LiveFigures? = nil
    ) throws {
        try folder.append(
            RunEvent(
                kind,
                time: RunClock.now(),
                measurement: measurement.id,
                message: message,
                sinceProcessStartMilliseconds: sinceProcessStartMilliseconds,
                conditions: conditions,
                live: live
            )
        )
    }

    /// Writes down what a worker wrote beside its answers, as long as that is little.
    func noteNoise(_ text: String) throws {
        guard noiseLeft > 0 else { return }
        noiseLeft -= 1
        try note(.noise, message: text)
    }

    /// Tells whoever watches.
    func tell(_ news: RunProgress) { progress(news) }

    /// Whether anything was read before.
    var hasEarlierReadings: Bool { done > 0 }

    /// How many readings are left; nil when time decides.
    var left: Int? { total.map { $0 - done } }
}
