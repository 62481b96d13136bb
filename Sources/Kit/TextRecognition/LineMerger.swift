internal import Basics
package import Imaging

/// A line of text, with the recogniser's result.
struct ReadLine: Sendable, PlacedText {
    /// Position in the source image's pixels, corners as the reader of the text sees them.
    var quad: Quad
    var recognition: LineRecognition
    /// Whether the second stage of a ``StagedReader`` read it.
    var isReread = false

    var text: String { recognition.text }
    var confidence: Double { recognition.confidence }

    /// Returns the worth of the line beside another reading of the same place.
    ///
    /// A long sure line is worth most, a line of guesses less than nothing.
    func worth() -> Double { Self.worth(text, confidence: confidence) }

    static func worth(_ text: String, confidence: Double) -> Double {
        Double(text.count { $0 != " " }) * (confidence - doubt)
    }

    /// Confidence of a guess, 0…1.
    private static let doubt = 0.6

    /// Returns whether the line holds so many characters or more, surely, and no fewer than its length has room for.
    ///
    /// A character is seldom wider than the line is high; text upside down reads as fewer.
    func isWord(of least: Int = 4, confidence: Double = 0.9) -> Bool {
        let room = quad.length / max(1, quad.thickness)
        return Double(text.count) >= max(Double(least), 0.9 * room) && self.confidence >= confidence
    }
}

/// Joins the readings of two passes: where lines overlap, those of the pass that read more there with more confidence
/// stay.
struct LineMerger: Sendable {
    /// Minimum shared area of lines at the same place, as a share of the smaller one's.
    var overlap = 0.3
    /// Minimum gain of the second pass for replacing the first.
    var advantage = 1.05

    func merge(_ first: [ReadLine], _ second: [ReadLine]) -> [ReadLine] {
        var groups: [(first: [ReadLine], second: [ReadLine])] = first.map { ([$0], []) }
        for line in second {
            let touching = groups.indices.filter { index in
                groups[index].first.contains { isSamePlace($0.quad, line.quad) }
            }
            guard let target = touching.first else {
                groups.append(([], [line]))
                continue
            }
            groups[target].second.append(line)
            for index in touching.dropFirst().reversed() {
                groups[target].first += groups[index].first
                groups[target].second += groups[index].second
                groups.remove(at: index)
            }
        }
        return groups.flatMap { group in
            let (old, new) = (total(group.first), total(group.second))
            if group.first.isEmpty { return group.second.filter { $0.worth() > 0 } }
            let isBetter = new > 0 && new > old * advantage
            let (kept, other) = isBetter ? (group.second, group.first) : (group.first, group.second)
            // Other words, surely read, are not lost to more text at their place.
            return kept
                + other.filter { line in
                    (line.isWord() || line.isWord(of: 3, confidence: 0.99))
                        && !kept.contains { 2 * $0.worth() > line.worth() && repeats(line, $0) }
                }
        }
    }

    /// Returns the lines without those that repeat, at the same place, a better one.
    ///
    /// A detector may box a line twice, or a part of it; different text inside another line's box is a small word.
    func distinct(_ lines: [ReadLine]) -> [ReadLine] {
        lines.indices.filter { index in
            let line = lines[index]
            return !lines.indices.contains { other in
                let rival = lines[other]
                return (rival.worth(), index) > (line.worth(), other) && repeats(line, rival)
            }
        }.map { lines[$0] }
    }

    /// Returns whether two lines are at the same place, and one text is a piece of the other.
    private func repeats(_ line: ReadLine, _ other: ReadLine) -> Bool {
        line.quad.intersectionArea(with: other.quad) > Self.repetition * min(line.quad.area, other.quad.area)
            && Self.repeats(line.text, other.text)
    }

    /// Minimum area that a repeated line shares with the other, as a share of its own.
    private static let repetition = 0.5

    /// Returns whether a text is a piece of another, or the other a piece of it, give or take a third of the shorter
    /// one's letters.
    private static func repeats(_ one: String, _ other: String) -> Bool {
        let texts = [one, other].map { FoldedText($0).words.flatMap { $0 } }.sorted { $0.count < $1.count }
        let (short, long) = (texts[0], texts[1])
        guard !short.isEmpty else { return false }
        return (0...(long.count - short.count)).contains {
            Levenshtein.distance(short, Array(long[$0..<$0 + short.count])) * 3 <= short.count
        }
    }

    private func total(_ lines: [ReadLine]) -> Double { lines.reduce(0) { $0 + $1.worth() } }

    /// Returns whether two quads are nearly the same.
    func isSameBox(_ a: Quad, _ b: Quad) -> Bool { a.intersectionArea(with: b) > 0.6 * max(a.area, b.area) }

    func isSamePlace(_ a: Quad, _ b: Quad) -> Bool { a.intersectionArea(with: b) > overlap * min(a.area, b.area) }
}

/// A window of a line image that is too wide for a recogniser.
package struct LineWindow: Sendable, Equatable {
    /// The columns whose characters are this window's.
    package var own: Range<Int>
    /// The columns that are read.
    package var seen: Range<Int>
}

extension RasterImage {
    /// Returns windows of at most a width from left to right, cut at columns without text; their own columns together are
    /// the whole image.
    ///
    /// Each sees a margin of its neighbours, so that each character is read with its surroundings; text in the margin is
    /// ignored. A line that fits is one window. Otherwise each window takes an equal share of the rest, give or take a
    /// quarter, and ends at the column whose pixels differ least from one another: between words, if there is a gap
    /// nearby.
    ///
    /// - Precondition: a window holds eight columns of its own at least.
    package func lineWindows(maximumWidth: Int, margin: Int) -> [LineWindow] {
        let room = maximumWidth - 2 * margin
        precondition(margin >= 0 && room >= 8, "a window holds at least a character")
        guard width > maximumWidth else { return [LineWindow(own: 0..<width, seen: 0..<width)] }
        var windows: [LineWindow] = []
        var start = 0
        while start < width {
            let count = (width - start + room - 1) / room
            var end = width
            if count > 1 {
                let share = (width - start) / count
                let slack = max(1, min(share / 4, room - share))
                // The remaining windows must have room for the rest of the line.
                let low = max(start + share - slack, width - (count - 1) * room)
                end = emptiestColumn(in: low...max(low, min(start + share + slack, start + room)))
            }
            windows.append(LineWindow(own: start..<end, seen: max(0, start - margin)..<min(width, end + margin)))
            start = end
        }
        return windows
    }

    /// Returns the column whose pixels differ least from one another; of equals, the one nearest to the middle.
    private func emptiestColumn(in columns: ClosedRange<Int>) -> Int {
        let middle = (columns.lowerBound + columns.upperBound) / 2
        func spread(_ column: Int) -> Int {
            // The middle two thirds of the height: a frame above and below the letters is not text.
            let rows = height / 6..<max(height / 6 + 1, height * 5 / 6)
            let values = rows.map { pixels[($0 * width + column) * channels + channels / 2] }
            return Int(values.max() ?? 0) - Int(values.min() ?? 0)
        }
        return columns.min { (spread($0), abs($0 - middle)) < (spread($1), abs($1 - middle)) } ?? middle
    }
}
