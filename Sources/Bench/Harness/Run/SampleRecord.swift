package import Basics
package import Evaluation
import SpineDatasets

/// What became of one reading: one line of a run's `samples.jsonl`.
package struct SampleRecord: Sendable, Equatable, Codable {
    /// How a reading ended.
    package enum Outcome: String, Sendable, Codable, CaseIterable {
        case read
        /// The system threw.
        case failed
        /// There was no answer in time; the worker was killed.
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
    /// From file bytes to prediction, by the harness's clock; nil when there was none.
    ///
    /// `server`: from the time for which the reading was scheduled. `cold`: from just before the process was started.
    /// `live`: from the first frame with the whole spine in view until its scan was finished.
    package var milliseconds: Double?
    /// `server`: from when the reading was begun.
    package var serviceMilliseconds: Double?
    /// When the reading began, or was due in `server`: seconds since the worker's first counted one, by the harness's
    /// clock.
    package var atSeconds: Double?
    /// Which of the measurement's workers read it, counted from 1.
    package var worker: Int?
    /// Merged runs of several machines: index of the machine among those of ``MergedShards/machines``.
    package var machine: Int?
    /// `audit`: the part of it.
    package var phase: String?
    /// `cold`: loading the variant, and from just before the process was started until that was done.
    package var loadMilliseconds: Double?
    package var readyMilliseconds: Double?
    package var prediction: Prediction?
    /// Whether the right book was named; nil when the system names none, or nobody knows which is right.
    package var book: BookOutcome?
    /// What was found of the books on a photo of shelves; nil for a picture of one spine.
    package var shelf: ShelfScore?
    /// `live`: scans of the spine that named a wrong book; nil when the system names none, or nobody knows which is right.
    package var wrongScans: Int?
    /// What happened; nil when the sample was read.
    package var problem: String?
    /// Of the worker after the reading.
    package var memory: MemoryReading?

    /// The text that is scored, empty for a reading that failed; nil when the picture was read and nobody says what was
    /// read.
    package var text: String? { prediction?.linesProblem == nil ? prediction?.text ?? "" : nil }

    /// When its text was there, in ms from when it was due, waiting included; the end of the reading where nothing says that
    /// the text came before.
    ///
    /// nil without a latency.
    package var millisecondsToText: Double? {
        guard let milliseconds, let text = prediction?.milliseconds(until: .text) else { return milliseconds }
        return milliseconds - (serviceMilliseconds ?? milliseconds) + text
    }

    /// Which reading of a run this is.
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
    /// A reading of which nothing is known yet.
    package init(measurement: String, repetition: Int, position: Int, id: String) {
        self.init(measurement: measurement, repetition: repetition, position: position, id: id, outcome: .read)
    }

    /// Enters what a worker answered to a request to read.
    mutating func fill(from answer: WorkerMessage) {
        switch answer {
        case .result(_, let milliseconds, let prediction, let memory, _):
            outcome = .read
            (self.milliseconds, self.prediction, self.memory) = (milliseconds, prediction, memory)
        case .failure(_, let milliseconds, let reason, let memory, _):
            (outcome, problem) = (.failed, reason)
            (self.milliseconds, self.memory) = (milliseconds, memory)
        default: break
        }
    }
}
