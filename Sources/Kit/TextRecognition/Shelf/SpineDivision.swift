internal import Basics
internal import Imaging

/// Division of a row of books into spines.
///
/// The best of all chains of separators, found by dynamic programming (a semi-Markov model of the row): the score of
/// an interval between two separators is the sum of the scores of its sides, its inside and the judge's rating of its
/// text.
struct SpineDivision {
    struct Part {
        var outline: Quad
        var reading: SpineReading
        var judgement: ShelfReader.Judgement
        /// Support of the clearer one of its sides.
        var support: Double
        /// Numbers of its lines.
        let lines: [Int]
    }

    let row: ShelfRow
    private let separators: [SpineSeparator]
    private let lines: [RecognizedLine]
    private let judge: ShelfReader.Judge?
    /// Number of lines with the middle to the left of each separator.
    private let textBefore: [Int]
    /// Usual width of a spine of the row, in pixels.
    private let width: Double
    /// Width below which an interval is worth less, in pixels.
    private let fullWidth: Double

    /// Cost of an interval with text: each further book has to be worth more.
    private static let price = 0.35
    /// Cost of an interval without text: a spine reaches to its neighbour rather than to the next edge beside its
    /// text.
    private static let gapPrice = 0.15
    /// Neutral support of a separator.
    private static let evenSupport = 0.45
    /// Weight of support above the neutral one, positive at a side and negative inside.
    private static let edgeWorth = 1.5
    /// Support from which no book reaches across a separator, so that the judge is not called.
    private static let clearSupport = 0.75
    /// Weight of the clearest separator inside that has text on one side alone: frames are edges, too.
    private static let marginShare = 0.5
    /// Minimum gain in certainty of two joined pieces of one book over the less sure one alone.
    private static let leastGain = 0.02
    /// Width below which an interval is worth less, in usual widths, in proportion to the difference; less where most
    /// spines between clear separators are narrower.
    private static let fullWidths = 1.3
    /// Maximum width of an interval, in usual widths.
    private static let mostWidths = 6.0

    init(row: ShelfRow, separators: SpineSeparators, line: (ReadLine) -> RecognizedLine, judge: ShelfReader.Judge?) {
        (self.row, self.judge) = (row, judge)
        lines = row.lines.map(line)
        let (left, right) = (Double(row.left), Double(row.right))
        let drift = row.lean * Double(row.height) / 2
        // A row ends at its ends, edge or not.
        let all =
            [SpineSeparator(top: left - drift, bottom: left + drift, support: Self.evenSupport)]
            + separators.all.filter { $0.middle > left && $0.middle < right }
            + [SpineSeparator(top: right - drift, bottom: right + drift, support: Self.evenSupport)]
        let thicknesses = row.lines.filter(\.stands).map(\.quad.thickness).sorted()
        let usual = 1.6 * (thicknesses.isEmpty ? 1 : thicknesses[thicknesses.count / 2])
        let middles = row.lines.map(\.quad.centre)
        let before = all.map { separator in middles.count { $0.x < row.column(of: separator, at: $0.y) } }
        let clear = all.indices.filter { all[$0].support >= Self.clearSupport }
        let spans = zip(clear, clear.dropFirst()).filter { before[$0] < before[$1] }
            .map { all[$1].middle - all[$0].middle }.sorted()
        (self.separators, width, textBefore) = (all, usual, before)
        fullWidth = min(Self.fullWidths * usual, spans.count < 3 ? .infinity : spans[spans.count / 2])
    }

    /// Returns the parts with text, from left to right.
    func best() throws -> [Part] {
        let spans = intervals()
        let asked = spans.flatMap { $0 }.filter { !$0.lines.isEmpty && $0.clearest < Self.clearSupport }
        let judgements = try judgements(of: Set(asked.map(\.lines)))
        var best = [Double](repeating: -.infinity, count: separators.count)
        var from = [Int](repeating: -1, count: separators.count)
        best[0] = 0
        for end in 1..<separators.count {
            for interval in spans[end] where best[interval.start] > -.infinity {
                let text = (judgements[interval.lines]?.probability ?? 0) * interval.lines.map { lines[$0] }.weight
                let score = best[interval.start] + worth(of: interval, to: end, text: text)
                if score > best[end] { (best[end], from[end]) = (score, interval.start) }
            }
        }
        var ends: [Int] = []
        var end = separators.count - 1
        while end > 0, from[end] >= 0 {
            ends.append(end)
            end = from[end]
        }
        let parts = ends.reversed().compactMap { end -> Part? in
            guard let interval = spans[end].first(where: { $0.start == from[end] }), !interval.lines.isEmpty else {
                return nil
            }
            let (left, right) = (separators[from[end]], separators[end])
            let outline = Quad(
                topLeft: Point(x: left.top, y: Double(row.top)),
                topRight: Point(x: right.top, y: Double(row.top)),
                bottomRight: Point(x: right.bottom, y: Double(row.bottom)),
                bottomLeft: Point(x: left.bottom, y: Double(row.bottom))
            )
            let judgement = judgements[interval.lines] ?? ShelfReader.Judgement()
            return Part(lines, interval.lines, outline: outline, support: max(left.support, right.support), judgement)
        }
        return try joined(parts)
    }

