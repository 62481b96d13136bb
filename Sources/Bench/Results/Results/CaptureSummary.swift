package import Basics
import Harness
import SpineDatasets

struct CaptureScore: Sendable {
    /// Whether the reported label is right; nil for pictures without a label.
    var isLabelRight: Bool?
    /// Whether no label was reported although the vocabulary has one; nil for pictures without a label.
    var isLabelUnsaid: Bool?
    /// True label and reported label; nil for pictures without a label.
    var said: (truth: String, said: String)?
    /// Result for each labelled code (true when it was read), and false for each code that was read but does not
    /// exist.
    var codes: [Bool]
    /// Overlap of the subject with its labelled outline, 0…1; nil for pictures without an outline.
    var overlap: Double?
    var isTold: Bool
    /// Facts that were known before sources failed, and those that were lost.
    var facts: Int
    var lost: Int
    var group: String?
    /// Identifier of the photo or of the picture: scores of one picture are correlated.
    var picture: String
    /// Whether the capture was stored; false for a failed reading.
    var isKept = true

    /// Creates the score of a failed reading: no code, label or description.
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

/// Results of captures: each picture is counted once, by its first reading.
package struct CaptureSummary: Sendable, Equatable, Codable {
    package var captures: Int
    /// Rate of codes whose content was read correctly, of the labelled codes and those that were read but do not
    /// exist.
    package var codesRead: RateEstimate
    package var labelRight: RateEstimate
    package var labelWrong: RateEstimate
    /// Rate of labelled pictures without a reported label although the vocabulary has one.
    package var labelUnsaid: RateEstimate
    /// Mean overlap of labelled subjects with the extracted ones, intersection over union, 0…1; 0 where nothing was
    /// extracted.
    package var overlap: Figure
    /// Rate of captures that were described by a narrative that obeys its rules.
    package var told: RateEstimate
    /// Rate of facts that were lost when sources failed, of those known before.
    package var lost: RateEstimate
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

/// Tally of captures; the result does not depend on their order.
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
