package import Basics
import Harness
import Raster
import SpineDatasets
package import Statistics

/// What was made of a capture, against what its picture shows.
struct CaptureScore: Sendable {
    /// Whether what it shows was said: yes, no, or nil where nobody labelled it.
    var isLabelRight: Bool?
    /// Whether nothing was said of what it shows, though there is a word for it; nil where nobody labelled it.
    var isLabelUnsaid: Bool?
    /// For each labelled code, whether it was read.
    var codes: [Bool]
    /// Overlap of the subject with its labelled outline, 0…1; nil where nobody outlined it.
    var overlap: Double?
    var isTold: Bool
    /// Facts that were known before sources failed, and those that were lost.
    var facts: Int
    var lost: Int
    var group: String?

    init(_ capture: Prediction.Capture, _ sample: Sample) {
        let truth = sample.scene
        isLabelRight = truth.map { $0.label.rawValue == capture.label }
        let unknown = SceneTruth.Label.unknown.rawValue
        isLabelUnsaid = truth.map { capture.label == unknown && $0.label.rawValue != unknown }
        codes = (truth?.codes ?? []).map(capture.codes.contains)
        overlap = (truth?.subject).map { outline in capture.subject?.overlap(with: outline) ?? 0 }
        isTold = capture.isTold
        facts = capture.facts ?? 0
        lost = capture.lostFacts?.count ?? 0
        group = sample.group
    }
}

/// What was made of captures: each picture counted once, by its first reading.
package struct CaptureSummary: Sendable, Equatable, Codable {
    package var captures: Int
    /// Of the labelled codes: those whose contents were read.
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

    init(_ tally: CaptureTally) {
        captures = tally.captures
        codesRead = tally.codes.estimate(0)
        (labelRight, labelWrong) = (tally.labels.estimate(0), tally.labels.estimate(1))
        (labelUnsaid, told) = (tally.labels.estimate(2), tally.labels.estimate(3))
        overlap = tally.overlaps.mean.map { .value($0) } ?? .absent("no outlined subjects")
        lost = tally.facts.estimate(0)
    }
}

/// Captures, counted as they come: in any order it comes to the same.
struct CaptureTally: Sendable {
    fileprivate(set) var captures = 0
    fileprivate var labels = GroupedCounts(questions: 4)
    fileprivate var codes = GroupedCounts(questions: 1)
    fileprivate var facts = GroupedCounts(questions: 1)
    fileprivate var overlaps = OrderFreeSum()

    mutating func add(_ score: CaptureScore) {
        captures += 1
        let isWrong = score.isLabelRight.map { !$0 && score.isLabelUnsaid != true }
        labels.add([score.isLabelRight, isWrong, score.isLabelUnsaid, score.isTold], group: score.group)
        for isRead in score.codes { codes.add([isRead], group: score.group) }
        for number in 0..<score.facts { facts.add([number < score.lost], group: score.group) }
        if let overlap = score.overlap { overlaps.add(overlap) }
    }
}
