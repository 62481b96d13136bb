package import Basics
import Evaluation
package import Harness
import Imaging
import SpineDatasets

/// Results on photos of shelves, each counted once, by its first reading; intervals are over photos.
package struct ShelfSummary: Sendable, Equatable, Codable {
    package var photos: Int
    /// Labelled books whose title a person can read, and those with any other.
    package var books: Int
    package var labelled: Int
    package var spines: Int
    /// Rate of catalogue books that were named correctly, at their place.
    package var named: RateEstimate
    /// Rate of named spines with the right name, without books that are illegible or missing from the catalogue.
    package var rightNames: RateEstimate
    /// Rate of books outside the catalogue that were named nevertheless.
    package var falseMatch: RateEstimate
    /// Harmonic mean of the shares of books named and of right names, 0…1.
    package var f1: Figure
    /// Rate of books whose title was read, at their place.
    package var titleRead: RateEstimate
    /// Rate of spines that contain two or more labelled books.
    package var merged: RateEstimate
    /// Rate of outlined books that were found as two or more spines.
    package var split: RateEstimate
    /// Rate of spines that are pieces of a labelled book.
    package var slivers: RateEstimate
    /// Rate of correctly named books that would have to be moved to correct the order.
    package var moved: RateEstimate
    /// Difference between the numbers of spines and labelled books: the sum over the photos, as a share.
    package var countError: Figure
    /// Mean overlap of labelled outlines with the spines that fit them best: intersection over union, 0…1.
    package var overlap: Figure
    /// Mean, of photos with labelled books.
    package var millisecondsPerBook: Figure

    package init?(_ records: [SampleRecord]) {
        let read = records.compactMap { record in record.shelf.map { (record: record, score: $0) } }
        guard !read.isEmpty else { return nil }
        let scores = read.map(\.score)
        func share<Part>(_ parts: (ShelfScore) -> [Part], _ isIn: KeyPath<Part, Bool>) -> RateEstimate {
            let all = read.flatMap { photo in parts(photo.score).map { ($0[keyPath: isIn], photo.record.id) } }
            return RateEstimate(all.map(\.0), groups: all.map(\.1))
        }
        func mean(_ values: [Double], _ reason: String) -> Figure {
            values.isEmpty ? .absent(reason) : .value(values.reduce(0, +) / Double(values.count))
        }
        photos = read.count
        books = scores.reduce(0) { $0 + $1.books.count }
        labelled = scores.reduce(0) { $0 + $1.labelled }
        spines = scores.reduce(0) { $0 + $1.spines.count }
        named = share({ $0.books.compactMap(\.isNamed) }, \.self)
        rightNames = share(
            { $0.spines.map(\.outcome).filter { [.right, .wrong, .falseMatch].contains($0) }.map { $0 == .right } },
            \.self
        )
        falseMatch = share({ $0.books.compactMap(\.hasFalseName) }, \.self)
        let (found, missed) = (named.successes, named.trials - named.successes)
        let wrong = rightNames.trials - rightNames.successes
        f1 = .ratio(2 * found, 2 * found + missed + wrong, orAbsent: "no books")
        titleRead = share(\.books, \.isRead)
        // Without outlines of books, merged spines and pieces cannot be detected.
        let outlined = { (score: ShelfScore) in score.books.contains { $0.overlap != nil } ? score.spines : [] }
        merged = share(outlined, \.isMerged)
        split = share({ $0.books.filter { $0.overlap != nil } }, \.isSplit)
        slivers = share(outlined, \.isSliver)
        moved = share(
            { score in (0..<score.books.count { $0.isNamed == true }).map { $0 < score.moved } },
            \.self
        )
        let off = scores.reduce(0) { $0 + abs($1.spines.count - $1.labelled) }
        countError = .ratio(off, labelled, orAbsent: "no books")
        overlap = mean(scores.flatMap { $0.books.compactMap(\.overlap) }, "no outlines")
        let timed = read.filter { $0.score.labelled > 0 }
        let total = timed.reduce(0) { $0 + ($1.record.milliseconds ?? 0) }
        let standing = timed.reduce(0) { $0 + $1.score.labelled }
        // Those that were not read would have taken the longest.
        let unread = timed.count { $0.record.outcome != .read }
        millisecondsPerBook =
            standing == 0
            ? .absent("no books")
            : unread > 0
                ? .absent("\(unread) of \(timed.count) photos with books were not read")
                : .value(total / Double(standing))
    }
}

extension LineBoxScore {
    /// Creates the score of a reading; nil without labelled boxes, and for systems that read lines without positions.
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

struct LineBoxTally: Sendable {
    private var lines = GroupedCounts(questions: 1)
    private var boxes = GroupedCounts(questions: 1)
    private var overlaps = OrderFreeSum()
    private var isLocated = false

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
