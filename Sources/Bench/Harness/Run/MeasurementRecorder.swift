import Evaluation
import SpineDatasets

final class MeasurementRecorder {
    let measurement: Measurement
    private let folder: RunFolder
    private let judge: (inout SampleRecord) -> Void
    private let progress: @Sendable (RunProgress) -> Void
    private let total: Int?
    private var done: Int
    let noise: StrayOutput

    /// `records` are the existing ones, `total` their final number, nil when time decides.
    init(
        _ measurement: Measurement,
        in folder: RunFolder,
        records: [SampleRecord],
        total: Int?,
        judge: @escaping (inout SampleRecord) -> Void = { _ in },
        progress: @escaping @Sendable (RunProgress) -> Void
    ) {
        (self.measurement, self.folder, self.total) = (measurement, folder, total)
        (self.judge, self.progress) = (judge, progress)
        noise = StrayOutput(folder, measurement: measurement.id)
        done = records.count
    }

    func settle(_ record: SampleRecord) throws {
        var record = record
        if record.outcome != .notAttempted { judge(&record) }
        try folder.append(record)
        done += 1
        progress(.readingDone(record: record, done: done, total: total))
    }

    /// Returns the record of a step that a worker, by its number, is to read.
    func record(_ step: SamplePlan.Step, _ phase: ScenarioPlan.Phase, by worker: Int?) -> SampleRecord {
        SampleRecord(
            measurement: measurement.id,
            repetition: step.repetition,
            position: step.position,
            id: step.sample.id,
            worker: worker,
            phase: phase.name
        )
    }

    func note(_ event: RunEvent) throws { try folder.append(event) }

    func note(_ kind: RunEvent.Kind, message: String? = nil) throws {
        try note(RunEvent(kind: kind, measurement: measurement.id, message: message))
    }

    var hasEarlierReadings: Bool { done > 0 }

    /// Number of remaining readings; nil when time decides.
    var left: Int? { total.map { $0 - done } }
}

/// Recorder of the workers' stray output, up to a limit.
package final class StrayOutput {
    private let folder: RunFolder
    private let measurement: String?
    private var count = 0
    private static let limit = 10

    init(_ folder: RunFolder, measurement: String?) { (self.folder, self.measurement) = (folder, measurement) }

    func record(_ text: String) throws {
        count += 1
        if count <= Self.limit { try append(text) }
    }

    /// Records the amount beyond the first, if not all of it was recorded.
    func noteCount() throws {
        if count > Self.limit { try append("and \(count - 1) more") }
    }

    /// Returns the first of recorded texts and the number of the others: "“loading”, and 59 more"; nil without any.
    package static func summary(_ texts: [String]) -> String? {
        guard let first = texts.first, let last = texts.last else { return nil }
        let more = last.hasPrefix("and ") ? ", \(last)" : texts.count > 1 ? ", and \(texts.count - 1) more" : ""
        return "“\(first)”\(more)"
    }

    private func append(_ text: String) throws {
        try folder.append(RunEvent(kind: .noise, measurement: measurement, message: text))
    }
}
