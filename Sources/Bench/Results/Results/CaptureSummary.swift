package import Basics
import Harness
import SpineDatasets

/// What was made of a capture, against what its picture shows.
struct CaptureScore: Sendable {
    /// Whether what it shows was said: yes, no, or nil where nobody labelled it.
    var isLabelRight: Bool?
    /// Whether nothing was said of what it shows, though there is a word for it; nil where nobody labelled it.
    var isLabelUnsaid: Bool?
    /// What it shows by its label, and what was said; nil where nobody labelled it.
    var said: (truth: String, said: String)?
    /// For each labelled code, whether it was read; and false for each that was read and is not there.
    var codes: [Bool]
    /// Overlap of the subject with its labelled outline, 0…1; nil where nobody outlined it.
    var overlap: Double?
    var isTold: Bool
    /// Facts that were known before sources failed, and those that were lost.
    var facts: Int
    var lost: Int
    var group: String?
    /// The photo's, or the picture's own: what is counted more than once on one picture hangs together.
    var picture: String
    /// False of a reading that failed.
    var isKept = true

    /// Of a reading that failed: nothing was read, said or told.
    init(unread sample: Sample) {
        self.init(
            Prediction.Capture(label: SceneTruth.Label.unknown.rawValue, codes: [], subject: nil, isTold: false),
            sample
        )
        (isKept, isLabelRight) = (false, false)
        isLabelUnsaid = true
    }

    init(_ capture: Prediction.Capture, _ sample: Sample) {
        let truth = sample.scene
        isLabelRight = truth.map { $0.label.rawValue == capture.label }
        said = truth.map { ($0.label.rawValue, capture.label) }
        let unknown = SceneTruth.Label.unknown.rawValue
        isLabelUnsaid = truth.map { capture.label == unknown && $0.label.rawValue != unknown }
        let labelled = truth?.codes ?? []
        codes = labelled.map(capture.codes.contains)
        if truth != nil { codes += Set(capture.codes).subtracting(labelled).map { _ in false } }
        overlap = (truth?.subject).map { outline in capture.subject?.overlap(with: outline) ?? 0 }
        isTold = capture.isTold
        facts = capture.facts ?? 0
        lost = capture.lostFacts?.count ?? 0
        group = sample.group
        picture = sample.group ?? sample.id
    }
}

/// What was made of captures: each picture counted once, by its first reading.
package struct CaptureSummary: Sendable, Equatable, Codable {
    package var captures: Int
    /// Of the labelled codes, and of those that were read and are not there: those whose contents were read rightly.
    package var codesRead: RateEstimate
    /// Of the pictures with a label: what they show was said rightly.
    package var labelRight: RateEstimate
    /// Of the same: something else was said.
    package var labelWrong: RateEstimate
    /// Of the same: nothing was said, though there is a word for it.
    package var labelUnsaid: RateEstimate
    /// Mean overlap of labelled subjects with what was cut out, intersection over union, 0…1; 0 where nothing was.
    package var overlap: Figure
    /// Told by a narrative that keeps its rules.
    package var told: RateEstimate
    /// Of the facts that were known before sources failed: those that were known no more.
    package var lost: RateEstimate
    /// By what pictures show: how often what was said.
    package var said: [String: [String: Int]]

    init(_ tally: CaptureTally) {
        captures = tally.captures
        codesRead = tally.codes.estimate(0)
        (labelRight, labelWrong) = (tally.labels.estimate(0), tally.labels.estimate(1))
        (labelUnsaid, told) = (tally.labels.estimate(2), tally.labels.estimate(3))
        overlap = tally.overlaps.mean.map { .value($0) } ?? .absent("no outlined subjects")
        lost = tally.facts.estimate(0)
        said = tally.said
    }
}

/// Captures, counted as they come: in any order it comes to the same.
struct CaptureTally: Sendable {
    fileprivate(set) var captures = 0
    /// Whether any reading kept one.
    fileprivate(set) var isOfCaptures = false
    fileprivate var labels = GroupedCounts(questions: 4)
    fileprivate var codes = GroupedCounts(questions: 1)
    fileprivate var facts = GroupedCounts(questions: 1)
    fileprivate var overlaps = OrderFreeSum()
    fileprivate var said: [String: [String: Int]] = [:]

    mutating func add(_ score: CaptureScore) {
        captures += 1
        if score.isKept { isOfCaptures = true }
        let isWrong = score.isLabelRight.map { !$0 && score.isLabelUnsaid != true }
        labels.add([score.isLabelRight, isWrong, score.isLabelUnsaid, score.isTold], group: score.group)
        for isRead in score.codes { codes.add([isRead], group: score.picture) }
        for number in 0..<score.facts { facts.add([number < score.lost], group: score.picture) }
        if let overlap = score.overlap { overlaps.add(overlap) }
        if let (truth, said) = score.said { self.said[truth, default: [:]][said, default: 0] += 1 }
    }
}
