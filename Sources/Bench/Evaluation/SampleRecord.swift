package import Basics
package import ScanningPolicies
package import SpineDatasets

/// Result of one reading: one line of a run's `samples.jsonl`.
package struct SampleRecord: Sendable, Equatable, Codable {
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
    /// Parts of a run: the machine that read it, as ``HostDescription/machine`` names it; nil where one machine read all.
    package var machine: String?
    /// `cold`: loading the variant, and from just before the process was started until that was done.
    package var loadMilliseconds: Double?
    package var readyMilliseconds: Double?
    package var prediction: Prediction?
    /// Score of the text against the label; nil for a photo of shelves, where the text is unknown, and in runs of
    /// earlier versions.
    package var score: SampleScore?
    /// Whether the right book was named; nil when the system names none, or nobody knows which is right.
    package var book: BookOutcome?
    /// Score of the books on a photo of shelves; nil for a picture of one spine.
    package var shelf: ShelfScore?
    /// Number of scans that named a wrong book (`live`); nil when the system names none, or the right one is unknown.
    package var wrongScans: Int?
    package var problem: String?
    /// Owner of a failure as the harness saw it; nil where it is the reader's, and in runs of earlier versions.
    package var owner: FaultOwner?
    package var memory: MemoryReading?
    /// Figures beside the time of a reading that was made elsewhere.
    package var stated: StatedFigures?

    /// Text that is scored, empty for a failed reading; nil when the picture was read and its text is unknown.
    package var text: String? { prediction?.linesProblem == nil ? prediction?.text ?? "" : nil }

    /// Milliseconds until the text from the due time, waiting included, or until the end of the reading; nil without.
    package var millisecondsToText: Double? {
        guard let milliseconds, let text = prediction?.milliseconds(until: .text) else { return milliseconds }
        return milliseconds - (serviceMilliseconds ?? milliseconds) + text
    }

    package struct Key: Hashable, Sendable {
        package var measurement: String
        package var repetition: Int
        package var id: String

        package init(measurement: String, repetition: Int, id: String) {
            (self.measurement, self.repetition, self.id) = (measurement, repetition, id)
        }
    }

    /// Returns the record of a line; nil for a damaged line, also where its figures are beyond any reading's.
    package static func decoded(_ line: some Sequence<UInt8>) -> SampleRecord? {
        guard let record = JSONLine.decode(SampleRecord.self, from: line), record.repetition >= 1 else { return nil }
        let times = [record.milliseconds, record.serviceMilliseconds].compactMap(\.self)
        let counts = [record.score?.characters, record.score?.words].compactMap(\.self).flatMap { counts in
            [counts.referenceLength, counts.substitutions, counts.deletions, counts.insertions]
        }
        let isPossible =
            times.allSatisfy { (0...1e12).contains($0) } && counts.allSatisfy { (0...1 << 30).contains($0) }
        return isPossible ? record : nil
    }

    package var key: Key { Key(measurement: measurement, repetition: repetition, id: id) }
}

/// Figures of a reading as a file states them; nil when it does not.
package struct StatedFigures: Sendable, Equatable, Codable {
    /// Memory after the reading, and the most during it, in MB (10⁶ bytes) above the start of the recording.
    package var memory: Double?
    package var memoryPeak: Double?
    package var thermal: ThermalState?
    /// Joules.
    package var energy: Double?
    /// Charge of the battery after the reading, 0…1.
    package var battery: Double?

    package var isEmpty: Bool { self == StatedFigures() }
}

extension SampleRecord {
    package init(
        measurement: String,
        repetition: Int,
        position: Int,
        id: String,
        worker: Int? = nil
    ) {
        self.init(
            measurement: measurement,
            repetition: repetition,
            position: position,
            id: id,
            outcome: .read,
            worker: worker
        )
    }

    /// Returns the score that the record contains, or that of its text in runs without one or by another rule; nil where
    /// the text is unknown.
    package func score(against sample: Sample) -> SampleScore? {
        let isCurrent = score?.rule == ScoringRule.current || outcome == .read && prediction == nil
        return score.flatMap { isCurrent ? $0 : nil } ?? text.map { SampleScore($0, against: sample) }
    }

    /// Returns the score of a photo of shelves, with the titles of its spines' texts found by the present rule.
    package func shelf(against sample: Sample?) -> ShelfScore? {
        guard var score = shelf, score.rule != ScoringRule.current, let prediction, let books = sample?.shelf?.books
        else {
            return shelf
        }
        let spines = prediction.spines.map { $0.filter { $0.outline != nil } }
        score.read(
            books: spines == nil ? books.map { _ in nil } : books.map(\.quad),
            spines: spines?.compactMap(\.outline)
        ) {
            FieldRead(field: books[$0].title ?? "", in: spines?[$1].text ?? prediction.text).isRead ?? false
        }
        return score
    }
}

extension [SampleRecord] {
    /// Returns those of a measurement: all of them, uncopied, where they are of no other.
    package func of(_ measurement: String) -> [SampleRecord] {
        contains { $0.measurement != measurement } ? filter { $0.measurement == measurement } : self
    }
}
