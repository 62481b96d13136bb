package import Basics
import Evaluation
import Harness
import Imaging
import SpineDatasets

extension LineBoxScore {
    /// Creates the score of a reading; one that failed found no box.
    ///
    /// Nil for lines without a labelled box, and for systems that read lines without their positions.
    init?(_ sample: Sample, _ prediction: Prediction?) {
        let labelled = (sample.lines ?? []).map(\.quad)
        let found = (prediction?.lines ?? []).compactMap(\.quad)
        guard sample.legible, !labelled.isEmpty, !labelled.contains(nil), prediction?.linesProblem == nil,
            !found.isEmpty || prediction?.lines.isEmpty != false
        else { return nil }
        self.init(labelled: labelled.compactMap(\.self), found: found)
    }
}

/// Boxes of lines, of legible samples whose lines are all labelled with one: each sample counted once, by its first
/// reading.
package struct LineBoxSummary: Sendable, Equatable, Codable {
    /// Rate of labelled lines with a box of their own (recall).
    package var found: RateEstimate
    /// Rate of boxes that match a labelled line (precision).
    package var right: RateEstimate
    /// Mean overlap of labelled lines with the box that fits best: intersection over union, 0…1.
    package var overlap: Figure
}

/// Tally of line boxes; the result does not depend on their order.
struct LineBoxTally: Sendable {
    private var lines = GroupedCounts(questions: 1)
    private var boxes = GroupedCounts(questions: 1)
    private var overlaps = OrderFreeSum()
    /// Whether any reading has a box.
    private var isLocated = false

    /// Summary; nil for systems that do not locate lines.
    var summary: LineBoxSummary? {
        guard isLocated else { return nil }
        return LineBoxSummary(
            found: lines.estimate(0),
            right: boxes.estimate(0),
            overlap: overlaps.mean.map { .value($0) } ?? .absent("no labelled boxes")
        )
    }

    /// Adds a score; `picture` is the photo, or the picture itself: lines of one picture are correlated.
    mutating func add(_ score: LineBoxScore, picture: String) {
        if !score.isRight.isEmpty { isLocated = true }
        for isFound in score.isFound { lines.add([isFound], group: picture) }
        for isRight in score.isRight { boxes.add([isRight], group: picture) }
        for overlap in score.overlaps { overlaps.add(overlap) }
    }
}
