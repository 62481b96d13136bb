import Evaluation
import SpineDatasets

/// Writer of the records and events of a measurement, or of all sides of a comparison, which reports its progress.
final class RunRecorder {
    let setup: RunSetup
    /// Name in the progress: a measurement's id, unless it is of a comparison.
    private let label: String
    let isComparison: Bool
    private let total: Int?
    private var done: Int
    private var noiseCount = 0
    /// Parts of a run may be read on several machines.
    private let machine: String?

    private static let noiseLimit = 10

    /// `done` readings are there already, of `total`, which is nil when time decides.
    init(_ label: String, _ setup: RunSetup, done: Int = 0, total: Int?, isComparison: Bool = false) {
        (self.label, self.setup, self.done, self.total) = (label, setup, done, total)
        self.isComparison = isComparison
        machine = setup.part.map { _ in HostDescription.machine }
    }

    /// Judges and writes a reading by a variant.
    func settle(_ record: SampleRecord, of variant: Variant, _ sample: Sample) throws {
        var record = record
        if isComparison || record.outcome != .notAttempted {
            record.machine = machine
            setup.judge.settle(&record, of: variant, sample)
        }
        try setup.folder.append(record)
        done += 1
        record.measurement = label
        setup.progress(.readingDone(record: record, done: done, total: total))
    }

    func note(_ event: RunEvent) throws {
        var event = event
        if isComparison {
            // The others are of a process that works alone; a reader that is not ready is a lost worker, too.
            if event.kind == .abandoned { event.kind = .workerLost }
            guard [.ready, .began, .workerLost].contains(event.kind) else { return }
        } else if event.kind == .ready, let time = event.sinceProcessStartMilliseconds {
            setup.progress(.workerReady(measurement: label, milliseconds: time))
        }
        try setup.folder.append(event)
    }

    /// Writes stray output of a worker, up to a limit.
    func noise(_ text: String) throws {
        noiseCount += 1
        if noiseCount <= Self.noiseLimit { try append(noise: text) }
    }

    /// Writes the amount of stray output beyond the limit.
    func noteNoise() throws { if noiseCount > Self.noiseLimit { try append(noise: "and \(noiseCount - 1) more") } }

    private func append(noise text: String) throws {
        try setup.folder.append(RunEvent(kind: .noise, measurement: isComparison ? nil : label, message: text))
    }

    var hasEarlierReadings: Bool { done > 0 }

    /// Number of remaining readings; nil when time decides.
    var left: Int? { total.map { $0 - done } }
}

/// Stray output of workers, as events have it.
package enum StrayOutput {
    /// Returns the first of recorded texts and the number of the others: "“loading”, and 59 more"; nil without any.
    package static func summary(_ texts: [String]) -> String? {
        guard let first = texts.first, let last = texts.last else { return nil }
        let more = last.hasPrefix("and ") ? ", \(last)" : texts.count > 1 ? ", and \(texts.count - 1) more" : ""
        return "“\(first)”\(more)"
    }
}
