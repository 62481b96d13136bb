import Basics
import Evaluation
import Harness
import SpineDatasets

struct ScoredReading: Sendable {
    /// Score of the sample; nil when it is not scored.
    private(set) var entry: AccuracySummary.Entry?
    /// Reason why a legible sample that was read is not scored; nil for others.
    private(set) var notScored: String?
    /// Score of the book; nil when no book was to be named, or its name was not examined.
    private(set) var book: Identification.Entry?
    /// Score of the boxes with their picture; nil for lines without labelled boxes, or a system that does not locate
    /// them.
    private(set) var boxes: (score: LineBoxScore, picture: String)?
    /// Score of the capture; nil for systems without captures, and for failed readings, whose kind is unknown.
    private(set) var capture: CaptureScore?

    init(_ sample: Sample, _ record: SampleRecord?) {
        if sample.isJudged, let outcome = record?.book { book = Identification.Entry(outcome, group: sample.group) }
        if let capture = record?.prediction?.capture {
            self.capture = CaptureScore(capture, sample)
        } else if record?.prediction == nil, sample.scene != nil {
            capture = CaptureScore(unread: sample)
        }
        guard sample.legible else { return }
        boxes = LineBoxScore(sample, record?.prediction).map { ($0, sample.group ?? sample.id) }
        notScored = record?.prediction?.linesProblem
        guard notScored == nil else { return }
        entry = AccuracySummary.Entry(
            record?.score(against: sample) ?? SampleScore("", against: sample),
            group: sample.group,
            milliseconds: record?.outcome == .read ? record?.millisecondsToText : nil
        )
    }
}

/// The samples of one category, counted as they come.
struct CategoryTally {
    private(set) var samples = 0
    private(set) var accuracy = AccuracyTally()
    private var books = IdentificationTally()
    private var kept = CaptureTally()
    private var located = LineBoxTally()

    var boxes: LineBoxSummary? { located.summary }

    var identification: Identification? { books.count == 0 ? nil : Identification(books) }

    var captures: CaptureSummary? { kept.isOfCaptures ? CaptureSummary(kept) : nil }

    mutating func add(_ reading: ScoredReading) {
        samples += 1
        if let problem = reading.notScored { accuracy.notScored[problem, default: 0] += 1 }
        if let entry = reading.entry { accuracy.add(entry) }
        if let book = reading.book { books.add(book) }
        if let capture = reading.capture { kept.add(capture) }
        if let (score, picture) = reading.boxes { located.add(score, picture: picture) }
    }
}
