package import Basics
package import SpineDatasets

/// A reading of a sample as metrics observe it: its record, and what became of it against the labels.
package struct Reading: Sendable {
    package let sample: Sample
    /// Nil for a sample without a reading, which counts as not read.
    package let record: SampleRecord?
    /// Whether the sample is scored by it: its first reading, or none.
    package let isFirst: Bool
    /// Whether an answer came, or none came in time.
    var isRead: Bool
    var isTimedOut: Bool
    /// Score of the text; nil where nothing is scored: an illegible sample, or a text that the system does not state.
    package var score: SampleScore?
    /// Boxes of lines; nil without labelled boxes, and for systems that read lines without positions.
    package var boxes: LineBoxScore?
    /// Whether the right book was named; nil where no name can be right or wrong.
    var book: BookOutcome?
    package var shelf: ShelfScore?
    package var millisecondsToText: Double?

    /// Creates the reading of a record, nil for none: the first one of a sample scores it, others repeat the timing.
    package init(_ sample: Sample, _ record: SampleRecord?, isFirst: Bool? = nil) {
        (self.sample, self.record) = (sample, record)
        self.isFirst = isFirst ?? (record?.repetition ?? 1 == 1)
        (isRead, isTimedOut) = (record?.outcome == .read, record?.outcome == .timedOut)
        (shelf, millisecondsToText) = (record?.shelf, record?.millisecondsToText)
        book = sample.isJudged ? record?.book : nil
        guard self.isFirst else { return }
        guard sample.legible, notScored == nil else { return }
        boxes = LineBoxScore(sample, prediction)
        score = record?.score(against: sample) ?? SampleScore("", against: sample)
    }
}

extension Reading {
    /// Reading a title takes no longer when it is read in time (S0-M08).
    package static let timeLimitMilliseconds = 500.0

    package var prediction: Prediction? { record?.prediction }

    /// Reason why a legible sample that was read is not scored; nil for others.
    var notScored: String? { isFirst && sample.legible ? prediction?.linesProblem : nil }

    var isReadInTime: Bool? {
        let time = isRead ? millisecondsToText : nil
        return score?.title.isRead.map { $0 && time ?? .infinity <= Self.timeLimitMilliseconds }
    }

    var areBothRead: Bool? { score?.title.isRead.map { $0 && score?.author?.isRead != false } }

    // MARK: Times

    var latency: [Observation] {
        if isTimedOut { return [.never] }
        return isRead ? record?.milliseconds.map { [.value($0)] } ?? [] : []
    }

    func until(_ milestone: Milestone) -> [Observation] { reached { $0[milestone.rawValue] } }

    /// Time from the text to the catalogue's data: the duration of enrichment alone.
    var enrichment: [Observation] {
        reached { times in times["enriched"].flatMap { end in times["text"].map { end - $0 } } }
    }

    /// Returns a time of a scan; later than all others where it was not reached.
    private func reached(_ time: ([String: Double]) -> Double?) -> [Observation] {
        guard isRead, let prediction else { return isTimedOut ? [.never] : [] }
        return [time(prediction.milestones ?? [:]).map(Observation.value) ?? .never]
    }

    var inference: [Observation] {
        record?.milliseconds.flatMap { total in prediction?.inferenceMilliseconds.map { [.ratio($0, of: total)] } }
            ?? []
    }

    /// Photos that were not read would have taken the longest.
    var timePerBook: [Observation] {
        guard let shelf, shelf.labelled > 0 else { return [] }
        return isRead ? [.ratio(record?.milliseconds ?? 0, of: Double(shelf.labelled))] : [.never]
    }

    // MARK: Scans

    private var isAttempted: Bool { record?.outcome != .notAttempted }

    /// Whether the scan reached the catalogue's answer; nil where it did not begin.
    var isCompleted: Bool? {
        guard isAttempted else { return nil }
        return isRead ? prediction.map { $0.milestones?["enriched"] != nil } : false
    }

    func ofScan<Count>(_ count: (Prediction) -> Count) -> Count? { isRead ? prediction.map(count) : nil }

