package import Basics

/// A reading of a sample as metrics observe it.
package struct Reading: Sendable {
    package var id: String
    package var category: String
    /// Photo that the sample was cut from; nil for its own.
    package var group: String?
    package var isLegible = true
    /// Whether an answer came, none came in time, or the reading was given up before it began.
    package var isRead = false
    package var isTimedOut = false
    package var isAttempted = true
    package var worker = 0
    /// Score of the text; nil where nothing is scored: an illegible sample, or a text that the system does not state.
    package var score: SampleScore?
    /// Reason why a legible sample that was read is not scored; nil for others.
    package var notScored: String?
    /// Boxes of lines; nil without labelled boxes, and for systems that read lines without positions.
    package var boxes: LineBoxScore?
    /// Whether the right book was named; nil where no name can be right or wrong.
    package var book: BookOutcome?
    package var shelf: ShelfScore?
    package var capture: CaptureScore?
    package var milliseconds: Double?
    package var millisecondsToText: Double?
    package var inferenceMilliseconds: Double?
    /// Milliseconds until each milestone, by name; nil when the system reports none.
    package var milestones: [String: Double]?
    /// Number of readings for the questions of one gesture, and the times of all but the first; nil for systems that are
    /// asked once.
    package var gesture: (readings: Int, repeatMilliseconds: [Double])?
    /// Tiers that the scan went through.
    package var path: [String]?
    package var isQueued: Bool?
    package var drained: Int?
    package var waiting: Int?
    package var reconnects: Int?
    package var malformedEvents: Int?
    /// Scans of a camera's frames, and those that named a wrong book; nil for pictures.
    package var scans: Int?
    package var wrongScans: Int?
    /// Whether the system answered, in time or not.
    package var hasPrediction = false

    package init(id: String, category: String, group: String? = nil) {
        (self.id, self.category, self.group) = (id, category, group)
    }
}

extension Reading {
    /// Reading a title takes no longer when it is read in time (S0-M08).
    package static let timeLimitMilliseconds = 500.0

    package var isReadInTime: Bool? {
        let time = isRead ? millisecondsToText : nil
        return score?.title.isRead.map { $0 && time ?? .infinity <= Self.timeLimitMilliseconds }
    }

    var areBothRead: Bool? { score?.title.isRead.map { $0 && score?.author?.isRead != false } }

    // MARK: Times

    var latency: [Observation] {
        if isTimedOut { return [.never] }
        return isRead ? milliseconds.map { [.value($0)] } ?? [] : []
    }

    func until(_ milestone: String) -> [Observation] { reached { $0[milestone] } }

    /// Time from the text to the catalogue's data: the duration of enrichment alone.
    var enrichment: [Observation] {
        reached { times in times["enriched"].flatMap { end in times["text"].map { end - $0 } } }
    }

    /// Returns a time of a scan; later than all others where it was not reached.
    private func reached(_ time: ([String: Double]) -> Double?) -> [Observation] {
        guard isRead && hasPrediction else { return isTimedOut ? [.never] : [] }
        return [time(milestones ?? [:]).map(Observation.value) ?? .never]
    }

    var inference: [Observation] {
        milliseconds.flatMap { total in inferenceMilliseconds.map { [.ratio($0, of: total)] } } ?? []
    }

    /// Photos that were not read would have taken the longest.
    var timePerBook: [Observation] {
        guard let shelf, shelf.labelled > 0 else { return [] }
        return isRead ? [.ratio(milliseconds ?? 0, of: Double(shelf.labelled))] : [.never]
    }

    // MARK: Scans

    /// Whether the scan reached the catalogue's answer; nil where it did not begin.
    var isCompleted: Bool? {
        guard isAttempted else { return nil }
        return isRead ? hasPrediction ? milestones?["enriched"] != nil : nil : false
    }

    func ofScan<Count>(_ count: (Reading) -> Count) -> Count? { isRead && hasPrediction ? count(self) : nil }

    /// Whether it counts among the spines that a camera was aimed at: one without a prediction was not scanned.
    var isOfFrames: Bool { isLegible && isAttempted && (!hasPrediction || scans != nil) }

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
        case .scans: isRead && milestones != nil
        case .gestures: isRead && gesture != nil
        case .shelves: shelf != nil
        case .captures: capture?.isKept == true
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
    package init(_ text: String, title: String?, author: String?, publisher: String?, transcription: String) {
        self.title = FieldRead(field: title ?? "", in: text)
        self.author = author.map { FieldRead(field: $0, in: text) }
        self.publisher = publisher.map { FieldRead(field: $0, in: text) }
        characters = EditCounts.ofCharacters(reference: transcription, hypothesis: text)
        words = EditCounts.ofWords(reference: transcription, hypothesis: text)
        similarity = TextSimilarity.normalized(transcription, text)
        overlap = WordOverlap(reference: transcription, hypothesis: text)
    }
}

/// Score of a capture; that of a failed reading has no code, label or description.
package struct CaptureScore: Sendable {
    /// Whether the reported label is right; nil for pictures without a label.
    package var isLabelRight: Bool?
    /// Whether no label was reported although the vocabulary has one; nil for pictures without a label.
    package var isLabelUnsaid: Bool?
    /// True label and reported label; nil for pictures without a label.
    package var said: (truth: String, said: String)?
    /// Result for each labelled code (true when it was read), and false for each code that was read but does not
    /// exist.
    package var codes: [Bool] = []
    /// Overlap of the subject with its labelled outline, 0…1; nil for pictures without an outline.
    package var overlap: Double?
    package var isTold = false
    /// Facts that were known before sources failed, and those that were lost.
    package var facts = 0
    package var lost = 0
    /// Whether the capture was stored; false for a failed reading.
    package var isKept = true

    package init() {}

    /// Whether another label was reported; nil for pictures without a label.
    var isLabelWrong: Bool? { isLabelRight.map { !$0 && isLabelUnsaid != true } }

    var areLost: [Bool] { (0..<facts).map { $0 < lost } }
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