    /// Returns the parts, with neighbours merged that are pieces of one book and not copies of it.
    ///
    /// Each of two copies has the whole title: together they are not more surely that book than each alone.
    private func joined(_ parts: [Part]) throws -> [Part] {
        guard let judge else { return parts }
        return try parts.reduce(into: []) { joined, part in
            joined.append(part)
            guard let last = joined.dropLast().last, let book = last.judgement.book, book == part.judgement.book else {
                return
            }
            let members = (last.lines + part.lines).sorted()
            let judgement = try judge(members.map { lines[$0] })
            let least = min(last.judgement.probability, part.judgement.probability) + Self.leastGain
            guard judgement.book == book, judgement.probability >= least else { return }
            var outline = last.outline
            (outline.topRight, outline.bottomRight) = (part.outline.topRight, part.outline.bottomRight)
            let support = max(last.support, part.support)
            joined[joined.count - 2] = Part(lines, members, outline: outline, support: support, judgement)
            joined.removeLast()
        }
    }

    private struct Interval {
        var start: Int
        /// Numbers of the lines with the middle inside the interval.
        var lines: [Int]
        /// Greatest support of a separator inside.
        var clearest: Double
        /// Support above the neutral one of the clearest separators between its columns of text, together.
        var inside: Double
    }

    private func intervals() -> [[Interval]] {
        let middles = lines.map(\.quad.centre)
        var isReached = [true] + [Bool](repeating: false, count: separators.count - 1)
        return separators.indices.map { end in
            var found: [Interval] = []
            var (clearest, between, gap) = (0.0, 0.0, 0.0)
            for start in (0..<end).reversed() {
                let (left, right) = (separators[start], separators[end])
                let span = right.middle - left.middle
                guard left.top < right.top, left.bottom < right.bottom else { continue }
                let held = middles.indices.filter {
                    row.column(of: left, at: middles[$0].y) <= middles[$0].x
                        && middles[$0].x < row.column(of: right, at: middles[$0].y)
                }
                let inside = max(0, Self.marginShare * (clearest - Self.evenSupport), between)
                found.append(Interval(start: start, lines: held, clearest: clearest, inside: inside))
                isReached[end] = isReached[end] || isReached[start]
                if span > Self.mostWidths * width, !held.isEmpty, isReached[end] { break }
                clearest = max(clearest, left.support)
                // A gap ends at the next line to its left.
                gap = textBefore[start] < textBefore[end] ? max(gap, left.support - Self.evenSupport) : 0
                if start > 0, textBefore[start - 1] < textBefore[start] { (between, gap) = (between + gap, 0) }
            }
            return found
        }
    }

    private func worth(of interval: Interval, to end: Int, text: Double) -> Double {
        let sides = (separators[interval.start].support + separators[end].support) / 2 - Self.evenSupport
        if interval.lines.isEmpty { return -Self.gapPrice }
        let span = separators[end].middle - separators[interval.start].middle
        let narrow = min(0, (span - fullWidth) / width)
        return Self.edgeWorth * (sides - interval.inside) + text - Self.price + narrow
    }

    private func judgements(of sets: Set<[Int]>) throws -> [[Int]: ShelfReader.Judgement] {
        guard let judge else { return [:] }
        let sets = Array(sets)
        let judgements = try concurrentMap(sets.count) { [lines] set in try judge(sets[set].map { lines[$0] }) }
        return Dictionary(uniqueKeysWithValues: zip(sets, judgements))
    }
}

extension ShelfRow {
    fileprivate func column(of separator: SpineSeparator, at y: Double) -> Double {
        separator.top + (separator.bottom - separator.top) * (y - Double(top)) / Double(max(1, height))
    }
}

extension SpineDivision.Part {
    /// Creates a spine with lines in any order: some of them, by their numbers, or all.
    init(
        _ lines: [RecognizedLine],
        _ members: [Int]? = nil,
        outline: Quad,
        support: Double = 0,
        _ judgement: ShelfReader.Judgement
    ) {
        self.lines = members ?? Array(lines.indices)
        reading = SpineReading(ordering: self.lines.map { lines[$0] }, isTall: outline.length < outline.thickness)
        (self.outline, self.support, self.judgement) = (outline, support, judgement)
    }

    /// Whether its outline has the shape of a spine.
    var isSlender: Bool {
        let (one, other) = (outline.length, outline.thickness)
        return max(one, other) >= ShelfReader.leastSlenderness * min(one, other)
    }
}

extension [RecognizedLine] {
    /// Number of letters of a text that a catalogue can distinguish from others; it has a book for almost any short
    /// word.
    private static let wholeText = 6.0

    /// Weight of the judge's rating of the text: 1 from a number of letters, and less with fewer.
    var weight: Double { Swift.min(1, Double(letterCount) / Self.wholeText) }

    var hasWholeText: Bool { weight == 1 }
}
