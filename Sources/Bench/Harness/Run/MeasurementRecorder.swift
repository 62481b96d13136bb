import Evaluation
import SpineDatasets

/// Recorder of a measurement's events, which it reports to observers.
final class MeasurementRecorder {
    let measurement: Measurement
    /// Number of the current worker, from 1.
    private(set) var worker: Int
    let folder: RunFolder
    private let judge: (inout SampleRecord) -> Void
    /// Callback for observers.
    let progress: @Sendable (RunProgress) -> Void
    private let total: Int?
    private var done: Int
    /// Number of messages of stray output.
    private var strayCount = 0
    private static let mostStrayEvents = 10

    /// `records` are the existing ones, `total` their final number, nil when time decides.
    init(
        _ measurement: Measurement,
        in folder: RunFolder,
        records: [SampleRecord],
        total: Int?,
        judge: @escaping (inout SampleRecord) -> Void = { _ in },
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

    func nextWorker() { worker += 1 }

    func settle(_ record: SampleRecord) throws {
        var record = record
        if record.outcome != .notAttempted {
            record.worker = worker
            judge(&record)
        }
        try folder.append(record)
        done += 1
        progress(.readingDone(record: record, done: done, total: total))
    }

    func record(_ step: SamplePlan.Step, _ phase: ScenarioPlan.Phase) -> SampleRecord {
        SampleRecord(
            measurement: measurement.id,
            repetition: step.repetition,
            position: step.position,
            id: step.sample.id,
            phase: phase.name
        )
    }

    func note(_ event: RunEvent) throws { try folder.append(event) }

    func note(_ kind: RunEvent.Kind, message: String? = nil) throws {
        try note(RunEvent(kind: kind, measurement: measurement.id, message: message))
    }

    /// Records a worker's stray output, up to a limit.
    func recordStrayOutput(_ text: String) throws {
        strayCount += 1
        if strayCount <= Self.mostStrayEvents { try note(.noise, message: text) }
    }

    /// Records the amount of stray output beyond the first, if not all of it was recorded.
    func noteStrayCount() throws {
        if strayCount > Self.mostStrayEvents { try note(.noise, message: "and \(strayCount - 1) more") }
    }

    var hasEarlierReadings: Bool { done > 0 }

    /// Number of remaining readings; nil when time decides.
    var left: Int? { total.map { $0 - done } }
}
