package import Basics
package import Evaluation
import SpineDatasets

/// Result of one reading: one line of a run's `samples.jsonl`.
package struct SampleRecord: Sendable, Equatable, Codable {
    /// Outcome of a reading.
    package enum Outcome: String, Sendable, Codable, CaseIterable {
        case read
        /// The system threw.
        case failed
        /// No answer in time; the worker was killed.
        case timedOut
        /// The worker ended during the reading.
        case workerDied
        /// The measurement was given up before this reading.
        case notAttempted
    }

    package var measurement: String
    /// Counted from 1.
    package var repetition: Int
    /// Place in the repetition's order, counted from 0.
    package var position: Int
    package var id: String
    package var outcome = Outcome.read
    /// Time from file bytes to prediction, by the harness's clock; nil when there was none.
    ///
    /// `server`: from the time for which the reading was scheduled. `cold`: from just before the process was started.
    /// `live`: from the first frame with the whole spine in view until its scan was finished.
    package var milliseconds: Double?
    /// `server`: from when the reading was begun.
    package var serviceMilliseconds: Double?
    /// Begin of the reading, or its due time in `server`: seconds since the worker's first counted one, by the
    /// harness's clock.
    package var atSeconds: Double?
    /// Number of the measurement's worker that read it, from 1.
    package var worker: Int?
    /// Merged runs of several machines: index of the machine among those of ``MergedShards/machines``.
    package var machine: Int?
    /// `audit`: the part of it.
    package var phase: String?
    /// `cold`: loading the variant, and from just before the process was started until that was done.
    package var loadMilliseconds: Double?
    package var readyMilliseconds: Double?
    package var prediction: Prediction?
    /// Score of the text against the label; nil for a photo of shelves, where the text is unknown, and in runs of earlier versions.
    package var score: SampleScore?
    /// Whether the right book was named; nil when the system names none, or nobody knows which is right.
    package var book: BookOutcome?
    /// Score of the books on a photo of shelves; nil for a picture of one spine.
    package var shelf: ShelfScore?
    /// Number of scans that named a wrong book (`live`); nil when the system names none, or the right one is unknown.
    package var wrongScans: Int?
    /// Description of the problem; nil when the sample was read.
    package var problem: String?
    /// Memory of the worker after the reading.
    package var memory: MemoryReading?

    /// Text that is scored, empty for a failed reading; nil when the picture was read and its text is unknown.
    package var text: String? { prediction?.linesProblem == nil ? prediction?.text ?? "" : nil }

    /// Time of the text, in ms from the due time, waiting included; the end of the reading when no earlier time is
    /// reported.
    ///
    /// nil without a latency.
    package var millisecondsToText: Double? {
        guard let milliseconds, let text = prediction?.milliseconds(until: .text) else { return milliseconds }
        return milliseconds - (serviceMilliseconds ?? milliseconds) + text
    }

    /// Identity of a reading within a run.
    package struct Key: Hashable, Sendable {
        package var measurement: String
        package var phase: String?
        package var repetition: Int
        package var id: String
    }

    package var key: Key {
        Key(measurement: measurement, phase: phase, repetition: repetition, id: id)
    }
}

extension SampleRecord {
    /// Creates a record without a result.
    package init(measurement: String, repetition: Int, position: Int, id: String) {
        self.init(measurement: measurement, repetition: repetition, position: position, id: id, outcome: .read)
    }

    /// Records a worker's answer to a reading request.
    mutating func fill(from answer: WorkerMessage) {
        switch answer {
        case .result(_, let milliseconds, let prediction, let memory, _):
            outcome = .read
            (self.milliseconds, self.prediction, self.memory) = (milliseconds, prediction, memory)
        case .failure(_, let milliseconds, let reason, let memory, _):
            (outcome, problem) = (WorkerFailure.isTimeout(reason) ? .timedOut : .failed, reason)
            (self.milliseconds, self.memory) = (milliseconds, memory)
        default: break
        }
    }
}