    /// Whether it counts among the spines that a camera was aimed at: one without a prediction was not scanned.
    var isOfFrames: Bool { sample.legible && isAttempted && (prediction == nil || prediction?.scans != nil) }

    // MARK: Books

    func book<Answer>(isCatalogued: Bool, _ answer: (BookOutcome) -> Answer) -> Answer? {
        book.flatMap { $0.isCatalogued == isCatalogued ? answer($0) : nil }
    }

    /// For each book that the catalogue has not, whether it got a name.
    var falseMatches: [Bool]? {
        shelf?.books.compactMap(\.hasFalseName)
            ?? book(isCatalogued: false) { [$0.answer == .right || $0.answer == .wrong] }
    }

    // MARK: Parts

    /// Whether it shows that its measurement has a part of the results.
    func shows(_ topic: Metric.Topic) -> Bool {
        switch topic {
        case .text, .latency, .books, .process: true
        case .boxes: boxes?.isRight.isEmpty == false
        case .scans: isRead && prediction?.milestones != nil
        case .gestures: isRead && prediction?.gesture != nil
        case .work: isRead && prediction?.work != nil
        case .shelves: shelf != nil
        // The scenario decides.
        case .frames: false
        }
    }
}

/// Score of a text against its label.
package struct SampleScore: Sendable, Equatable, Codable {
    /// ``ScoringRule`` of the fields; nil for the first one.
    package var rule: Int? = ScoringRule.current
    /// Without a result when nobody labelled the title.
    package var title: FieldRead
    /// Nil when the spine names no author.
    package var author: FieldRead?
    /// Nil when no line is labelled as the publisher's.
    package var publisher: FieldRead?
    /// Against the transcription, in the NFC view.
    package var characters: EditCounts
    /// Against the transcription, in the NFC view.
    package var words: EditCounts
    /// 1-NED against the transcription, in the folded view.
    package var similarity: Double
    /// Against the transcription, folded words in any order.
    package var overlap: WordOverlap

    /// Scores `text`, which is empty for a reading that failed: that is then scored as nothing read.
    package init(_ text: String, against sample: Sample) {
        let publisher = (sample.lines ?? []).filter { $0.role == .publisher }.map(\.text).joined(separator: " ")
        title = FieldRead(field: sample.title ?? "", in: text)
        author = sample.author.map { FieldRead(field: $0, in: text) }
        self.publisher = publisher.isEmpty ? nil : FieldRead(field: publisher, in: text)
        characters = EditCounts.ofCharacters(reference: sample.transcription, hypothesis: text)
        words = EditCounts.ofWords(reference: sample.transcription, hypothesis: text)
        similarity = TextSimilarity.normalized(sample.transcription, text)
        overlap = WordOverlap(reference: sample.transcription, hypothesis: text)
    }
}

extension LineBoxScore {
    /// Creates the score of a reading; nil without labelled boxes, and for systems that read lines without positions.
    init?(_ sample: Sample, _ prediction: Prediction?) {
        let labelled = (sample.lines ?? []).map(\.quad)
        let found = (prediction?.lines ?? []).compactMap(\.quad)
        guard !labelled.isEmpty, !labelled.contains(nil), !found.isEmpty || prediction?.lines.isEmpty != false else {
            return nil
        }
        self.init(labelled: labelled.compactMap(\.self), found: found)
    }
}

extension ShelfScore {
    /// Whether each named spine has the right name, without books that are illegible or missing from the catalogue.
    var rightNames: [Bool] {
        spines.map(\.outcome).filter { [.right, .wrong, .falseMatch].contains($0) }.map { $0 == .right }
    }

    /// Twice the books named, and the same with books missed and spines named wrongly.
    var f1: (Int, of: Int) {
        let (found, missed) = (books.count { $0.isNamed == true }, books.count { $0.isNamed == false })
        return (2 * found, 2 * found + missed + rightNames.count { !$0 })
    }

    /// Without outlines of books, merged spines and pieces cannot be detected.
    var outlined: [Spine] { books.contains { $0.overlap != nil } ? spines : [] }

    /// For each book named correctly, whether it would have to be moved to correct the order.
    var areMoved: [Bool] { (0..<books.count { $0.isNamed == true }).map { $0 < moved } }
}
